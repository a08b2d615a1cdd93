// Mirrors `api/validation/generic.go, ValidateNonnegativeField`.
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { rangeProblem } from "@xca/apimachinery/internal/validation";

/** The message of the error about a negative number. */
export const NOT_NEGATIVE = "must be greater than or equal to 0";

const MAX_INT32 = 2 ** 31 - 1;

/** Returns a validation error if a field's number is negative; otherwise an empty list. */
export function validateNonnegative(value: number, path: FieldPath): FieldError[] {
  return value < 0 ? [invalid(path, value, NOT_NEGATIVE)] : [];
}

/**
 * Returns the problem of a number that is no Linux user or group ID, which is from 0 to 2^31 - 1;
 * empty for a valid ID.
 */
export function userIdProblems(id: number): string[] {
  return id >= 0 && id <= MAX_INT32 ? [] : [rangeProblem(0, MAX_INT32)];
}
