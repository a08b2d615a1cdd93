/**
 * An error as one line of text, its causes unwrapped: this runtime's `fetch` says "error sending
 * request" and hides the reason in `cause`. A cause that the message already tells is not repeated.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { errorText } from "@xca/operator/base";
 *
 * const error = new Error("Cannot list pods", { cause: new Error("connection refused") });
 * assert(errorText(error) === "Cannot list pods: connection refused");
 * ```
 */
export function errorText(error: unknown): string {
  const parts: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at !== undefined && at !== null && !seen.has(at);) {
    seen.add(at);
    const text = oneLine(at instanceof Error ? at.message || at.name : String(at));
    if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join(": ");
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
