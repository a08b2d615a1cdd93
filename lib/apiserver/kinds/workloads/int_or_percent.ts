// Mirrors `apps/validation/validation.go, ValidatePositiveIntOrPercent`.
import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { goJson } from "@xca/apimachinery/internal/values";
import { percentProblems } from "../../validation/identifiers.ts";
import { validateNonnegative } from "../../validation/numbers.ts";

/** A number of pods, or a percentage of all pods of a workload. */
export type IntOrPercent = number | string;

/** Returns a number or percentage of pods in the form of error messages. */
function shown(value: IntOrPercent): IntOrPercent {
  return typeof value === "string" ? JSON.parse(goJson(value)) : value;
}

/**
 * Validates a non-negative number or a percentage of pods (`apps/validation/validation.go`,
 * `ValidatePositiveIntOrPercent`).
 */
export function validateIntOrPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number") return validateNonnegative(value, path);
  return percentProblems(value).map((problem) => invalid(path, shown(value), problem));
}

/**
 * Validates that a percentage of pods is at most 100 %. Returns no error for a number of pods or an
 * invalid percentage.
 */
export function validateAtMostAll(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number" || percentProblems(value).length > 0) return [];
  if (parseInt(value, 10) <= 100) return [];
  return [invalid(path, shown(value), "must not be greater than 100%")];
}

/**
 * Reports whether a number or percentage of pods is zero; an absent or invalid value counts as
 * zero.
 */
export function isNone(value: IntOrPercent | undefined): boolean {
  if (typeof value !== "string") return (value ?? 0) === 0;
  const isNumber = /^[+-]?\d+%?$/.test(value);
  return !isNumber || parseInt(value, 10) === 0;
}
