import { goType, goValue } from "../../values/go_values.ts";
import { isMap } from "../../values/json_values.ts";

/**
 * The error about a value at or before the end of a field path whose type is not the expected one.
 * The message is kube-apiserver's (`meta/v1/unstructured/helpers.go, NestedFieldNoCopy`).
 */
export class AccessorError extends Error {
  override readonly name = "AccessorError";
}

/** Splits a field path, such as `.spec.replicas`, into field names. */
function fieldsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/**
 * Returns the value at a field path of an object; `undefined` if there is none.
 *
 * @throws {AccessorError} If a value before the end of the path is not an object.
 */
export function nestedField(object: unknown, path: string): unknown {
  let value = object;
  for (const [index, name] of fieldsOf(path).entries()) {
    if (!isMap(value)) {
      throw wrongType(fieldsOf(path).slice(0, index + 1), value, "map[string]interface{}");
    }
    if (!Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Returns the integer at a field path of an object; `undefined` if there is none.
 *
 * @throws {AccessorError} If the value has another type, or a value before the end of the path is
 * not an object.
 */
export function nestedInteger(object: unknown, path: string): number | undefined {
  const value = nestedField(object, path);
  if (value === undefined || (typeof value === "number" && Number.isInteger(value))) return value;
  throw wrongType(fieldsOf(path), value, "int64");
}

/**
 * Returns the string at a field path of an object; `undefined` if there is none.
 *
 * @throws {AccessorError} If the value has another type, or a value before the end of the path is
 * not an object.
 */
export function nestedText(object: unknown, path: string): string | undefined {
  const value = nestedField(object, path);
  if (value === undefined || typeof value === "string") return value;
  throw wrongType(fieldsOf(path), value, "string");
}

function wrongType(names: readonly string[], value: unknown, wanted: string): AccessorError {
  return new AccessorError(
    `.${names.join(".")} accessor error: ${goValue(value)} is of the type ${goType(value)}, ` +
      `expected ${wanted}`,
  );
}
