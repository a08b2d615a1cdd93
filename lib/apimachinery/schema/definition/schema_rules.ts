// Mirrors `apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionOpenAPISchema`.
import {
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  propertyOf,
  tupleOf,
  valuesOf,
} from "../structural/json_schema.ts";
import { internalItems } from "./internal_json.ts";

/** The position of a schema within the schema of a custom resource. */
interface Position {
  readonly isRoot: boolean;
  /** Reports whether the position in a schema is within `metadata`, `kind` or `apiVersion`. */
  readonly isInMeta: boolean;
  /**
   * The reason why default values are forbidden at the position in the schema; absent where they
   * are allowed.
   */
  readonly forbidsDefaults?: string;
}

const TYPES: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];
const TYPE_AND_METADATA: readonly string[] = ["metadata", "kind", "apiVersion"];

/**
 * Returns the field errors of a schema of a CustomResourceDefinition by the rules for all schemas,
 * structural or not.
 */
export function schemaErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkSchema(schema, path, { isRoot: true, isInMeta: false }, errors);
  return errors;
}

function checkSchema(
  schema: JsonSchema | undefined,
  path: FieldPath,
  position: Position,
  errors: FieldError[],
): void {
  if (schema === undefined) return;
  const inner = { ...position, isRoot: false };
  const check = (child: JsonSchema | undefined, at: FieldPath, where: Position = inner): void =>
    checkSchema(child, at, where, errors);
  errors.push(...checkSupport(schema, path, position));
  checkAdditional(schema, path, inner, check, errors);
  for (const [name, property] of propertiesOf(schema)) {
    const isResource = position.isRoot || schema["x-kubernetes-embedded-resource"] === true;
    const isMeta = isResource && TYPE_AND_METADATA.includes(name);
    check(property, path.child("properties").key(name), {
      ...inner,
      isInMeta: inner.isInMeta || isMeta,
      ...(isMeta && position.isRoot && { forbidsDefaults: `in top-level ${name}` }),
    });
  }
  check(schema.not, path.child("not"));
  for (const name of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, each] of (schema[name] ?? []).entries()) {
      check(each, path.child(name).index(index));
    }
  }
  for (const [name, each] of Object.entries(schema.definitions ?? {})) {
    check(each, path.child("definitions").key(name));
  }
  check(itemsOf(schema), path.child("items"));
  for (const [index, each] of tupleOf(schema).entries()) {
    check(each, path.child("items").index(index));
  }
  errors.push(...checkExtensions(schema, path));
}

function checkAdditional(
  schema: JsonSchema,
  path: FieldPath,
  inner: Position,
  check: (child: JsonSchema | undefined, at: FieldPath, where?: Position) => void,
  errors: FieldError[],
): void {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return;
  const at = path.child("additionalProperties");
  if (propertiesOf(schema).length > 0 && additionalProperties !== true) {
    errors.push(forbiddenField(at, "additionalProperties and properties are mutual exclusive"));
  }
  check(valuesOf(schema), at, {
    ...inner,
    ...(inner.isInMeta &&
      { forbidsDefaults: "inside additionalProperties applying to object metadata" }),
  });
}

function checkSupport(
  schema: JsonSchema,
  path: FieldPath,
  { isInMeta, forbidsDefaults }: Position,
): FieldError[] {
  const errors: FieldError[] = [];
  const { type = "" } = schema;
  const forbid = (field: string, why = `${field} is not supported`): void =>
    void errors.push(forbiddenField(path.child(field), why));
  if (type !== "" && !TYPES.includes(type)) {
    errors.push(notSupported(path.child("type"), type, TYPES));
  }
  if (hasDefault(schema) && forbidsDefaults !== undefined) {
    forbid("default", `must not be set ${forbidsDefaults}`);
  }
  if (schema.id) forbid("id");
  if (schema.additionalItems !== undefined) forbid("additionalItems");
  if (Object.keys(schema.patternProperties ?? {}).length > 0) forbid("patternProperties");
  if (Object.keys(schema.definitions ?? {}).length > 0) forbid("definitions");
  if (schema.dependencies !== undefined) forbid("dependencies");
  if (schema.$ref !== undefined) forbid("$ref");
  if (type === "null") {
    forbid("type", "type cannot be set to null, use nullable as an alternative");
  }
  if (tupleOf(schema).length > 0) {
    forbid("items", "items must be a schema object and not an array");
  }
  if (isInMeta && schema["x-kubernetes-embedded-resource"]) {
    forbid("x-kubernetes-embedded-resource", "must not be used inside of resource meta");
  }
  if (schema.uniqueItems) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    forbid("uniqueItems", why);
  }
  return errors;
}

