import type { DeepReadonly, KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * The recently read objects of a store, parsed and shared by all readers. Callers must not change
 * them.
 */
export interface SharedReads<T extends KubeObject = KubeObject> {
  /** Number of parsed objects kept for sharing. */
  readonly size: number;
  /** Size of the JSON texts of the parsed objects kept for sharing, in bytes. */
  readonly bytes: number;
  /**
   * Returns the current object of a key, shared, `undefined` if the store has none; parses the
   * object unless its parsed form is kept.
   *
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  get(key: ObjectKey): DeepReadonly<T> | undefined;
  /** Returns the shared parsed object of a key; `undefined` unless it is kept already. */
  peek(key: ObjectKey): DeepReadonly<T> | undefined;
  /**
   * Returns a version of an object, parsed. If it is the stored version, the parsed object is the
   * shared one and is kept for sharing, unless its text exceeds the store's limit; any other
   * version is parsed at each call.
   *
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  read(packed: PackedObject<T>): DeepReadonly<T>;
}

/** The read-only interface of a store of packed objects. */
export interface StoreReader<T extends KubeObject = KubeObject> {
  /** Number of objects in the store. */
  readonly size: number;
  /**
   * The resourceVersion of the store: that of the last list, or a newer one of an event or bookmark
   * received since; empty before the first of these.
   */
  readonly resourceVersion: string;
  /**
   * The keys of objects that exist on the server and could not be stored, for example because a
   * transform threw on them; `undefined` stands for objects whose key is not known either. The
   * absence of these objects from the store does not mean that they do not exist.
   */
  readonly lost: ReadonlySet<ObjectKey | undefined>;
  /**
   * Returns the stored object of a key, parsed anew at each call: the caller may change it.
   * `undefined` if the store has none.
   *
   * @throws {DecodeError} If the text of the object is not JSON.
   */
  get(key: ObjectKey): T | undefined;
  /**
   * Returns the stored packed object of a key, created anew at each call; `undefined` if the store
   * has none.
   */
  getPacked(key: ObjectKey): PackedObject<T> | undefined;
  /** Returns the keys of all stored objects. */
  keys(): ObjectKey[];
  /**
   * Returns an iterator over all stored packed objects as of the call; later changes of the store
   * do not affect it.
   */
  packed(): IterableIterator<PackedObject<T>>;
  /**
   * Returns the stored packed objects that an index lists under a value; empty if there are none.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  byIndex(index: string, value: string): PackedObject<T>[];
  /**
   * Returns the keys of the stored objects that an index lists under a value; empty if there are
   * none.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  indexKeys(index: string, value: string): ObjectKey[];
  /**
   * Returns every value under which an index lists at least one stored object.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  listIndexFuncValues(index: string): string[];
  /**
   * Returns the keys of the stored objects that an index does not list because its function threw
   * on them.
   *
   * @throws {RangeError} If there is no index of that name.
   */
  indexFailures(index: string): ObjectKey[];
}

/** A store whose parsed objects readers can share. */
export interface SharedStore<T extends KubeObject = KubeObject> extends StoreReader<T> {
  /** The recently read objects of the store, parsed, for readers that share them. */
  readonly shared: SharedReads<T>;
}
