import type { FieldPath } from "./field_path.ts";
import { GoFloat, goJson, goNumber, goQuote } from "../values/go_text.ts";

/** The kinds of field errors: the `type` of a cause, and the word its message begins with. */
const WORDS = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTooShort: "Too short",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
} as const;

/** What is wrong with a field, as a word for machines. */
export type FieldErrorType = keyof typeof WORDS;

/** One field that validation refused: a cause of a `Status` with reason `Invalid`. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The field's path as text. */
  readonly field: string;
  /** The sentence without the path, as `Required value: must not be empty`. */
  readonly body: string;
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorText({ field, body }: FieldError): string {
  return `${field}: ${body}`;
}

function make(type: FieldErrorType, path: FieldPath, value: string, detail: string): FieldError {
  const parts = [WORDS[type], value, detail].filter((part) => part !== "");
  return { type, field: String(path), body: parts.join(": ") };
}

/** The value as a message shows it; `undefined` shows as `null`, as a Go nil does. */
function show(value: unknown): string {
  if (typeof value === "number") return goNumber(value);
  if (value instanceof GoFloat) return String(value);
  return typeof value === "string" ? goQuote(value) : goJson(value);
}

/** A required field is absent or empty. */
export function required(path: FieldPath, detail = ""): FieldError {
  return make("FieldValueRequired", path, "", detail);
}

/** A value breaks a rule; `detail` names the rule. */
export function invalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueInvalid", path, show(value), detail);
}

/** A value has another JSON type than the schema says. */
export function typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueTypeInvalid", path, show(value), detail);
}

/** A value that must be unique stands twice. */
export function duplicate(path: FieldPath, value: unknown): FieldError {
  return make("FieldValueDuplicate", path, show(value), "");
}

/** A value refers to something that is not there. */
export function notFoundValue(path: FieldPath, value: unknown): FieldError {
  return make("FieldValueNotFound", path, show(value), "");
}

/** A value is none of those allowed. They are shown in the order given. */
export function notSupported(
  path: FieldPath,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0
    ? ""
    : `supported values: ${supported.map((each) => goQuote(each)).join(", ")}`;
  return make("FieldValueNotSupported", path, show(value), detail);
}

/** A well-formed value that may not stand here. */
export function forbiddenField(path: FieldPath, detail: string): FieldError {
  return make("FieldValueForbidden", path, "", detail);
}

/** A text longer than `maxLength` bytes (or characters, where the rule counts those). */
export function tooLong(
  path: FieldPath,
  maxLength: number,
  unit: "byte" | "character" = "byte",
): FieldError {
  const detail = maxLength < 0
    ? "value is too long"
    : `may not be more than ${maxLength} ${unit}${maxLength === 1 ? "" : "s"}`;
  return make("FieldValueTooLong", path, "", detail);
}

/** A list of more items than the rule allows. */
export function tooMany(path: FieldPath, actual: number, max: number): FieldError {
  const detail = max < 0
    ? "has too many items"
    : `must have at most ${max} item${max === 1 ? "" : "s"}`;
  return make("FieldValueTooMany", path, actual < 0 ? "" : String(actual), detail);
}

/** Validation itself failed at this field. */
export function internalFieldError(path: FieldPath, detail: string): FieldError {
  return make("InternalError", path, "", detail);
}

/** All errors as one sentence, repeated ones once: `a`, or `[a, b]`. */
export function joinFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}