function checkExtensions(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const at = path.child("x-kubernetes-preserve-unknown-fields");
    errors.push(invalid(at, false, "must be true or undefined"));
  }
  errors.push(...checkMapType(schema, path));
  errors.push(...checkListType(schema, path));
  errors.push(...checkListMapKeys(schema, path));
  if (schema["x-kubernetes-list-type"] === "map") errors.push(...checkListMap(schema, path));
  errors.push(...mapKeyErrors(schema, path));
  return errors;
}

function checkWantedType(
  schema: JsonSchema,
  path: FieldPath,
  wanted: string,
  extension: string,
): FieldError[] {
  const { type = "" } = schema;
  if (type === wanted) return [];
  const why = `must be ${wanted} if ${extension} is specified`;
  const at = path.child("type");
  return [type === "" ? required(at, why) : invalid(at, type, why)];
}

function checkMapType(schema: JsonSchema, path: FieldPath): FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return [];
  const errors = checkWantedType(schema, path, "object", "x-kubernetes-map-type");
  const types = ["atomic", "granular"];
  if (!types.includes(mapType)) {
    errors.push(notSupported(path.child("x-kubernetes-map-type"), mapType, types));
  }
  return errors;
}

function checkListType(schema: JsonSchema, path: FieldPath): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === undefined) return [];
  const errors = checkWantedType(schema, path, "array", "x-kubernetes-list-type");
  const items = itemsOf(schema);
  if (errors.length === 0 && items && isSetOfParts(schema)) {
    const field = items.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
    errors.push(invalid(
      path.child("items").child(field),
      items["x-kubernetes-list-type"],
      "must be atomic as item of a list with x-kubernetes-list-type=set",
    ));
  }
  const types = ["atomic", "set", "map"];
  if (!types.includes(listType)) {
    errors.push(notSupported(path.child("x-kubernetes-list-type"), listType, types));
  }
  return errors;
}

/** Reports whether a schema is a list of type `set` whose items are neither scalars nor atomic. */
function isSetOfParts(schema: JsonSchema): boolean {
  const items = itemsOf(schema);
  if (schema["x-kubernetes-list-type"] !== "set" || !items) return false;
  if (items.type === "array") return (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic";
  return items.type === "object" && items["x-kubernetes-map-type"] !== "atomic";
}

function checkListMapKeys(schema: JsonSchema, path: FieldPath): FieldError[] {
  if (!schema["x-kubernetes-list-map-keys"]?.length) return [];
  const why = "must be map if x-kubernetes-list-map-keys is non-empty";
  const listType = schema["x-kubernetes-list-type"];
  const at = path.child("x-kubernetes-list-type");
  if (listType === undefined) return [required(at, why)];
  return listType === "map" ? [] : [invalid(at, listType, why)];
}

function checkListMap(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const items = itemsOf(schema);
  const keysPath = path.child("x-kubernetes-list-map-keys");
  const itemsPath = path.child("items");
  if (keys.length === 0) {
    errors.push(required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (schema.items === undefined) {
    errors.push(required(itemsPath, "must have a schema if x-kubernetes-list-type is map"));
  } else if (items === undefined) {
    const why = "must only have a single schema if x-kubernetes-list-type is map";
    errors.push(invalid(itemsPath, internalItems(schema), why));
  } else if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(itemsPath.child("type"), items.type ?? "", why));
  } else {
    const seen = new Set<string>();
    for (const key of keys) {
      const property = propertyOf(items, key);
      if (!property) {
        errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
      } else if (property.type === "array" || property.type === "object") {
        errors.push(invalid(
          itemsPath.child("properties").key(key).child("type"),
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ));
      }
      if (seen.has(key)) {
        errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
      }
      seen.add(key);
    }
  }
  return errors;
}

/**
 * Returns the field errors of nullable items in lists of type `set` and `map`, and of keys of lists
 * of type `map` that are nullable, or neither required nor have defaults.
 */
function mapKeyErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  const listType = schema["x-kubernetes-list-type"];
  if (!items || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(path.child("items").child("nullable"), why));
  }
  if (listType === "set") return errors;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const at = path.child("items").child("properties").key(key);
    if (!items.required?.includes(key) && !hasDefault(property)) {
      errors.push(required(
        at.child("default"),
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a " +
          "required property",
      ));
    }
    if (property.nullable) {
      const why = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      errors.push(forbiddenField(at.child("nullable"), why));
    }
  }
  return errors;
}
