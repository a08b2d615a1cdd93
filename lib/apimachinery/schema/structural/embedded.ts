// Mirrors `schema/objectmeta/validation.go, Validate`.
import type { ObjectMeta } from "../../meta/object.ts";
import { type FieldError, invalid, required } from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { isMap, sortFields } from "../../values/json_values.ts";
import { dns1035LabelProblems } from "../../validation/names.ts";
import { checkEmbeddedMetadata } from "./embedded_metadata.ts";
import { ShapeError } from "./go_decode.ts";
import { itemsOf, type JsonSchema, propertyOf, rememberedSome, valuesOf } from "./json_schema.ts";
import { decodeMetadata } from "./object_meta.ts";

/** Reports whether a schema or one below it describes an embedded resource; most schemas do not. */
export const hasEmbedded: (schema: JsonSchema) => boolean = rememberedSome((schema) =>
  schema["x-kubernetes-embedded-resource"] === true
);

/**
 * Returns the field errors of the type and metadata of the embedded resources in an object, and of
 * the object itself with `isResource`.
 */
export function checkEmbedded(
  path: FieldPath,
  value: unknown,
  schema: JsonSchema | undefined,
  isResource = false,
): FieldError[] {
  if (schema === undefined || !(isResource || hasEmbedded(schema))) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return value.flatMap((item, index) => checkEmbedded(path.index(index), item, items));
  }
  if (!isMap(value)) return [];
  const errors = isResource || schema["x-kubernetes-embedded-resource"]
    ? checkResource(path, value)
    : [];
  const values = valuesOf(schema);
  for (const key of Object.keys(value)) {
    const property = propertyOf(schema, key);
    if (property) errors.push(...checkEmbedded(path.child(key), value[key], property));
    else if (values) errors.push(...checkEmbedded(path.key(key), value[key], values));
  }
  return errors;
}

function checkResource(path: FieldPath, resource: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["apiVersion", "kind"]) {
    if (!Object.hasOwn(resource, key)) errors.push(required(path.child(key)));
  }
  if (Object.hasOwn(resource, "apiVersion")) {
    errors.push(...checkApiVersion(path.child("apiVersion"), resource.apiVersion));
  }
  if (Object.hasOwn(resource, "kind")) {
    errors.push(...checkKind(path.child("kind"), resource.kind));
  }
  if (Object.hasOwn(resource, "metadata")) {
    errors.push(...checkMetadata(path.child("metadata"), resource.metadata));
  }
  return errors;
}

function checkApiVersion(path: FieldPath, value: unknown): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  if (value.split("/").length > 2) {
    return [invalid(path, value, `unexpected GroupVersion string: ${value}`)];
  }
  return [];
}

function checkKind(path: FieldPath, value: unknown): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const problems = dns1035LabelProblems(value.toLowerCase());
  if (problems.length === 0) return [];
  const why = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [invalid(path, value, why)];
}

function checkMetadata(path: FieldPath, value: unknown): FieldError[] {
  try {
    return checkEmbeddedMetadata(path, decodeMetadata(value).value as ObjectMeta);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return [invalid(path, sortFields(value), error.message)];
  }
}
