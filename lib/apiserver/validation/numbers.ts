// Mirrors `api/validation/generic.go, ValidateNonnegativeField`.
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { rangeProblem } from "@xca/apimachinery/internal/validation";

/** The message of the error about a negative number. */
export const NOT_NEGATIVE = "must be greater than or equal to 0";

const MAX_INT32 = 2 ** 31 - 1;

/** Validates that a field's number is not negative. */
export function validateNonnegative(value: number, path: FieldPath): FieldError[] {
  return value < 0 ? [invalid(path, value, NOT_NEGATIVE)] : [];
}

/** Returns the problems of a number as a Linux user or group ID. */
export function userIdProblems(id: number): string[] {
  return id >= 0 && id <= MAX_INT32 ? [] : [rangeProblem(0, MAX_INT32)];
}
