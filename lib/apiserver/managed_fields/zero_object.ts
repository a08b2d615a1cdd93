import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { BuiltinType } from "../types/builtin_type.ts";

const zeros = new WeakMap<TypeSchema, JsonObject>();

/**
 * Returns the object that kube-apiserver compares a new built-in object with: an empty object of
 * its kind, with structs that are never omitted, and `null` for lists that are never omitted. The
 * creator does not own the structs themselves: `f:spec` has no `"."`, unlike `f:labels`. All calls
 * for a schema return one object, which callers must not change.
 */
export function zeroObject(schema: TypeSchema): JsonObject {
  let zero = zeros.get(schema);
  if (zero === undefined) {
    zero = zeroStruct(schema);
    zeros.set(schema, zero);
  }
  return zero;
}

function zeroStruct({ fields }: TypeSchema): JsonObject {
  const zero: JsonObject = {};
  for (const [name, type] of Object.entries(fields ?? {})) {
    if (!(type instanceof BuiltinType) || type.omitZero) continue;
    if (type.shape === "struct" && !type.pointer) zero[name] = zeroStruct(type);
    else if (type.shape === "custom" && !type.pointer) zero[name] = zeroCustom(type);
    else if (!type.omitEmpty) zero[name] = zeroValue(type);
  }
  return zero;
}

/**
 * Returns the zero value of a Go type with its own encoding, which is never omitted for being
 * empty.
 */
function zeroCustom({ format }: BuiltinType): null | string | number {
  if (format === "quantity") return "0";
  return format === "int-or-string" ? 0 : null;
}

function zeroValue({ shape, pointer }: BuiltinType): null | string | number | boolean {
  if (pointer) return null;
  switch (shape) {
    case "string":
      return "";
    case "int32":
    case "int64":
    case "float64":
      return 0;
    case "bool":
      return false;
    default:
      return null;
  }
}
