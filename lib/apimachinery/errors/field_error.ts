// Mirrors `util/validation/field/errors.go, Error`.

import type { FieldPath } from "./field_path.ts";
import { runAll } from "../base/time/loop_share.ts";
import { GoFloat, goJson, goNumber, goQuote } from "../values/go_text.ts";

/**
 * A record of the words with which the messages of field errors begin, by the type of the error.
 */
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

/**
 * The type of a field error, such as `FieldValueRequired`: the `reason` of the cause in a `Status`.
 */
export type FieldErrorType = keyof typeof WORDS;

/** An error about one field of an object: a cause of a `Status` with reason `Invalid`. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field that the error is about, such as `spec.ports[0].name`. */
  readonly field: string;
  /**
   * The message of the field error without the path, such as `Required value: must not be empty`.
   */
  readonly body: string;
  /**
   * Reports whether kube-apiserver finds this error by declarative validation; absent for an error
   * of handwritten validation. Errors of declarative validation come last in an `Invalid` response.
   */
  readonly declared?: true;
}

/**
 * Returns copies of field errors that are marked as found by a declarative rule
 * (`zz_generated.validations.go`).
 */
export function declared<T extends FieldError>(...errors: readonly T[]): FieldError[] {
  return errors.map((error) => ({ ...error, declared: true }));
}

/** The number of field errors after which a generator over many of them yields to other work. */
const PAUSE_AFTER = 500;

/**
 * Returns field errors in the order of an `Invalid` response: those of handwritten validation,
 * without repetitions (as {@linkcode withoutRepeats} removes them), then those of declarative
 * rules, with repetitions.
 */
export function mergeDeclared(errors: readonly FieldError[]): FieldError[] {
  return runAll(mergeDeclaredInSteps(errors));
}

/**
 * Returns the same errors as {@linkcode mergeDeclared}, as a generator that yields from time to
 * time so that other work may run.
 */
export function* mergeDeclaredInSteps(
  errors: readonly FieldError[],
): Generator<void, FieldError[]> {
  const written = yield* withoutRepeats(errors.filter((error) => !error.declared));
  return written.concat(errors.filter((error) => error.declared));
}

/**
 * Returns field errors without repetitions: of several with the same text, the last one at the
 * position of the first. It is a generator that yields from time to time so that other work may
 * run.
 */
export function* withoutRepeats(errors: readonly FieldError[]): Generator<void, FieldError[]> {
  const kept = new Map<string, FieldError>();
  for (const [index, error] of errors.entries()) {
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    kept.set(fieldErrorText(error), error);
  }
  return [...kept.values()];
}

/**
 * Formats a field error with its path, such as
 * `spec.replicas: Invalid value: -1: must be greater than or equal to 0`.
 */
export function fieldErrorText({ field, body }: FieldError): string {
  return `${field}: ${body}`;
}

function make(type: FieldErrorType, path: FieldPath, value: string, detail: string): FieldError {
  const parts = [WORDS[type], value, detail].filter((part) => part !== "");
  return { type, field: String(path), body: parts.join(": ") };
}

/**
 * Formats a value for the message of a field error; `undefined` becomes `null`, like a nil in Go.
 */
function show(value: unknown): string {
  if (typeof value === "number") return goNumber(value);
  if (value instanceof GoFloat) return String(value);
  return typeof value === "string" ? goQuote(value) : goJson(value);
}

/**
 * Returns the field error about an absent or empty required field; `detail` ends the message and
 * may be empty.
 */
export function required(path: FieldPath, detail = ""): FieldError {
  return make("FieldValueRequired", path, "", detail);
}

/** Returns the field error about a value that breaks a rule; `detail` names the rule. */
export function invalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueInvalid", path, show(value), detail);
}

/** Returns the field error about a value of a wrong JSON type; `detail` ends the message. */
export function typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return make("FieldValueTypeInvalid", path, show(value), detail);
}

/** Returns the field error about a value that must be unique and is not. */
export function duplicate(path: FieldPath, value: unknown): FieldError {
  return make("FieldValueDuplicate", path, show(value), "");
}

/** Returns the field error about a reference to an object that does not exist. */
export function notFoundValue(path: FieldPath, value: unknown): FieldError {
  return make("FieldValueNotFound", path, show(value), "");
}

/**
 * Returns the field error about a value that is not among the supported ones, which are listed in
 * the given order.
 */
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

/** Returns the field error about a well-formed value that is not allowed in this field. */
export function forbiddenField(path: FieldPath, detail: string): FieldError {
  return make("FieldValueForbidden", path, "", detail);
}

/**
 * Returns the field error about a text longer than `maxLength` bytes or characters, as `unit` says.
 * The message has no number when `maxLength` is negative.
 */
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

/**
 * Returns the field error about a list of `actual` items that may have at most `max`. The message
 * omits `actual` or `max` where it is negative.
 */
export function tooMany(path: FieldPath, actual: number, max: number): FieldError {
  const detail = max < 0
    ? "has too many items"
    : `must have at most ${max} item${max === 1 ? "" : "s"}`;
  return make("FieldValueTooMany", path, actual < 0 ? "" : String(actual), detail);
}

/**
 * Returns the field error about a value whose validation itself failed, so that the value may be
 * valid.
 */
export function internalFieldError(path: FieldPath, detail: string): FieldError {
  return make("InternalError", path, "", detail);
}

/**
 * Formats field errors as one text without repetitions: `a` for one error, `[a, b]` for several,
 * `[]` for none.
 */
export function joinFieldErrors(errors: readonly FieldError[]): string {
  return runAll(joinFieldErrorsInSteps(errors));
}

/**
 * Formats field errors like {@linkcode joinFieldErrors}, as a generator that yields from time to
 * time so that other work may run.
 */
export function* joinFieldErrorsInSteps(
  errors: readonly FieldError[],
): Generator<void, string> {
  const texts = new Set<string>();
  let joined = "";
  for (const [index, error] of errors.entries()) {
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    const text = fieldErrorText(error);
    if (texts.has(text)) continue;
    texts.add(text);
    joined += texts.size === 1 ? text : `, ${text}`;
  }
  return texts.size === 1 ? joined : `[${joined}]`;
}
