import { parseJson, skipValue, utf8Slice } from "@xca/apimachinery/internal/base";
import type { KubeObject, ObjectKey, OwnerReference } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { Arena, StoredText } from "./arena.ts";
import { lazyObject } from "./lazy_object.ts";
import {
  annotationsIn,
  deletionTimestampIn,
  generationIn,
  hasMembers,
  membersIn,
  resourceVersionIn,
  sameUid,
  sameVersion,
  uidIn,
} from "./entry_tail.ts";
import type { CommonFacts } from "./common_facts.ts";
import { parseStrings } from "./object_facts.ts";
import type { PackedObject } from "./packed_object.ts";
import { plainCodec } from "./text_codec.ts";

const NO_ANNOTATIONS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * A parsed object and the size of its JSON text, by which {@linkcode SharedObjects} limits the
 * memory of the objects kept for sharing.
 */
export interface SizedObject<T extends KubeObject = KubeObject> {
  readonly object: T;
  /**
   * Size of the parsed object's JSON text in bytes, not compressed; of an object from another
   * implementation of `Packer` its `byteLength`.
   */
  readonly textBytes: number;
}

/**
 * A packed object whose text lies in an arena.
 *
 * An entry is small: the key, the metadata it shares with related objects, and the position of its
 * text. All other metadata lies behind the text; see {@linkcode EntryTail}. A store keeps the same
 * data as a row of numbers (`EntryRows`) and creates an entry per read. The text of an entry never
 * moves: when compaction moves the text of a row, existing entries keep the old arena.
 */
export class PackedEntry<T extends KubeObject = KubeObject> implements PackedObject<T>, StoredText {
  readonly key: ObjectKey;
  /** The metadata that the packed object shares with related objects. */
  readonly common: CommonFacts;
  readonly arena: Arena;
  /** Byte offset of the packed object's text in the arena. */
  readonly offset: number;
  readonly byteLength: number;
  readonly extent: number;

  /**
   * Creates the packed object whose text lies in an arena. The object's encoded metadata (tail)
   * lies behind the text.
   */
  constructor(
    key: ObjectKey,
    common: CommonFacts,
    arena: Arena,
    offset: number,
    byteLength: number,
    extent: number,
  ) {
    this.key = key;
    this.common = common;
    this.arena = arena;
    this.offset = offset;
    this.byteLength = byteLength;
    this.extent = extent;
  }

  get namespace(): string {
    return this.common.namespace;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.common.labels;
  }

  get ownerReferences(): readonly OwnerReference[] {
    return this.common.ownerReferences;
  }

  get finalizers(): readonly string[] {
    return this.common.finalizers;
  }

  get generation(): number | undefined {
    return generationIn(this.arena.bytes, this.#tailAt);
  }

  get deletionTimestamp(): string | undefined {
    return deletionTimestampIn(this.arena.bytes, this.#tailAt) || undefined;
  }

  get uid(): string {
    return uidIn(this.arena.bytes, this.#tailAt);
  }

  get resourceVersion(): string {
    return resourceVersionIn(this.arena.bytes, this.#tailAt);
  }

  get name(): string {
    const { namespace } = this.common;
    return namespace === "" ? this.key : this.key.slice(namespace.length + 1);
  }

  get annotations(): Readonly<Record<string, string>> {
    const start = annotationsIn(this.arena.bytes, this.#tailAt);
    if (start === 0) return NO_ANNOTATIONS;
    try {
      const text = this.#text();
      const end = skipValue(text, start, text.length);
      return parseStrings(utf8Slice(text, start, end));
    } catch (cause) {
      throw this.#undecodable("the annotations", cause);
    }
  }

  read(): T {
    return this.readSized().object;
  }

  /**
   * Parses the object, as {@linkcode PackedEntry.read} does, and returns it with the size of its
   * decoded text.
   */
  readSized(): SizedObject<T> {
    const { type } = this.arena.pool.format;
    try {
      const text = this.#text();
      const textBytes = text.length;
      const tree = parseJson(utf8Slice(text, 0, textBytes)) as T;
      if (tree.apiVersion && tree.kind) return { object: tree, textBytes };
      const apiVersion = tree.apiVersion || type.apiVersion;
      return { object: { ...tree, apiVersion, kind: tree.kind || type.kind }, textBytes };
    } catch (cause) {
      throw this.#undecodable("the object", cause);
    }
  }

  view(): T {
    const { bytes, pool } = this.arena;
    const end = this.offset + this.extent;
    if (!hasMembers(bytes, this.#tailAt, end)) return this.read();
    const { type, codec } = pool.format;
    // A compressed text is decoded once for all members.
    const kept = codec === plainCodec ? undefined : this.#text();
    return lazyObject({
      text: () => kept ?? this.#text(),
      members: membersIn(bytes, this.#tailAt, end),
      type,
      undecodable: (cause) => this.#undecodable("the object", cause),
    }) as T;
  }

  sameVersionAs(other: PackedObject): boolean {
    if (other instanceof PackedEntry) {
      return sameVersion(this.arena.bytes, this.#tailAt, other.arena.bytes, other.#tailAt);
    }
    return this.resourceVersion === other.resourceVersion && this.uid === other.uid &&
      this.resourceVersion !== "";
  }

  /**
   * Reports whether this and another packed object have the same UID, and so count as versions of
   * one object; also true if both have none.
   */
  sameUidAs(other: PackedEntry): boolean {
    return sameUid(this.arena.bytes, this.#tailAt, other.arena.bytes, other.#tailAt);
  }

  get #tailAt(): number {
    return this.offset + this.byteLength;
  }

  #text(): Uint8Array {
    const { bytes, pool } = this.arena;
    return pool.format.codec.decode(bytes.subarray(this.offset, this.offset + this.byteLength));
  }

  #undecodable(what: string, cause: unknown): DecodeError {
    const { type } = this.arena.pool.format;
    return new DecodeError(
      `Cannot read ${what} ${type.id} ${this.key}: the text the server sent is not JSON`,
      { cause, key: this.key },
    );
  }
}

/**
 * Parses a packed object anew and returns the result with the size of its text in bytes; see
 * {@linkcode SizedObject.textBytes}.
 */
export function readSized<T extends KubeObject>(packed: PackedObject<T>): SizedObject<T> {
  if (packed instanceof PackedEntry) return packed.readSized();
  return { object: packed.read(), textBytes: packed.byteLength };
}

/**
 * Reports whether two packed objects have the same UID, and so count as versions of one object;
 * also true if both have none.
 */
export function isSameObject(a: PackedObject, b: PackedObject): boolean {
  const areEntries = a instanceof PackedEntry && b instanceof PackedEntry;
  return areEntries ? a.sameUidAs(b) : a.uid === b.uid;
}

/**
 * Reports whether two packed objects refer to the same text at the same position of an arena, or
 * are one object of another implementation.
 */
export function isSameText(a: PackedObject, b: PackedObject): boolean {
  const areEntries = a instanceof PackedEntry && b instanceof PackedEntry;
  return areEntries ? a.arena === b.arena && a.offset === b.offset : a === b;
}
