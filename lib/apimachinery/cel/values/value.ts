/**
 * The values that expressions compute with. An int is a bigint, a double a number; what JavaScript has
 * no type for is a class here. An error is a value too: `false && error` is false.
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

/** Any value. */
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

/** An unsigned 64-bit integer. */
export class Uint {
  constructor(readonly value: bigint) {}
}

/** Bytes. */
export class CelBytes {
  constructor(readonly bytes: Uint8Array) {}
}

/** A span of time, in nanoseconds. */
export class CelDuration {
  constructor(readonly nanoseconds: bigint) {}
}

/** A point in time, in nanoseconds since 1970. */
export class CelTimestamp {
  constructor(readonly nanoseconds: bigint) {}
}

/** A value that may be absent. */
export class CelOptional {
  static readonly none: CelOptional = new CelOptional(undefined);
  constructor(readonly value: CelValue | undefined) {}
}

/** A type as a value. */
export class CelTypeValue {
  constructor(readonly type: CelType) {}
}

/** What went wrong. */
export class CelError {
  constructor(readonly message: string) {}
}

/** A value of a library's own type, as a quantity. */
export abstract class CelObject {
  abstract readonly type: CelType;
  /** `undefined` when the two cannot be compared. */
  abstract equals(other: CelObject): boolean;
  /** What `size` would be, for what calls cost. */
  readonly size: number = 1;
}

/** A list. Those of a schema compare and add in their own ways. */
export abstract class CelList {
  abstract readonly size: number;
  /** `index` is within the list. */
  abstract get(index: number): CelValue;
  /** Whether only an int can be an index, as in a list of the object that is checked. */
  readonly takesIntsOnly: boolean = false;
  /** How this list equals another; `undefined` is element by element. */
  equalsList?(other: CelList, equal: (a: CelValue, b: CelValue) => CelValue): CelValue;
  /** This list and another; `undefined` is one after the other. */
  addList?(other: CelList, equal: (a: CelValue, b: CelValue) => CelValue): CelList;

  *[Symbol.iterator](): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.get(index);
  }
}

/** A list of values at hand. */
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

/** A map. */
export abstract class CelMap {
  abstract readonly size: number;
  abstract keys(): Iterable<CelValue>;
  /**
   * Evaluates the value of a key in steps, for a map whose values are expressions: {@linkcode find}
   * then has it at hand.
   */
  evaluateKey?(key: string): Generator<void, void>;
  /** The value of a key; `undefined` when there is none, an error for a key of a wrong type. */
  abstract find(key: CelValue): CelValue | undefined;
}

/** A map of values at hand. */
export class ValueMap extends CelMap {
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  override get size(): number {
    return this.#entries.size;
  }

  /** Adds an entry, while the map is being made. */
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(mapKey(key), [key, value]);
  }

  override *keys(): Generator<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  override find(key: CelValue): CelValue | undefined {
    return this.#entries.get(mapKey(key))?.[1];
  }
}

/** A value that was built as one of a named type, as `Object.spec{replicas: 1}`. */
export class CelStruct extends ValueMap {
  constructor(readonly typeName: string) {
    super();
  }
}

/** Keys that are equal have the same text; numbers are, whatever their type. */
function mapKey(key: CelValue): string {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "number") return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  return `o${String(key)}`;
}

/** The type of a value, as `type(value)` gives it. */
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

/** How many elements, entries, characters or bytes; 1 for all else. Calls cost by it. */
export function sizeOf(value: CelValue): number {
  if (typeof value === "string") return characters(value);
  if (value instanceof CelBytes) return value.bytes.length;
  if (value instanceof CelList || value instanceof CelMap || value instanceof CelObject) {
    return value.size;
  }
  return 1;
}

/** The length of a text in code points. */
export function characters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) count++;
  }
  return count;
}
