// Mirrors `registry/customresource/validator.go, customResourceValidator.ValidateScaleSpec`.
import { type FieldError, invalid } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import type { ScalePaths } from "../definition/definition.ts";
import { AccessorError, nestedInteger, nestedText } from "./nested_field.ts";

const MAX_REPLICAS = 2 ** 31 - 1;

/**
 * Returns the field errors of the desired number of replicas of a custom object with a scale
 * subresource; none without `scale`. An absent number counts as 0.
 */
export function scaleSpecErrors(object: unknown, scale: ScalePaths | undefined): FieldError[] {
  return scale ? replicasErrors(object, scale.specReplicasPath) : [];
}

/**
 * Returns the field errors of the actual number of replicas, and of the type of the selector, of a
 * custom object with a scale subresource; none without `scale`. An absent number counts as 0, and
 * the selector may be absent.
 */
export function scaleStatusErrors(object: unknown, scale: ScalePaths | undefined): FieldError[] {
  if (!scale) return [];
  const errors = replicasErrors(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (!labelSelectorPath) return errors;
  try {
    nestedText(object, labelSelectorPath);
  } catch (error) {
    if (!(error instanceof AccessorError)) throw error;
    errors.push(invalid(FieldPath.of(labelSelectorPath), "", error.message));
  }
  return errors;
}

function replicasErrors(object: unknown, path: string): FieldError[] {
  const at = FieldPath.of(path);
  try {
    const replicas = nestedInteger(object, path) ?? 0;
    if (replicas < 0) return [invalid(at, replicas, "should be a non-negative integer")];
    if (replicas > MAX_REPLICAS) {
      return [invalid(at, replicas, `should be less than or equal to ${MAX_REPLICAS}`)];
    }
    return [];
  } catch (error) {
    if (!(error instanceof AccessorError)) throw error;
    return [invalid(at, 0, error.message)];
  }
}
