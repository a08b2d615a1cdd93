import type { DeepReadonly, KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { deepFreeze } from "./deep_freeze.ts";
import { isSameText, readSized } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import type { SharedReads } from "./store.ts";

/**
 * Default limit of the parsed objects that {@linkcode SharedObjects} keeps, in bytes of their JSON
 * text. The limit permits the parsed objects of 2 700 pods of 6 KB, which take about 35 MB of V8's
 * heap.
 */
export const DEFAULT_SHARED_BYTES: number = 16 * 1024 * 1024;

/** Options of the class {@linkcode SharedObjects}, a cache of parsed objects that readers share. */
export interface SharedObjectsOptions<T extends KubeObject = KubeObject> {
  /**
   * Returns the stored version of an object, from which the shared object is parsed; `undefined` if
   * the store has none.
   */
  readonly current: (key: ObjectKey) => PackedObject<T> | undefined;
  /**
   * Limit in bytes of JSON text whose parsed objects are kept for sharing; 0 keeps none.
   *
   * @default {DEFAULT_SHARED_BYTES}
   */
  readonly maxBytes?: number | undefined;
  /** Sets whether each shared parsed object is deeply frozen. @default {false} */
  readonly freeze?: boolean | undefined;
}

interface SharedObject<T extends KubeObject> {
  readonly object: DeepReadonly<T>;
  /** Size of the shared object's JSON text, in bytes. */
  readonly bytes: number;
  /**
   * Reports whether the shared object was read since it was added, or since eviction last passed
   * over it.
   */
  wasRead: boolean;
}

/**
 * A cache of the recently read objects of a store, parsed, for readers that share them.
 *
 * - Only current versions are kept: the store drops an object from this cache when it stores
 *   another version of the object or deletes it.
 * - The bytes of the objects' JSON text are bounded; an object larger than the limit is never kept.
 *   Eviction is by second chance: the oldest object that was not read since it was added or since
 *   eviction last passed over it is evicted first, so that a hit moves nothing.
 */
export class SharedObjects<T extends KubeObject = KubeObject> implements SharedReads<T> {
  readonly #current: (key: ObjectKey) => PackedObject<T> | undefined;
  readonly #maxBytes: number;
  readonly #freeze: boolean;
  readonly #objects = new Map<ObjectKey, SharedObject<T>>();
  #bytes = 0;

  /**
   * Creates a cache of shared parsed objects, empty at first.
   *
   * @throws {RangeError} If `maxBytes` is negative or not a number.
   */
  constructor(options: SharedObjectsOptions<T>) {
    const { current, maxBytes = DEFAULT_SHARED_BYTES, freeze = false } = options;
    if (!(maxBytes >= 0)) {
      throw new RangeError(
        `Cannot share parsed objects: sharedBytes must be 0 or more: current value is ${maxBytes}`,
      );
    }
    this.#current = current;
    this.#maxBytes = maxBytes;
    this.#freeze = freeze;
  }

  get size(): number {
    return this.#objects.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    const kept = this.peek(key);
    if (kept !== undefined) return kept;
    const packed = this.#current(key);
    return packed === undefined ? undefined : this.#parse(packed);
  }

  peek(key: ObjectKey): DeepReadonly<T> | undefined {
    const kept = this.#objects.get(key);
    if (kept === undefined) return undefined;
    kept.wasRead = true;
    return kept.object;
  }

  read(packed: PackedObject<T>): DeepReadonly<T> {
    const current = this.#current(packed.key);
    if (current !== undefined && isSameText(current, packed)) {
      return this.peek(packed.key) ?? this.#parse(packed);
    }
    return this.#frozen(packed.read());
  }

  /** Drops the shared parsed object of a key, if one is kept. */
  drop(key: ObjectKey): void {
    const kept = this.#objects.get(key);
    if (kept === undefined) return;
    this.#objects.delete(key);
    this.#bytes -= kept.bytes;
  }

  /** Drops every shared parsed object. */
  clear(): void {
    this.#objects.clear();
    this.#bytes = 0;
  }

  #parse(packed: PackedObject<T>): DeepReadonly<T> {
    const { object: tree, textBytes: bytes } = readSized(packed);
    const object = this.#frozen(tree);
    if (bytes > this.#maxBytes) return object;
    this.#objects.set(packed.key, { object, bytes, wasRead: false });
    this.#bytes += bytes;
    this.#evict();
    return object;
  }

  #evict(): void {
    for (const [key, kept] of this.#objects) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#objects.delete(key);
      if (kept.wasRead) {
        kept.wasRead = false;
        this.#objects.set(key, kept); // To the end of the order: its second chance.
      } else {
        this.#bytes -= kept.bytes;
      }
    }
  }

  #frozen(tree: T): DeepReadonly<T> {
    if (this.#freeze) deepFreeze(tree);
    return tree as DeepReadonly<T>;
  }
}
