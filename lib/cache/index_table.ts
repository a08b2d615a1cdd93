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

/** What is filed under one value: mostly one key, and a set costs ten times a string. */
type Bucket = ObjectKey | Set<ObjectKey>;

/** One value, many, or none. */
type Filed = string | readonly string[] | undefined;

/**
 * One index: values, and the keys filed under each.
 *
 * It remembers where each key is filed, so the function runs once per version and never on an old one.
 */
export class IndexTable<T extends KubeObject = KubeObject> {
  readonly #name: string;
  readonly #valuesOf: IndexFunc<T>;
  readonly #buckets: Map<string, Bucket> = new Map();
  readonly #filed: Map<ObjectKey, Filed> = new Map();

  /** Makes an empty index. */
  constructor(name: string, valuesOf: IndexFunc<T>) {
    this.#name = name;
    this.#valuesOf = valuesOf;
  }

  /** How many keys are filed. */
  get size(): number {
    return this.#filed.size;
  }

  /** Files an object, anew when it was filed before. Returns the error when the function threw. */
  file(object: PackedObject<T>): IndexError | undefined {
    const key = object.key;
    const before = this.#filed.get(key);
    let now: Filed;
    let error: IndexError | undefined;
    try {
      now = distinct(this.#valuesOf(object));
    } catch (cause) {
      error = new IndexError(this.#name, key, cause);
    }
    if (before !== undefined && same(before, now)) return error;
    this.#take(key, before);
    this.#put(key, now);
    return error;
  }

  /** An empty index of the same name and function. */
  emptied(): IndexTable<T> {
    return new IndexTable(this.#name, this.#valuesOf);
  }

  /** Files a key that is not filed yet as another index has it, without asking the function. */
  takeOver(key: ObjectKey, from: IndexTable<T>): void {
    this.#put(key, from.#filed.get(key));
  }

  /** Takes a key out. */
  remove(key: ObjectKey): void {
    const filed = this.#filed.get(key);
    this.#take(key, filed);
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
    this.#filed.set(key, filed);
    for (const value of typeof filed === "string" ? [filed] : filed) {
      const bucket = this.#buckets.get(value);
      if (bucket === undefined) this.#buckets.set(value, key);
      else if (typeof bucket === "string") this.#buckets.set(value, new Set([bucket, key]));
      else bucket.add(key);
    }
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
