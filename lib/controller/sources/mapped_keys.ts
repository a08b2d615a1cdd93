import { errorText } from "@xca/apimachinery/base";
import { type ObjectKey, parseKeyOf, type ResourceType } from "@xca/apimachinery/meta";

/** The checked result of a mapping function. */
export interface MappedKeys {
  /** The valid keys that the mapping function returned, each once. */
  readonly keys: ReadonlySet<ObjectKey>;
  /** The error message of the first invalid key; `undefined` when all returned keys are valid. */
  readonly problem: string | undefined;
}

/**
 * The error of a mapping function whose result is not an iterable of keys. Another call for the
 * same object would fail in the same way.
 */
export class NoKeysError extends TypeError {}

/**
 * Returns the valid keys in the result of a mapping function, and the error message of the first
 * invalid key. A module may be run without a type check, and a string is an iterable of its
 * characters.
 *
 * @throws {NoKeysError} When the result is not an iterable of keys.
 * @throws {unknown} The error of an iterator that the user wrote.
 */
export function mappedKeys(type: ResourceType, returned: unknown): MappedKeys {
  if (typeof returned === "string") {
    throw new NoKeysError("the function returned a string; return the keys in an array");
  }
  if (!isIterable(returned)) {
    throw new NoKeysError(`the function returned ${kindOf(returned)}, not an iterable of keys`);
  }
  const keys = new Set<ObjectKey>();
  let problem: string | undefined;
  for (const key of returned) {
    try {
      parseKeyOf(type, key as ObjectKey);
      keys.add(key as ObjectKey);
    } catch (error) {
      problem ??= errorText(error);
    }
  }
  return { keys, problem };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === "function";
}

function kindOf(value: unknown): string {
  return value === null
    ? "null"
    : value === undefined
    ? "nothing"
    : `a value of type ${typeof value}`;
}
