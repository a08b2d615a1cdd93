import { errorText } from "../base/error_text.ts";
import { type ObjectKey, parseKeyOf } from "../meta/object_key.ts";
import type { ResourceType } from "../meta/resource_type.ts";

/** The keys and the faults in a mapping function's result. */
export interface MappedKeys {
  /** The keys that can be of the controller's resource, each once. */
  readonly keys: ReadonlySet<ObjectKey>;
  /** Why the others cannot; `undefined` when there is none. */
  readonly problem: string | undefined;
}

/**
 * Checks what a mapping function returned. An operator's module may be run without a type check, and a
 * string is an iterable of its characters.
 *
 * @throws {TypeError} When it is no iterable of keys at all.
 */
export function mappedKeys(type: ResourceType, returned: unknown): MappedKeys {
  if (typeof returned === "string") {
    throw new TypeError("it returned a string; return the keys in an array");
  }
  if (!isIterable(returned)) {
    throw new TypeError(`it returned no iterable of keys but ${kindOf(returned)}`);
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
