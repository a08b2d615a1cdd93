import { type FieldError, type FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { goJson } from "@xca/apimachinery/internal/values";
import { percentProblems } from "../../validation/identifiers.ts";
import { validateNonnegative } from "../../validation/numbers.ts";

/** A number of pods, or a share of all. */
export type IntOrPercent = number | string;

/** Shown by its JSON, since it may be a number or a text. */
function shown(value: IntOrPercent): IntOrPercent {
  return typeof value === "string" ? JSON.parse(goJson(value)) : value;
}

/** Checks a number that is not below zero, or a share. */
export function validateIntOrPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number") return validateNonnegative(value, path);
  return percentProblems(value).map((problem) => invalid(path, shown(value), problem));
}

/** Checks that a share is not more than all. */
export function validateAtMostAll(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number" || percentProblems(value).length > 0) return [];
  if (parseInt(value, 10) <= 100) return [];
  return [invalid(path, shown(value), "must not be greater than 100%")];
}

/** Whether it is no pods at all; what is no number counts as none. */
export function isNone(value: IntOrPercent | undefined): boolean {
  if (typeof value !== "string") return (value ?? 0) === 0;
  const isNumber = /^[+-]?\d+%?$/.test(value);
  return !isNumber || parseInt(value, 10) === 0;
}
