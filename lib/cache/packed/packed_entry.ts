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
import type { Kin } from "./kin.ts";
import { parseStrings } from "./object_facts.ts";
import type { PackedObject } from "./packed_object.ts";
import { plainCodec } from "./text_codec.ts";

const NO_ANNOTATIONS: Readonly<Record<string, string>> = Object.freeze({});

/** A parsed object and the size of its text. */
export interface SizedObject<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** Size of the JSON text, in bytes. */
  readonly textBytes: number;
}

/**
 * A packed object whose text lies in an arena.
 *
 * It is flat and small: the key, what it shares with its siblings, and where its text lies. What else
 * is known lies behind the text; see {@linkcode EntryTail}. A store keeps the same as a row of numbers
 * ({@linkcode EntryRows}), and makes an entry for who asks. The text of an entry never moves: when a
 * store's does, the entry keeps the old one.
 */
export class PackedEntry<T extends KubeObject = KubeObject> implements PackedObject<T>, StoredText {
  readonly key: ObjectKey;
  /** What it shares with its siblings. */
  readonly kin: Kin;
  readonly arena: Arena;
  /** Where its text begins there. */
  readonly offset: number;
  readonly byteLength: number;
  readonly extent: number;

  /** Makes the entry of a text that lies in an arena, its tail behind it. */
  constructor(
    key: ObjectKey,
    kin: Kin,
    arena: Arena,
    offset: number,
    byteLength: number,
    extent: number,
  ) {
    this.key = key;
    this.kin = kin;
    this.arena = arena;
    this.offset = offset;
    this.byteLength = byteLength;
    this.extent = extent;
  }

  get namespace(): string {
    return this.kin.namespace;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.kin.labels;
  }

  get ownerReferences(): readonly OwnerReference[] {
    return this.kin.ownerReferences;
  }

  get finalizers(): readonly string[] {
    return this.kin.finalizers;
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
    const { namespace } = this.kin;
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

  /** Returns what {@linkcode PackedEntry.read} does, and the size of the JSON text, inflated. */
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
    // What has to be inflated is inflated once.
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

  /** Whether both are versions of one object. */
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

/** Returns a packed object parsed, with the size of its text. */
export function readSized<T extends KubeObject>(packed: PackedObject<T>): SizedObject<T> {
  if (packed instanceof PackedEntry) return packed.readSized();
  return { object: packed.read(), textBytes: packed.byteLength };
}

/** Whether both are versions of one object. */
export function isSameObject(a: PackedObject, b: PackedObject): boolean {
  const areEntries = a instanceof PackedEntry && b instanceof PackedEntry;
  return areEntries ? a.sameUidAs(b) : a.uid === b.uid;
}

/** Whether both stand for one text, at the place where it lies. */
export function isSameText(a: PackedObject, b: PackedObject): boolean {
  const areEntries = a instanceof PackedEntry && b instanceof PackedEntry;
  return areEntries ? a.arena === b.arena && a.offset === b.offset : a === b;
}
