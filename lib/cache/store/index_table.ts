import { ignoreRejection } from "@xca/apimachinery/internal/base";
import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { IndexError } from "./index_error.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * A function that returns the values under which a cache index lists an object; an empty array
 * leaves the object out. The result must depend on the object alone. The function may call
 * `read()`.
 */
export type IndexFunc<T extends KubeObject = KubeObject> = (
  object: PackedObject<T>,
) => readonly string[];

/**
 * The source of a cache index's values: a function of the user, or a function that returns a part
 * of the object's key, such as its namespace, so that the index need not store the value.
 */
export type IndexSource<T extends KubeObject = KubeObject> =
  | { readonly valuesOf: IndexFunc<T> }
  | { readonly factOf: (object: PackedObject<T>) => string };

/**
 * The object keys that an index lists under one value. A value mostly has one key, and a set takes
 * ten times the memory of a string.
 */
type Bucket = ObjectKey | Set<ObjectKey>;

/**
 * The values under which an index lists one object: a string for one value, an array of distinct
 * strings for several, `undefined` for none.
 */
type Filed = string | readonly string[] | undefined;

/**
 * One index of a cache: values, and the object keys listed under each.
 *
 * The table remembers the values of each key, unless they follow from the key ({@linkcode
 * IndexSource}). An index function thus runs once per stored version, and never on a replaced
 * version.
 */
export class IndexTable<T extends KubeObject = KubeObject> {
  readonly #name: string;
  readonly #source: IndexSource<T>;
  readonly #buckets: Map<string, Bucket> = new Map();
  readonly #filed: Map<ObjectKey, Filed> = new Map();
  readonly #failed: Set<ObjectKey> = new Set();
  #grown = 0;

  constructor(name: string, source: IndexSource<T>) {
    this.#name = name;
    this.#source = source;
  }

  /**
   * Number of entries of the largest map or set of the index to which the last call of `file` or
   * `takeOver` added something; 0 if nothing was added. The caller passes it to `growsNext`.
   */
  get grown(): number {
    return this.#grown;
  }

  /**
   * Adds an object to the index, or replaces the values listed for its key. If the index function
   * throws, or returns anything but an array of strings, the index does not list the object;
   * returns the error then, and otherwise `undefined`.
   */
  file(object: PackedObject<T>): IndexError | undefined {
    const { key } = object;
    const source = this.#source;
    this.#grown = 0;
    if ("factOf" in source) {
      this.#add(source.factOf(object), key);
      return undefined;
    }
    const before = this.#filed.get(key);
    let now: Filed;
    let error: IndexError | undefined;
    try {
      now = distinct(ignoreRejection(source.valuesOf(object)));
    } catch (cause) {
      error = new IndexError(this.#name, key, cause);
    }
    this.#noteFailed(key, error !== undefined);
    if (before !== undefined && same(before, now)) return error;
    this.#take(key, before);
    this.#put(key, now);
    return error;
  }

  /** Returns an empty index with the same name and source as this one. */
  emptied(): IndexTable<T> {
    return new IndexTable(this.#name, this.#source);
  }

  /**
   * Adds an object to this index, which must not list its key yet, with the values and the failure
   * that another index has recorded for the key, without calling the index function.
   */
  takeOver(object: PackedObject<T>, from: IndexTable<T>): void {
    this.#grown = 0;
    this.#put(object.key, from.#filedOf(object));
    this.#noteFailed(object.key, from.#failed.has(object.key));
  }

  /** Removes an object's key from the index, and from the failures. */
  remove(object: PackedObject<T>): void {
    this.#take(object.key, this.#filedOf(object));
    this.#filed.delete(object.key);
    this.#failed.delete(object.key);
  }

  /** Returns the object keys that the index lists under a value; empty if there are none. */
  keys(value: string): ObjectKey[] {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return [];
    return typeof bucket === "string" ? [bucket] : [...bucket];
  }

  /** Returns every value under which the index lists at least one object. */
  values(): string[] {
    return [...this.#buckets.keys()];
  }

  /**
   * Returns the keys of the objects for whose current version the index function threw, or returned
   * anything but an array of strings.
   */
  failed(): ObjectKey[] {
    return [...this.#failed];
  }

  #noteFailed(key: ObjectKey, isFailed: boolean): void {
    if (isFailed) this.#noteGrown(this.#failed.add(key).size);
    else this.#failed.delete(key);
  }

  #put(key: ObjectKey, filed: Filed): void {
    if (filed === undefined) {
      this.#filed.delete(key);
      return;
    }
    if ("valuesOf" in this.#source) this.#noteGrown(this.#filed.set(key, filed).size);
    for (const value of typeof filed === "string" ? [filed] : filed) this.#add(value, key);
  }

  /** Lists an object key under a value of the index, unless it is there already. */
  #add(value: string, key: ObjectKey): void {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#noteGrown(this.#buckets.set(value, key).size);
    else if (typeof bucket === "object") this.#noteGrown(bucket.add(key).size);
    else if (bucket !== key) this.#buckets.set(value, new Set([bucket, key]));
  }

  #noteGrown(size: number): void {
    if (size > this.#grown) this.#grown = size;
  }

  #filedOf(object: PackedObject<T>): Filed {
    const source = this.#source;
    return "factOf" in source ? source.factOf(object) : this.#filed.get(object.key);
  }

  #take(key: ObjectKey, filed: Filed): void {
    if (filed === undefined) return;
    for (const value of typeof filed === "string" ? [filed] : filed) {
      const bucket = this.#buckets.get(value);
      if (bucket === undefined) continue;
      if (typeof bucket !== "string") {
        bucket.delete(key);
        if (bucket.size > 0) continue;
      }
      this.#buckets.delete(value);
    }
  }
}

/**
 * Returns the values that an index function returned, without duplicates; a single value as a
 * string, and `undefined` for none.
 *
 * @throws {TypeError} If an index function that was not type-checked returned anything but an
 * array of strings.
 */
function distinct(values: readonly string[]): Filed {
  if (!Array.isArray(values) || values.some((value) => typeof value !== "string")) {
    throw new TypeError("an index function must return an array of strings");
  }
  if (values.length === 0) return undefined;
  if (values.length === 1) return values[0];
  const set = [...new Set(values)];
  return set.length === 1 ? set[0] : set;
}

function same(a: Filed, b: Filed): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
