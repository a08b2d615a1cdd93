import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { IndexError } from "./index_error.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * Says under which values an object is filed; none files it nowhere. It must depend on the object
 * alone. It may call `read()`; that tree is dropped afterwards.
 */
export type IndexFunc<T extends KubeObject = KubeObject> = (
  object: PackedObject<T>,
) => readonly string[];

/**
 * What tells an index under which values an object is filed: somebody's function, or a fact that every
 * object of the same key has in common and that is there for nothing.
 */
export type IndexSource<T extends KubeObject = KubeObject> =
  | { readonly valuesOf: IndexFunc<T> }
  | { readonly factOf: (object: PackedObject<T>) => string };

/** What is filed under one value: mostly one key, and a set costs ten times a string. */
type Bucket = ObjectKey | Set<ObjectKey>;

/** One value, many, or none. */
type Filed = string | readonly string[] | undefined;

/**
 * One index: values, and the keys filed under each.
 *
 * It remembers where each key is filed, unless a fact says so: thus a function runs once per version
 * and never on an old one.
 */
export class IndexTable<T extends KubeObject = KubeObject> {
  readonly #name: string;
  readonly #source: IndexSource<T>;
  readonly #buckets: Map<string, Bucket> = new Map();
  readonly #filed: Map<ObjectKey, Filed> = new Map();
  readonly #failed: Set<ObjectKey> = new Set();
  #grown = 0;

  /** Makes an empty index. */
  constructor(name: string, source: IndexSource<T>) {
    this.#name = name;
    this.#source = source;
  }

  /** How many entries the largest map or set has that the last object was added to; 0 if none. */
  get grown(): number {
    return this.#grown;
  }

  /** Files an object, anew when it was filed before. Returns the error when the function threw. */
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
      now = distinct(source.valuesOf(object));
    } catch (cause) {
      error = new IndexError(this.#name, key, cause);
    }
    this.#noteFailed(key, error !== undefined);
    if (before !== undefined && same(before, now)) return error;
    this.#take(key, before);
    this.#put(key, now);
    return error;
  }

  /** An empty index of the same name and source. */
  emptied(): IndexTable<T> {
    return new IndexTable(this.#name, this.#source);
  }

  /** Files an object that is not filed yet as another index has it, without asking the function. */
  takeOver(object: PackedObject<T>, from: IndexTable<T>): void {
    this.#grown = 0;
    this.#put(object.key, from.#filedOf(object));
    this.#noteFailed(object.key, from.#failed.has(object.key));
  }

  /** Takes an object out. */
  remove(object: PackedObject<T>): void {
    this.#take(object.key, this.#filedOf(object));
    this.#filed.delete(object.key);
    this.#failed.delete(object.key);
  }

  /** The keys filed under a value. */
  keys(value: string): ObjectKey[] {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) return [];
    return typeof bucket === "string" ? [bucket] : [...bucket];
  }

  /** Every value that at least one key is filed under. */
  values(): string[] {
    return [...this.#buckets.keys()];
  }

  /** The keys of the objects whose current version the function threw on. */
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

  /** Adds a key to those of a value; nothing happens when it is among them. */
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

/** @throws {TypeError} When a function that was not type-checked returned something else. */
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
