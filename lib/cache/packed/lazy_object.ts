import { parseJson, utf8Slice } from "@xca/apimachinery/internal/base";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** Where a lazy object's members come from. */
export interface LazySource {
  /** The object's text, asked for anew each time: where it lies may change. */
  readonly text: () => Uint8Array;
  /** Where the keys begin, their quotes included; no key has an escape. */
  readonly members: readonly number[];
  /** Stands in for an `apiVersion` or `kind` that is absent or empty. */
  readonly type: { readonly apiVersion: string; readonly kind: string };
  /** Makes the error of a member whose text proves not to be JSON. */
  readonly undecodable: (cause: unknown) => Error;
}

interface Source extends LazySource {
  readonly keys: readonly string[];
}

/** Where the source is, out of sight of who walks over the members. */
const SOURCE = Symbol("source");
/** What `console.log` and loggers ask: without it they would show getters. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** One property for each key, shared by all objects, so that they share their hidden classes too. */
const properties = new Map<string, PropertyDescriptor>();
/** The keys of types are few; those of objects without a schema may be without end. */
const MAX_SHARED_PROPERTIES = 1_000;

const inspected: PropertyDescriptor = {
  value(this: object): unknown {
    try {
      return { ...this };
    } catch (error) {
      return error;
    }
  },
};

/**
 * An object whose members are parsed when first touched, for reading only. Else it is as `JSON.parse`
 * would have it: enumerated, spread, cloned, compared and printed alike. Its text must have been walked
 * over before, so that only the inside of a value can prove not to be JSON.
 */
export function lazyObject(source: LazySource): object {
  const text = source.text();
  const object = {};
  const keys: string[] = [];
  Object.defineProperty(object, SOURCE, { value: { ...source, keys } });
  Object.defineProperty(object, INSPECT, inspected);
  for (const at of source.members) {
    const key = utf8Slice(text, at + 1, endOfKey(text, at));
    keys.push(key);
    Object.defineProperty(object, key, propertyOf(key));
  }
  const { apiVersion, kind } = source.type;
  if (!keys.includes("apiVersion")) Object.defineProperty(object, "apiVersion", plain(apiVersion));
  if (!keys.includes("kind")) Object.defineProperty(object, "kind", plain(kind));
  return object;
}

function propertyOf(key: string): PropertyDescriptor {
  let property = properties.get(key);
  if (property === undefined) {
    property = {
      enumerable: true,
      configurable: true,
      get(this: { [SOURCE]: Source }): unknown {
        const value = valueOf(this[SOURCE], key);
        Reflect.defineProperty(this, key, plain(value)); // Refused when a reader froze the object.
        return value;
      },
    };
    if (properties.size < MAX_SHARED_PROPERTIES) properties.set(key, property);
  }
  return property;
}

function plain(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function valueOf(source: Source, key: string): unknown {
  let value: unknown;
  try {
    value = parseMember(source, key);
  } catch (cause) {
    throw source.undecodable(cause);
  }
  return (key === "apiVersion" || key === "kind") && !value ? source.type[key] : value;
}

function parseMember({ text, members, keys }: Source, key: string): unknown {
  const bytes = text();
  // Of a key that occurs twice the last counts, as `JSON.parse` has it.
  const index = keys.lastIndexOf(key);
  let start = endOfKey(bytes, members[index]!) + 1;
  while (bytes[start] !== COLON) start++;
  let end = members[index + 1] ?? bytes.length;
  do end--; while (bytes[end]! <= SPACE);
  // Behind the value are a comma, or the object's closing brace.
  if (bytes[end] === COMMA || index === members.length - 1) end--;
  return parseJson(utf8Slice(bytes, start + 1, end + 1));
}

function endOfKey(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(QUOTE, at + 1);
}
