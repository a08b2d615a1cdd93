import { causesOf, isInstance, textMember } from "./error_chain.ts";

/**
 * Maximum length of an error's text, in characters. A log line is for users, and a thrown value may
 * be of any size.
 */
const MOST_CHARACTERS = 8_192;

/**
 * Returns the messages of an error and its causes as one line, separated by `: `. This runtime's
 * `fetch` throws "error sending request" with the reason in `cause`; a cause whose text the message
 * already contains is not repeated.
 *
 * It never throws, although any value can be thrown; for `undefined` and `null` the text is empty.
 * A text of more than 8192 characters is cut and marked as cut.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { errorText } from "@xca/apimachinery/base";
 *
 * const error = new Error("Cannot list pods", { cause: new Error("connection refused") });
 * assert(errorText(error) === "Cannot list pods: connection refused");
 * assert(errorText(Object.create(null)) === "an object that has no text");
 * ```
 */
export function errorText(error: unknown): string {
  const parts: string[] = [];
  for (const cause of causesOf(error)) {
    const text = oneLine(cut(textOf(cause)));
    if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
  }
  return cut(parts.join(": "));
}

function textOf(value: unknown): string {
  if (isInstance(value, Error)) {
    return textMember(value, "message") || textMember(value, "name") || "an error that has no text";
  }
  try {
    return String(value);
  } catch {
    return typeof value === "function"
      ? "a function that has no text"
      : "an object that has no text";
  }
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}... (${text.length} characters)`;
}

function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join(" ");
}
