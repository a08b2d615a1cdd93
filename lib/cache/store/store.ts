import type { DeepReadonly, KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * The objects of a store that were read lately, parsed, for readers that share them: do not change what it
 * returns.
 */
export interface SharedReads<T extends KubeObject = KubeObject> {
  /** The number of objects kept. */
  readonly size: number;
  /** The bytes of JSON text whose parsed objects are kept. */
  readonly bytes: number;
  /**
   * Returns the current object of a key, parsed unless it is kept.
   *
   * @throws {DecodeError} When its text proves not to be JSON.
   */
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  /** Returns the object of a key if it is kept. */
  peek(key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns a version of an object parsed; it is kept only if it is the current one.
   *
   * @throws {DecodeError} When its text proves not to be JSON.
   */
  read(packed: PackedObject<T>): DeepReadonly<T>;
}

/** What users and listers read of a store. */
export interface StoreReader<T extends KubeObject = KubeObject> {
  /** How many objects there are. */
  readonly size: number;
  /** The newest version the store has seen; empty at first. */
  readonly resourceVersion: string;
  /**
   * The keys of objects that exist and could not be stored, as when a transform threw on them; `undefined`
   * stands for objects whose key is not known either. Their absence from the store means nothing.
   */
  readonly lost: ReadonlySet<ObjectKey | undefined>;
  /**
   * The object of a key, parsed anew at each call: it belongs to the caller.
   *
   * @throws {DecodeError} When the object's text proves not to be JSON.
   */
  get(key: ObjectKey): T | undefined;
  /** The objects that were read lately, parsed, for readers that share them. */
  readonly shared: SharedReads<T>;
  /** The packed object of a key, made anew at each call. */
  getPacked(key: ObjectKey): PackedObject<T> | undefined;
  /** Every key. */
  keys(): ObjectKey[];
  /** Every packed object, as they are now: later changes do not show. */
  packed(): IterableIterator<PackedObject<T>>;
  /**
   * The packed objects that an index files under a value.
   *
   * @throws {RangeError} When there is no such index.
   */
  byIndex(index: string, value: string): PackedObject<T>[];
  /**
   * The keys that an index files under a value.
   *
   * @throws {RangeError} When there is no such index.
   */
  indexKeys(index: string, value: string): ObjectKey[];
  /**
   * Every value that an index files at least one object under.
   *
   * @throws {RangeError} When there is no such index.
   */
  listIndexFuncValues(index: string): string[];
  /**
   * The keys of the objects that an index files nowhere because its function threw on them.
   *
   * @throws {RangeError} When there is no such index.
   */
  indexFailures(index: string): ObjectKey[];
}
