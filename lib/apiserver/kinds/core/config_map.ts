// Mirrors `core/validation/validation.go, ValidateConfigMap`.
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { base64Length, byteLength, invalidForEach } from "@xca/apimachinery/internal/validation";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import { hasEmptyMap } from "../../machinery/empty_maps.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { configMapKeyProblems } from "../../validation/identifiers.ts";
import { sameValue } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

/**
 * The maximum size of all values of a ConfigMap or a Secret together, in bytes; keys do not count,
 * and base64 values count decoded.
 */
export const MAX_DATA_BYTES: number = 1024 * 1024;

/** The message of the error about a change to a ConfigMap or Secret that is marked immutable. */
export const IMMUTABLE = "field is immutable when `immutable` is set";

/** The field path that kube-apiserver gives in the error about the size of a ConfigMap: `[]`. */
const WHOLE_OBJECT = FieldPath.of("[]");

/** The strategy of ConfigMaps, which validates writes (registry/core/configmap, `Strategy`). */
export const configMapStrategy: KindStrategy = typedStrategy<V1ConfigMap>({
  validateCreate: validate,
  validateChange: validateImmutable,
  validateUpdate: (map) => validate(map),
});

function validate({ data = {}, binaryData = {} }: V1ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const path = FieldPath.of("data").key(key);
    errors.push(...invalidForEach(path, key, configMapKeyProblems(key)));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalid(path, key, "duplicate of key present in binaryData"));
    }
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    const path = FieldPath.of("binaryData").key(key);
    errors.push(...invalidForEach(path, key, configMapKeyProblems(key)));
    // A value may be null until the object is stored.
    size += base64Length(value ?? "");
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong(WHOLE_OBJECT, MAX_DATA_BYTES));
  return errors;
}

function validateImmutable(map: V1ConfigMap, old: V1ConfigMap): FieldError[] {
  if (!old.immutable) return [];
  const errors: FieldError[] = [];
  if (!map.immutable) errors.push(forbiddenField(FieldPath.of("immutable"), IMMUTABLE));
  for (const field of ["data", "binaryData"] as const) {
    // kube-apiserver sets an absent `data` to an empty map.
    const emptied = field === "binaryData" && !old.binaryData && hasEmptyMap(map, field);
    if (emptied || !sameValue(map[field], old[field])) {
      errors.push(forbiddenField(FieldPath.of(field), IMMUTABLE));
    }
  }
  return errors;
}
