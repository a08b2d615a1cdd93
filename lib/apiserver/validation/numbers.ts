import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { rangeProblem } from "@xca/apimachinery/internal/validation";

/** What is said of a number below zero. */
export const NOT_NEGATIVE = "must be greater than or equal to 0";

const MAX_INT32 = 2 ** 31 - 1;

/** Checks that a number is not below zero. */
export function validateNonnegative(value: number, path: FieldPath): FieldError[] {
  return value < 0 ? [invalid(path, value, NOT_NEGATIVE)] : [];
}

/** What is wrong with the id of a user or a group of a Linux system. */
export function userIdProblems(id: number): string[] {
  return id >= 0 && id <= MAX_INT32 ? [] : [rangeProblem(0, MAX_INT32)];
}
