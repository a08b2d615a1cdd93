import type { RawObject } from "../../client/raw/raw.ts";
import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { ObjectFacts } from "./object_facts.ts";

export type { ObjectFacts } from "./object_facts.ts";

/**
 * One version of one object, as packed JSON text with its facts beside it.
 *
 * It never changes in meaning; where its bytes lie may change when a store compacts its memory. Its
 * facts are there to be read one by one: a copy of it, by spread or `structuredClone`, lacks them.
 */
export interface PackedObject<T extends KubeObject = KubeObject> extends ObjectFacts {
  /** The annotations, parsed from their place in the text at each call. */
  readonly annotations: Readonly<Record<string, string>>;
  /** How many bytes the packed text takes. */
  readonly byteLength: number;
  /**
   * The object, parsed anew at each call: it belongs to the caller, who may change it at will.
   * `apiVersion` and `kind` are filled in when the text has none, as items of a list have not.
   *
   * @throws {DecodeError} When the text proves not to be JSON; the message names the key.
   */
  read(): T;
  /**
   * The object for reading only: each top-level member of a larger object is parsed when first touched,
   * so that who reads little of it pays for little. It equals what `read()` gives, and is made anew at
   * each call. Do not change it, and do not keep it: it holds on to the whole text.
   *
   * @throws {DecodeError} When its text proves not to be JSON; of a larger object, at the touch of the
   * member that is not.
   */
  view(): T;
  /** Whether both are the same version of the same object: UID and resourceVersion are equal, and there is a resourceVersion. */
  sameVersionAs(other: PackedObject): boolean;
}

/** Packed objects by their keys, for reading, in the order in which the keys came. */
export interface PackedObjects<T extends KubeObject = KubeObject>
  extends Iterable<PackedObject<T>> {
  /** How many there are. */
  readonly size: number;
  /** Whether there is one of a key. */
  has(key: ObjectKey): boolean;
  /** The one of a key. */
  get(key: ObjectKey): PackedObject<T> | undefined;
  /** Every key. */
  keys(): IterableIterator<ObjectKey>;
}

/** Turns what comes from the server into packed objects. */
export interface Packer<T extends KubeObject = KubeObject> {
  /**
   * Packs one object. The bytes are copied, so `raw` may be reused at once.
   *
   * @param lastKnown Asked for the packed object of the same key; when that is the same version it is
   * returned itself and nothing is packed.
   * @throws {DecodeError} On bad UTF-8, on text that is no JSON object, and when `metadata.name` is
   * missing. Other faults of the text may show only at `read()`.
   */
  pack(
    raw: RawObject,
    lastKnown?: (key: ObjectKey) => PackedObject<T> | undefined,
  ): PackedObject<T>;
  /**
   * Packs an object that is already parsed.
   *
   * @throws {DecodeError} When it has no `metadata.name`.
   */
  packObject(object: T): PackedObject<T>;
}
