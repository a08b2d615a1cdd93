import type { RawObject } from "../../client/decode/raw_event.ts";
import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { ObjectFacts } from "./object_facts.ts";

export type { ObjectFacts } from "./object_facts.ts";

/**
 * One version of one object, as packed JSON text with its metadata.
 *
 * A packed object is immutable; compaction of the cache's memory does not affect it. Most metadata
 * fields are getters, so a copy by spread or `structuredClone` lacks them.
 */
export interface PackedObject<T extends KubeObject = KubeObject> extends ObjectFacts {
  /**
   * The annotations of the packed object, without those whose value is not a string, parsed from
   * the text at each access; empty when it has none.
   *
   * @throws {DecodeError} If the text of the annotations is not JSON.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * Size of the object's text as stored, in bytes, without the encoded metadata: of the compressed
   * text if the packer compresses.
   */
  readonly byteLength: number;
  /**
   * Parses the packed object, anew at each call: the caller may change the result. A missing or
   * empty `apiVersion` or `kind` is filled in from the packer's resource, since items of a list
   * have neither.
   *
   * @throws {DecodeError} If the text is not JSON; the message names the key.
   */
  read(): T;
  /**
   * Returns the packed object for reading only. Each top-level member of an object whose JSON text
   * has 2048 bytes or more is parsed when it is first read, so that a reader of one member does not
   * pay for the others. Equal to the result of `read()`, and created anew at each call. The result
   * must be neither changed nor kept, since it keeps the whole text in memory.
   *
   * @throws {DecodeError} If the text is not JSON; for a larger object, when the member concerned
   * is read.
   */
  view(): T;
  /**
   * Reports whether two packed objects are the same version of the same object: UID and
   * resourceVersion are equal, and the resourceVersion is not empty.
   */
  sameVersionAs(other: PackedObject): boolean;
}

/** A read-only collection of packed objects by key, in the order in which the keys were added. */
export interface PackedObjects<T extends KubeObject = KubeObject>
  extends Iterable<PackedObject<T>> {
  /** Number of packed objects in the collection. */
  readonly size: number;
  /** Reports whether the collection has an object with the given key. */
  has(key: ObjectKey): boolean;
  /** Returns the packed object of a key; `undefined` if the collection has none. */
  get(key: ObjectKey): PackedObject<T> | undefined;
  /** Returns the keys of all objects in the collection. */
  keys(): IterableIterator<ObjectKey>;
}

/**
 * A converter that creates packed objects from JSON bytes of the server, or from parsed objects.
 */
export interface Packer<T extends KubeObject = KubeObject> {
  /**
   * Returns the packed object of the JSON bytes of one object. The bytes are copied, so the caller
   * may reuse `raw` at once.
   *
   * @param lastKnown Returns the known packed object of a key. If that has the same UID and the
   * same nonempty resourceVersion, it is returned and nothing is packed.
   * @throws {DecodeError} If the text is not UTF-8 or not a JSON object, the object has no
   * `metadata.name`, or its transform throws, returns no object, or changes name, namespace, UID or
   * resourceVersion. Other errors in the text may show only at `read()`.
   */
  pack(
    raw: RawObject,
    lastKnown?: (key: ObjectKey) => PackedObject<T> | undefined,
  ): PackedObject<T>;
  /**
   * Returns the packed object of a parsed object, which is written as JSON and packed as by
   * {@linkcode Packer.pack}.
   *
   * @throws {DecodeError} If the object has no `metadata.name` or cannot be written as JSON, or its
   * transform fails.
   */
  packObject(object: T): PackedObject<T>;
}
