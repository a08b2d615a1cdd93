import { goType, goValue } from "@xca/apimachinery/internal/values";

/** A strategic merge patch that cannot be merged. */
export class StrategicMergeError extends Error {
  override readonly name = "StrategicMergeError";

  constructor(
    message: string,
    /** 400: the patch is malformed; 422: unfit; 500: the real server has no code for it. */
    readonly code: 400 | 422 | 500 = 500,
  ) {
    super(message);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A list item without the field that identifies it. */
export function noMergeKey(item: Fields, key: string): StrategicMergeError {
  return new StrategicMergeError(
    `map: ${goValue(item)} does not contain declared merge key: ${key}`,
  );
}

/** A value of the wrong JSON type; `expected` is a Go type. */
export function badArgument(expected: string, value: unknown): StrategicMergeError {
  return new StrategicMergeError(
    `expected a ${expected}, but received a ${goTypeText(value)}`,
  );
}

/** The type of a value as `%s` prints it, which finds none of nothing. */
function goTypeText(value: unknown): string {
  return value === null || value === undefined ? "%!s(<nil>)" : goType(value);
}

/** A `$patch` that says nothing known. */
export function badPatchType(directive: unknown, map: Fields): StrategicMergeError {
  return new StrategicMergeError(
    `unknown patch type: ${goText(directive)} in map: ${goValue(map)}`,
  );
}

/** As `%s` prints a value, which is meant for texts. */
function goText(value: unknown, inside = false): string {
  if (value === null || value === undefined) return inside ? "<nil>" : "%!s(<nil>)";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, true)).join(" ")}]`;
  if (typeof value !== "object") return `%!s(${goType(value)}=${goValue(value)})`;
  const names = Object.keys(value).sort();
  return `map[${
    names.map((name) => `${name}:${goText((value as Fields)[name], true)}`).join(" ")
  }]`;
}

/** `$retainKeys` that is no list, or does not name what the patch sets. */
export function badRetainKeys(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of retainKeys", 400);
}

/** `$setElementOrder` that names no field or has no list. */
export function badElementOrder(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of setElementOrder list", 400);
}

/** `$deleteFromPrimitiveList` that names no field. */
export function badPrimitiveList(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of primitive list", 400);
}
