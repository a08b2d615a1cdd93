import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { BuiltinType } from "../types/builtin_type.ts";

const zeros = new WeakMap<TypeSchema, JsonObject>();

/**
 * What the real server compares a new built-in object with: the empty object of its kind, which has
 * the structs that are always there and `null` for lists that are never left out. What stands there
 * is not owned by the creator as a whole: `f:spec` has no `"."`, other than `f:labels`.
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

/** Types that decode themselves are structs, and so never left out for being empty. */
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
