import { goType, goValue, sortTexts } from "@xca/apimachinery/internal/values";

/**
 * The error that a strategic merge patch cannot be merged. The messages mirror
 * `mergepatch/errors.go, ErrNoMergeKey` and its siblings.
 */
export class StrategicMergeError extends Error {
  override readonly name = "StrategicMergeError";

  constructor(
    message: string,
    /**
     * The HTTP status code: 400 for a malformed patch, 422 for one that does not apply, 500 if
     * kube-apiserver's error has no code.
     */
    readonly code: 400 | 422 | 500 = 500,
  ) {
    super(message);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the error about a list item of a strategic merge patch without its merge key. */
export function noMergeKey(item: Fields, key: string): StrategicMergeError {
  return new StrategicMergeError(
    `map: ${goValue(item)} does not contain declared merge key: ${key}`,
  );
}

/**
 * Returns the error about a value of the wrong JSON type in a strategic merge patch; `expected` is
 * a Go type.
 */
export function badArgument(expected: string, value: unknown): StrategicMergeError {
  return new StrategicMergeError(
    `expected a ${expected}, but received a ${goTypeText(value)}`,
  );
}

/** Returns the name of a JSON value's Go type; for null, `%!s(<nil>)`, as Go formats it. */
function goTypeText(value: unknown): string {
  return value === null || value === undefined ? "%!s(<nil>)" : goType(value);
}

/** Returns the error about an unknown `$patch` directive of a strategic merge patch. */
export function badPatchType(directive: unknown, map: Fields): StrategicMergeError {
  return new StrategicMergeError(
    `unknown patch type: ${goText(directive)} in map: ${goValue(map)}`,
  );
}

/** Formats a JSON value like Go's `%s`, which shows a number as `%!s(int64=1)`. */
function goText(value: unknown, inside = false): string {
  if (value === null || value === undefined) return inside ? "<nil>" : "%!s(<nil>)";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, true)).join(" ")}]`;
  if (typeof value !== "object") return `%!s(${goType(value)}=${goValue(value)})`;
  const names = sortTexts(Object.keys(value));
  return `map[${
    names.map((name) => `${name}:${goText((value as Fields)[name], true)}`).join(" ")
  }]`;
}

/**
 * Returns the error about a `$retainKeys` directive that is not a list, or lacks a field that the
 * patch sets.
 */
export function badRetainKeys(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of retainKeys", 400);
}

/** Returns the error about a `$setElementOrder` directive without a field name. */
export function badElementOrder(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of setElementOrder list", 400);
}

/** Returns the error about a `$deleteFromPrimitiveList` directive without a field name. */
export function badPrimitiveList(): StrategicMergeError {
  return new StrategicMergeError("invalid patch format of primitive list", 400);
}
