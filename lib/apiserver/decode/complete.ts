import { noteEmpty } from "../machinery/empty_maps.ts";
import { type ApiObject, setField } from "@xca/apimachinery/internal/values";
import { BuiltinType } from "../types/builtin_type.ts";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { innerTypeOf, zeroOfCustom } from "./custom_value.ts";

/**
 * Options of {@linkcode completeObject}, which writes an object with the fields that kube-apiserver
 * would write.
 */
export interface CompleteOptions {
  /**
   * Sets whether the object is returned in the form in which it is read from storage: an empty list
   * or map that is not left out becomes `null`, and `null` in a map of bytes becomes an empty
   * string.
   *
   * @default {false}
   */
  readonly stored?: boolean;
}

/**
 * Returns an object as kube-apiserver would write it: fields in the order of the type, empty ones
 * left out or set to their zero value (`status: {}`, `rules: null`), as the type defines it. This
 * is needed for objects that were changed after decoding. An object without a built-in type is
 * returned unchanged.
 */
export function completeObject(
  schema: TypeSchema | undefined,
  object: ApiObject,
  { stored = false }: CompleteOptions = {},
): ApiObject {
  if (!(schema instanceof BuiltinType)) return object;
  return complete(schema, object, stored) as ApiObject;
}

/**
 * Returns a value of a built-in type, such as a `spec`, as kube-apiserver would write it; with
 * `stored`, in the form of {@linkcode CompleteOptions.stored}.
 */
export function complete(type: BuiltinType, value: unknown, stored = false): unknown {
  if (value === undefined || value === null) return zeroOf(type, stored);
  switch (type.shape) {
    case "struct":
      return structOf(type, value as Record<string, unknown>, stored);
    case "map": {
      const entries = Object.entries(value as Record<string, unknown>);
      if (stored && entries.length === 0) return null;
      const values = type.values!;
      const made: Record<string, unknown> = {};
      for (const [key, inner] of entries) {
        // Storage has no nil values in a map of bytes.
        const nil = stored && (inner ?? null) === null && values.shape === "bytes";
        setField(made, key, nil ? "" : complete(values, inner, stored));
      }
      return made;
    }
    case "list": {
      const list = value as unknown[];
      if (stored && list.length === 0) return null;
      const items = type.items!;
      return list.map((item) => complete(items, item, stored));
    }
    case "custom": {
      const inner = innerTypeOf(type, value);
      return inner ? complete(inner, value, false) : value;
    }
    default:
      return value;
  }
}

function structOf(
  type: BuiltinType,
  value: Record<string, unknown>,
  stored: boolean,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, field] of type.fieldList) {
    // No field is named like a member of `Object.prototype`.
    const inner = value[name];
    if (inner === undefined || inner === null) {
      if (!field.omitAbsent) made[name] = zeroOf(field, stored);
    } else if (!isLeftOut(field, inner)) made[name] = complete(field, inner, stored);
    else if (typeof inner === "object") noteEmpty(made, name);
  }
  return made;
}

/** Reports whether a field is left out because its present value is empty (Go's `omitempty`). */
function isLeftOut(field: BuiltinType, value: unknown): boolean {
  if (!field.omitEmpty || field.pointer) return false;
  switch (field.shape) {
    case "string":
    case "bytes":
      return value === "";
    case "bool":
      return value === false;
    case "int32":
    case "int64":
    case "float64":
      return value === 0;
    case "list":
      return (value as unknown[]).length === 0;
    case "map":
      return isEmpty(value as object);
    default:
      return false;
  }
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/**
 * Returns the JSON value of a nil pointer, or of the zero value of a built-in type, for a field
 * that is not left out when it is empty.
 */
function zeroOf(type: BuiltinType, stored: boolean): unknown {
  if (type.pointer) return null;
  switch (type.shape) {
    case "struct":
      return structOf(type, {}, stored);
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
      return 0;
    case "custom":
      return zeroOfCustom(type);
    default:
      return null;
  }
}
