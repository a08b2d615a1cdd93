import { goType, goValue, isMap } from "@xca/apimachinery/internal/values";

/** A value on the way, or at the end, has another type. The message is the real server's. */
export class AccessorError extends Error {
  override readonly name = "AccessorError";
}

/** The names in a path as `.spec.replicas`. */
function fieldsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/**
 * The value at a path; `undefined` when it is not there.
 * @throws {AccessorError} When there is something on the way that has no fields.
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

/** The whole number at a path. @throws {AccessorError} When something else is there. */
export function nestedInteger(object: unknown, path: string): number | undefined {
  const value = nestedField(object, path);
  if (value === undefined || (typeof value === "number" && Number.isInteger(value))) return value;
  throw wrongType(fieldsOf(path), value, "int64");
}

/** The text at a path. @throws {AccessorError} When something else is there. */
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
