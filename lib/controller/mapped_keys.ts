import { errorText } from "@xca/apimachinery/base";
import { type ObjectKey, parseKeyOf, type ResourceType } from "@xca/apimachinery/meta";

/** The keys and the faults in a mapping function's result. */
export interface MappedKeys {
  /** The keys that can be of the controller's resource, each once. */
  readonly keys: ReadonlySet<ObjectKey>;
  /** Why the others cannot; `undefined` when there is none. */
  readonly problem: string | undefined;
}

/** Thrown for a result that is no iterable of keys: another attempt at the same object would fail alike. */
export class NoKeysError extends TypeError {}

/**
 * Checks what a mapping function returned. An operator's module may be run without a type check, and a
 * string is an iterable of its characters.
 *
 * @throws {NoKeysError} When it is no iterable of keys at all.
 * @throws {unknown} The error of an iterator of the user's.
 */
export function mappedKeys(type: ResourceType, returned: unknown): MappedKeys {
  if (typeof returned === "string") {
    throw new NoKeysError("it returned a string; return the keys in an array");
  }
  if (!isIterable(returned)) {
    throw new NoKeysError(`it returned no iterable of keys but ${kindOf(returned)}`);
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
