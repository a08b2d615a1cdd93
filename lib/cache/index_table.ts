import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import { IndexError } from "./index_error.ts";
import type { PackedObject } from "./packed_object.ts";

/**
 * Says under which values an object is filed; none files it nowhere. It must depend on the object
 * alone. It may call `read()`; that tree is dropped afterwards.
 */
export type IndexFunc<T extends KubeObject = KubeObject> = (
  object: PackedObject<T>,
) => readonly string[];

/** What an index asks under which values an object is filed: a function, or the key, of which the value is a part. */
export type IndexSource<T extends KubeObject = KubeObject> =
  | { readonly ofObject: IndexFunc<T> }
  | { readonly ofKey: (key: ObjectKey) => string };

/** The namespace that a key begins with; empty when there is none. */
export const NAMESPACES: IndexSource = {
  ofKey: (key) => key.slice(0, Math.max(key.indexOf("/"), 0)),
};

/** What is filed under one value: mostly one key, and a set costs ten times a string. */
type Bucket = ObjectKey | Set<ObjectKey>;

/** One value, many, or none. */
type Filed = string | readonly string[] | undefined;

/**
 * One index: values, and the keys filed under each.
 *
 * It remembers where each key is filed, unless the key itself says so: thus a function runs once per
 * version and never on an old one.
 */
export class IndexTable<T extends KubeObject = KubeObject> {
  readonly #name: string;
  readonly #source: IndexSource<T>;
  readonly #buckets: Map<string, Bucket> = new Map();
  readonly #filed: Map<ObjectKey, Filed> = new Map();
  #largest = 0;

  /** Makes an empty index. */
  constructor(name: string, source: IndexSource<T>) {
    this.#name = name;
    this.#source = source;
  }

  /** How many entries the largest of its maps and sets ever had. */
  get largest(): number {
    return this.#largest;
  }

  /** Files an object, anew when it was filed before. Returns the error when the function threw. */
  file(object: PackedObject<T>): IndexError | undefined {
    const key = object.key;
    const source = this.#source;
    if ("ofKey" in source) {
      this.#add(source.ofKey(key), key);
      return undefined;
    }
    const before = this.#filed.get(key);
    let now: Filed;
    let error: IndexError | undefined;
    try {
      now = distinct(source.ofObject(object));
    } catch (cause) {
      error = new IndexError(this.#name, key, cause);
    }
    if (before !== undefined && same(before, now)) return error;
    this.#take(key, before);
    this.#put(key, now);
    return error;
  }

  /** An empty index of the same name and source. */
  emptied(): IndexTable<T> {
    return new IndexTable(this.#name, this.#source);
  }

  /** Files a key that is not filed yet as another index has it, without asking the function. */
  takeOver(key: ObjectKey, from: IndexTable<T>): void {
    this.#put(key, from.#filedOf(key));
  }

  /** Takes a key out. */
  remove(key: ObjectKey): void {
    this.#take(key, this.#filedOf(key));
    this.#filed.delete(key);
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

  #put(key: ObjectKey, filed: Filed): void {
    if (filed === undefined) {
      this.#filed.delete(key);
      return;
    }
    if ("ofObject" in this.#source) this.#filed.set(key, filed);
    if (this.#filed.size > this.#largest) this.#largest = this.#filed.size;
    for (const value of typeof filed === "string" ? [filed] : filed) this.#add(value, key);
  }

  /** Adds a key to those of a value; nothing happens when it is among them. */
  #add(value: string, key: ObjectKey): void {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, key);
    else if (typeof bucket === "object") {
      bucket.add(key);
      if (bucket.size > this.#largest) this.#largest = bucket.size;
    } else if (bucket !== key) this.#buckets.set(value, new Set([bucket, key]));
  }

  #filedOf(key: ObjectKey): Filed {
    return "ofKey" in this.#source ? this.#source.ofKey(key) : this.#filed.get(key);
  }

  #take(key: ObjectKey, filed: Filed): void {
    if (filed === undefined) return;
    for (const value of typeof filed === "string" ? [filed] : filed) {
      const bucket = this.#buckets.get(value);
      if (typeof bucket === "object") {
        bucket.delete(key);
        if (bucket.size > 0) continue;
      } else if (bucket !== key) continue;
      this.#buckets.delete(value);
    }
  }
}

function distinct(values: readonly string[]): Filed {
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
