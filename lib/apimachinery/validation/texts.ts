import type { FieldError } from "../errors/field_error.ts";
import { invalid } from "../errors/field_error.ts";
import type { FieldPath } from "../errors/field_path.ts";

const ENCODER = new TextEncoder();

/** The length of a text in bytes of UTF-8, as the real server counts. */
export function byteLength(text: string): number {
  // deno-lint-ignore no-control-regex -- ASCII is what nearly every text here is.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : ENCODER.encode(text).length;
}

/** What is said of a text that is too long. */
export function maxLengthProblem(length: number): string {
  return `must be no more than ${length} characters`;
}

/** What is said of a text that is too long, by the rules for labels, which count in bytes. */
export function maxBytesProblem(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** What is said of a number out of its range. */
export function rangeProblem(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** What is said of a text that does not match; `expression` is shown as it is. */
export function patternProblem(
  message: string,
  expression: string,
  ...examples: readonly string[]
): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${expression}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${shown}regex used for validation is '${expression}')`;
}

/** One `Invalid value` per problem of one value. */
export function invalidForEach(
  path: FieldPath,
  value: unknown,
  problems: readonly string[],
): FieldError[] {
  return problems.map((problem) => invalid(path, value, problem));
}
