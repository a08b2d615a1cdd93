// Mirrors `apis/core/validation/validation.go, ValidateNonnegativeQuantity`.
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { nanosOf } from "@xca/apimachinery/internal/values";
import { NOT_NEGATIVE } from "./numbers.ts";

/** Validates that the quantity of a field is not negative. */
export function validateNonnegativeQuantity(
  quantity: string | number,
  path: FieldPath,
): FieldError[] {
  return nanosOf(quantity) < 0n ? [invalid(path, String(quantity), NOT_NEGATIVE)] : [];
}

/** Validates that the quantity of a field is positive. */
export function validatePositiveQuantity(quantity: string | number, path: FieldPath): FieldError[] {
  return nanosOf(quantity) <= 0n
    ? [invalid(path, String(quantity), "must be greater than zero")]
    : [];
}
