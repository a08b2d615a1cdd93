import { noteEmpty } from "../machinery/empty_maps.ts";
import { type ApiObject, setField } from "@xca/apimachinery/internal/values";
import { BuiltinType } from "../types/builtin_type.ts";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { innerTypeOf, zeroOfCustom } from "./custom_value.ts";

/** Options of {@linkcode completeObject}. */
export interface CompleteOptions {
  /**
   * As it comes back from storage, where an empty list and none are the same: `[]` becomes `null`.
   *
   * @default {false}
   */
  readonly stored?: boolean;
}

/**
 * An object as the real server would write it: fields in the order of the type, those that are empty
 * left out or there with their zero (`status: {}`, `rules: null`) as the type has it. For an object
 * that was decoded and then changed; one without a built-in type stays as it is.
 */
export function completeObject(
  schema: TypeSchema | undefined,
  object: ApiObject,
  { stored = false }: CompleteOptions = {},
): ApiObject {
  if (!(schema instanceof BuiltinType)) return object;
  return complete(schema, object, stored) as ApiObject;
}

/** A value of a type, as the real server would write it. */
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
        // Storage knows no nil among the bytes of a map.
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
  const fields = type.fields!;
  for (const name in fields) {
    const field = fields[name]!;
    // No field has the name of something that every object has.
    const inner = value[name];
    if (inner === undefined || inner === null) {
      if (!field.omitAbsent) made[name] = zeroOf(field, stored);
    } else if (!isLeftOut(field, inner)) made[name] = complete(field, inner, stored);
    else if (typeof inner === "object") noteEmpty(made, name);
  }
  return made;
}

/** Whether a value that is there is empty. */
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

/** What a nil pointer, or the zero of a type, looks like where it is not left out. */
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
