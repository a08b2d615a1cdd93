import { described } from "@xca/apimachinery/internal/base";
import type { DenialError, FieldProblem } from "./denial.ts";

/**
 * The fields of a {@linkcode DenialError} as plain data, so that every denial can be sent as JSON.
 */
export type PlainDenial = Pick<DenialError, "message" | "code" | "reason" | "problems">;

/**
 * Returns the fields of a denial, each read once and checked, since user code may have changed
 * them, or have created the denial without type checking.
 *
 * @throws {TypeError} When a field has the wrong type, or the code is not an integer from 400 to
 * 599.
 */
export function plainDenial({ message, code, reason, problems }: DenialError): PlainDenial {
  const given: Readonly<Record<string, unknown>> = { message, reason };
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") continue;
    throw new TypeError(`its denial has a ${name} that is ${described(value)}, not a text`);
  }
  if (!Number.isInteger(code) || code < 400 || code > 599) {
    throw new TypeError("its denial has a code that is not a number from 400 to 599");
  }
  const isList = Array.isArray(problems) && problems.every(isProblem);
  if (!isList) throw new TypeError("its denial has problems that are not a list of field problems");
  return {
    message,
    code,
    reason,
    problems: problems.map(({ field, reason, message }) => ({ field, reason, message })),
  };
}

/** Reports whether a value has the fields of a {@linkcode FieldProblem}. */
export function isProblem(value: unknown): value is FieldProblem {
  if (typeof value !== "object" || value === null) return false;
  const { field, reason, message } = value as Partial<FieldProblem>;
  return [field, reason, message].every((each) => typeof each === "string");
}
