/**
 * The values of CEL expressions. An int is a bigint, a double a number; types that JavaScript lacks
 * are classes here. An error is a value too: `false && error` is false.
 *
 * Mirrors `common/types/list.go, baseList`.
 *
 * @module
 */
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  LIST,
  MAP,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from "../types/cel_type.ts";

/** Any value of a CEL expression. */
export type CelValue =
  | boolean
  | string
  | bigint
  | number
  | null
  | Uint
  | CelBytes
  | CelList
  | CelMap
  | CelDuration
  | CelTimestamp
  | CelOptional
  | CelTypeValue
  | CelObject
  | CelError;

/** A CEL value: an unsigned 64-bit integer. */
export class Uint {
  constructor(readonly value: bigint) {}
}

/** A CEL value: bytes. */
export class CelBytes {
  constructor(readonly bytes: Uint8Array) {}
}

/** A CEL value: a duration in nanoseconds. */
export class CelDuration {
  constructor(readonly nanoseconds: bigint) {}
}

/** A CEL value: a timestamp in nanoseconds since 1970. */
export class CelTimestamp {
  constructor(readonly nanoseconds: bigint) {}
}

/** A CEL value: an optional, without a value for `optional.none()`. */
export class CelOptional {
  static readonly none: CelOptional = new CelOptional(undefined);
  constructor(readonly value: CelValue | undefined) {}
}

/** A CEL value: a type. */
export class CelTypeValue {
  constructor(readonly type: CelType) {}
}

/** A CEL value: an error of the evaluation. */
export class CelError {
  constructor(readonly message: string) {}
}

/** The message of the error about a key of a map literal that is bytes. */
export const BYTE_KEY = "unsupported map key type: bytes";

/** A CEL value of a type that a library defines, such as a quantity. */
export abstract class CelObject {
  abstract readonly type: CelType;
  /** Reports whether the CEL value equals another value of the same CEL type. */
  abstract equals(other: CelObject): boolean;
  /** The size of the CEL value, on which the cost of calls depends; 1 for most types. */
  readonly size: number = 1;
}

/** A CEL value: a list. Lists with a schema define their own equality and addition. */
export abstract class CelList {
  abstract readonly size: number;
  /** Returns an item of the CEL list; `index` is zero-based and within the list. */
  abstract get(index: number): CelValue;
  /**
   * Reports whether only an int can be an index of the CEL list, as for lists in an object with a
   * schema.
   */
  readonly takesIntsOnly: boolean = false;
  /**
   * Reports whether the CEL list equals another list of the same size, or returns the `CelError` of
   * a comparison. A list without this method is compared element by element.
   */
  equalsList?(other: CelList, equal: (a: CelValue, b: CelValue) => CelValue): CelValue;
  /**
   * Returns the CEL list that results from adding another list to the list. A list without this
   * method is concatenated with the other list.
   */
  addList?(other: CelList): CelValue;

  *[Symbol.iterator](): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.get(index);
  }
}

/** A CEL list of given values. */
export class ValueList extends CelList {
  constructor(readonly values: CelValue[]) {
    super();
  }

  override get size(): number {
    return this.values.length;
  }

  override get(index: number): CelValue {
    return this.values[index]!;
  }
}

/** A CEL value: a map. */
export abstract class CelMap {
  abstract readonly size: number;
  abstract keys(): Iterable<CelValue>;
  /**
   * Evaluates the value of a key in steps, for a CEL map whose values are expressions, so that
   * {@linkcode find} then returns the value at once.
   */
  evaluateKey?(key: string): Generator<void, void>;
  /**
   * Returns the value of a key in the CEL map; `undefined` if the map does not have the key. Maps
   * with a schema return a `CelError` for a key that is not a string.
   */
  abstract find(key: CelValue): CelValue | undefined;
}

/** A CEL map of given values. */
export class ValueMap extends CelMap {
  readonly #entries = new Map<unknown, readonly [CelValue, CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  override get size(): number {
    return this.#entries.size;
  }

  /**
   * Adds or replaces an entry of the CEL map; called only while a literal or a macro builds the
   * map.
   */
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(mapKey(key), [key, value]);
  }

  override *keys(): Generator<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  override find(key: CelValue): CelValue | undefined {
    const found = this.#entries.get(mapKey(key)) ??
      integersLike(key).map((each) => this.#entries.get(mapKey(each))).find(Boolean);
    return found?.[1];
  }
}

/**
 * A CEL value that an expression with the name of a struct type built, such as
 * `Object.spec{replicas: 1}`.
 */
export class CelStruct extends ValueMap {
  constructor(readonly typeName: string) {
    super();
  }
}

/**
 * Returns the JavaScript value by which a key of a CEL map is compared, as Go compares the keys of
 * a map: numbers of different types differ; lists, maps and other pointers equal only themselves,
 * and NaN equals nothing.
 */
function mapKey(key: CelValue): unknown {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `i${key}`;
  if (key instanceof Uint) return `u${key.value}`;
  if (typeof key === "number") return Number.isNaN(key) ? {} : key;
  if (key === null || typeof key === "boolean") return key;
  if (key instanceof CelDuration) return `d${key.nanoseconds}`;
  if (key instanceof CelTimestamp) return `t${key.nanoseconds}`;
  if (key instanceof CelTypeValue) return `y${key.type.name}`;
  if (key instanceof CelObject && !POINTERS.has(key.type.name)) return `o${String(key)}`;
  return key;
}

/** The types of library objects that are pointers, or contain pointers, in Go. */
const POINTERS = new Set(["kubernetes.Quantity", "kubernetes.URL"]);

/**
 * Returns the integers that are found in a CEL map as a key of another numeric type: an unsigned
 * integer for an integer and the reverse, and both for a double. Doubles are found as doubles only.
 */
function integersLike(key: CelValue): CelValue[] {
  if (key instanceof Uint) return [key.value];
  if (typeof key === "bigint") return [new Uint(key)];
  if (typeof key !== "number" || !Number.isInteger(key)) return [];
  return [BigInt(key), new Uint(BigInt(key))];
}

/** Returns the CEL type of a value, as `type(value)` does. */
export function typeOf(value: CelValue): CelType {
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "string":
      return STRING;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
  }
  if (value === null) return NULL;
  if (value instanceof Uint) return UINT;
  if (value instanceof CelBytes) return BYTES;
  if (value instanceof CelList) return LIST;
  if (value instanceof CelMap) return MAP;
  if (value instanceof CelDuration) return DURATION;
  if (value instanceof CelTimestamp) return TIMESTAMP;
  if (value instanceof CelOptional) return optionalOf(DYN);
  if (value instanceof CelTypeValue) return TYPE;
  if (value instanceof CelObject) return value.type;
  return ERROR;
}

/**
 * Returns the size of a CEL value, on which costs depend: the number of elements, entries,
 * characters or bytes; of a library's object its own `size`; 1 for other values.
 */
export function sizeOf(value: CelValue): number {
  if (typeof value === "string") return characters(value);
  if (value instanceof CelBytes) return value.bytes.length;
  if (value instanceof CelList || value instanceof CelMap || value instanceof CelObject) {
    return value.size;
  }
  return 1;
}

/** Returns the length of a text in code points. */
export function characters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) count++;
  }
  return count;
}
