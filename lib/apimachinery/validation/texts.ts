// Mirrors `util/validation/validation.go, MaxLenError`.
import type { FieldError } from "../errors/field_error.ts";
import { invalid } from "../errors/field_error.ts";
import type { FieldPath } from "../errors/field_path.ts";

const ENCODER = new TextEncoder();

/** Returns the length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  // deno-lint-ignore no-control-regex -- ASCII is what nearly every text here is.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : ENCODER.encode(text).length;
}

/** Returns the number of bytes that a base64 text in canonical form encodes. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor(text.length / 4) * 3 - padding;
}

/** Returns the message about a text that must have no more than `length` characters. */
export function maxLengthProblem(length: number): string {
  return `must be no more than ${length} characters`;
}

/** Returns the message about a text that must have no more than `length` bytes. */
export function maxBytesProblem(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** Returns the message about a number out of a range. */
export function rangeProblem(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/**
 * Returns the message about a text that does not match a regular expression: `message`, the
 * examples, and `expression` as it is.
 */
export function patternProblem(
  message: string,
  expression: string,
  ...examples: readonly string[]
): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${expression}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${shown}regex used for validation is '${expression}')`;
}

/** Returns an `Invalid value` field error for each problem of a value. */
export function invalidForEach(
  path: FieldPath,
  value: unknown,
  problems: readonly string[],
): FieldError[] {
  return problems.map((problem) => invalid(path, value, problem));
}
