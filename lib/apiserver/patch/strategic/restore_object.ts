/**
 * Converts the result of a strategic merge to an object of its built-in type. Unlike decoding, it
 * converts numbers, and has other error messages (`runtime/converter.go,
 * DefaultUnstructuredConverter`).
 *
 * @module
 */
import { isStackOverflow } from "@xca/apimachinery/internal/errors";
import { canonicalBase64 } from "../../decode/base64.ts";
import { decodeCustom } from "../../decode/custom_value.ts";
import { GoDecoder } from "../../decode/go_decoder.ts";
import { goQuote, goType, isMap, setField, sortTexts } from "@xca/apimachinery/internal/values";
import type { BuiltinType } from "../../types/builtin_type.ts";

/** The error that a value cannot be converted to its built-in type. */
export class RestoreError extends Error {
  override readonly name = "RestoreError";
}

/** The result of {@linkcode restoreObject}: an object of its built-in type. */
export interface Restored {
  readonly object: unknown;
  /** The errors about unknown fields of the object, such as `unknown field "spec.foo"`, sorted. */
  readonly unknownFields: readonly string[];
}

/** Converts the result of a strategic merge to a built-in type. @throws {RestoreError} */
export function restoreObject(type: BuiltinType, value: unknown): Restored {
  const restoring = new Restoring();
  const object = restoring.value(type, value, "");
  return { object, unknownFields: sortTexts(restoring.unknownFields) };
}

class Restoring {
  readonly unknownFields: string[] = [];

  value(type: BuiltinType, value: unknown, path: string): unknown {
    if (value === null || value === undefined) return undefined;
    switch (type.shape) {
      case "struct":
        return this.#struct(type, value, path);
      case "map":
        return this.#map(type, value, path);
      case "list":
        return this.#list(type, value, path);
      case "bytes":
        return bytes(value);
      case "custom":
        return custom(type, value);
      case "any":
        return value;
      default:
        return scalar(type, value);
    }
  }

  #struct(type: BuiltinType, value: unknown, path: string): unknown {
    if (!isMap(value)) throw new RestoreError(`cannot restore struct from: ${kindOf(value)}`);
    const fields = type.fields!;
    const restored: Record<string, unknown> = {};
    const at = (name: string) => path === "" ? name : `${path}.${name}`;
    // In the order of the type, so that the first of several errors is kube-apiserver's.
    for (const name in fields) {
      if (!Object.hasOwn(value, name)) continue;
      restored[name] = this.value(fields[name]!, value[name], at(name));
    }
    for (const name of Object.keys(value)) {
      if (name in fields) continue;
      this.unknownFields.push(`unknown field ${goQuote(at(name))}`);
    }
    return restored;
  }

  #map(type: BuiltinType, value: unknown, path: string): unknown {
    if (!isMap(value)) throw new RestoreError(`cannot restore map from ${kindOf(value)}`);
    const restored: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      setField(restored, name, this.value(type.values!, value[name], path));
    }
    return restored;
  }

  #list(type: BuiltinType, value: unknown, path: string): unknown {
    if (!Array.isArray(value)) throw new RestoreError(`cannot restore slice from ${kindOf(value)}`);
    return value.map((item, index) => this.value(type.items!, item, `${path}[${index}]`));
  }
}

function bytes(value: unknown): string {
  if (typeof value !== "string") {
    throw new RestoreError(`cannot restore slice from ${kindOf(value)}`);
  }
  try {
    return canonicalBase64(value);
  } catch (error) {
    throw new RestoreError(`error decoding from json: ${(error as Error).message}`);
  }
}

function custom(type: BuiltinType, value: unknown): unknown {
  try {
    return decodeCustom(type, value, (inner, raw) => new GoDecoder(false).decode(inner, raw));
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    throw new RestoreError((error as Error).message);
  }
}

/**
 * Converts a JSON scalar to a built-in type. Only numbers are converted to other types of numbers;
 * an `int32` wraps around. Throws a {@linkcode RestoreError} for any other type.
 */
function scalar(type: BuiltinType, value: unknown): unknown {
  const { shape } = type;
  const goName = type.goName.replace(/^\*/, "");
  const refuse = () => new RestoreError(`cannot convert ${kindOf(value)} to ${goName}`);
  if (shape === "string" && typeof value === "string") return value;
  if (shape === "bool" && typeof value === "boolean") return value;
  if (typeof value === "number") {
    const integer = Number.isInteger(value);
    if (shape === "string" && integer) throw refuse();
    if (shape === "float64") return value;
    if (shape === "int32" || shape === "int64") {
      if (!integer) throw refuse();
      return shape === "int32" ? value | 0 : value;
    }
  }
  throw new RestoreError(`unrecognized type: ${shape}`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  return isMap(value) ? "map" : goType(value);
}
