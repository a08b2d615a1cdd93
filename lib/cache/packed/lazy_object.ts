import { parseJson, utf8Slice } from "@xca/apimachinery/internal/base";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The source of the JSON text from which a lazily parsed object parses its members. */
export interface LazySource {
  /**
   * Returns the decoded JSON text of the lazily parsed object. Called once at the creation of the
   * object, and at the first read of each member.
   */
  readonly text: () => Uint8Array;
  /**
   * Byte offsets of the keys of the object's top-level members in its JSON text, at their opening
   * quotes. No key has an escape.
   */
  readonly members: readonly number[];
  /** The values for an absent or empty `apiVersion` or `kind` of the lazily parsed object. */
  readonly type: { readonly apiVersion: string; readonly kind: string };
  /** Creates the error for a member of the lazily parsed object whose text is not JSON. */
  readonly undecodable: (cause: unknown) => Error;
}

interface Source extends LazySource {
  readonly keys: readonly string[];
}

/**
 * The property key under which a lazily parsed object holds its source. A symbol, so that
 * enumeration skips it.
 */
const SOURCE = Symbol("source");
/**
 * The symbol of the function that `console.log` and loggers call to print an object; without it
 * they would print a lazy object's getters.
 */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * The property descriptors of lazily parsed objects, one per key, shared so that the objects share
 * hidden classes.
 */
const properties = new Map<string, PropertyDescriptor>();
/**
 * Number of shared property descriptors above which no more are kept. The keys of types are few,
 * those of objects without a schema may be unbounded.
 */
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
 * Returns an object whose top-level members are parsed when they are first read, and which callers
 * must not change. `apiVersion` and `kind` are those of `source.type` where the text has none or an
 * empty one. Otherwise it behaves as a result of `JSON.parse`: it enumerates, spreads, clones,
 * compares and prints alike. The text must have been scanned before, so that only the inside of a
 * value can turn out not to be JSON.
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
  // The last of duplicate keys counts, as in `JSON.parse`.
  const index = keys.lastIndexOf(key);
  let start = endOfKey(bytes, members[index]!) + 1;
  while (bytes[start] !== COLON) start++;
  let end = members[index + 1] ?? bytes.length;
  do end--; while (bytes[end]! <= SPACE);
  // The value is followed by a comma, or by the closing brace of the object.
  if (bytes[end] === COMMA || index === members.length - 1) end--;
  return parseJson(utf8Slice(bytes, start + 1, end + 1));
}

function endOfKey(bytes: Uint8Array, at: number): number {
  return bytes.indexOf(QUOTE, at + 1);
}
