// Mirrors `apis/core/validation/validation.go, ValidateNonnegativeQuantity`.
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { nanosOf } from "@xca/apimachinery/internal/values";
import { NOT_NEGATIVE } from "./numbers.ts";

/** Returns a validation error if the quantity of a field is negative; otherwise an empty list. */
export function validateNonnegativeQuantity(
  quantity: string | number,
  path: FieldPath,
): FieldError[] {
  return nanosOf(quantity) < 0n ? [invalid(path, String(quantity), NOT_NEGATIVE)] : [];
}

/** Returns a validation error unless the quantity of a field is positive. */
export function validatePositiveQuantity(quantity: string | number, path: FieldPath): FieldError[] {
  return nanosOf(quantity) <= 0n
    ? [invalid(path, String(quantity), "must be greater than zero")]
    : [];
}
