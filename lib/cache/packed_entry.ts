import { parseJson } from "../base/parse_json.ts";
import { skipValue } from "../base/json_scan.ts";
import { utf8Slice } from "../base/text_slice.ts";
import { DecodeError } from "../client/decode/errors.ts";
import type { KubeObject, OwnerReference } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import { type Arena, NEVER_STORED, type Tenant } from "./arena.ts";
import { lazyObject } from "./lazy_object.ts";
import { type ObjectFacts, parseStrings } from "./object_facts.ts";
import type { PackedObject } from "./packed_object.ts";
import { plainCodec } from "./text_codec.ts";

/** Facts as they are extracted: the name is part of the key. */
export type EntryFacts = Omit<ObjectFacts, "name">;

const NO_ANNOTATIONS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * A packed object whose text lies in an arena.
 *
 * There is one for each object of a cluster, so it is flat and small: beside the facts, a reference,
 * four small integers and, of a large object, the places of its top-level members.
 */
export class PackedEntry<T extends KubeObject = KubeObject> implements PackedObject<T>, Tenant {
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  readonly deletionTimestamp: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerReferences: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly byteLength: number;
  arena: Arena;
  offset: number;
  slot: number = NEVER_STORED;
  /** Where the annotations begin in the (decoded) text; 0 when there are none. */
  readonly #annotationsAt: number;
  /** Where the keys of the members begin in the (decoded) text; empty when that is not known. */
  readonly #members: readonly number[];

  /** Makes the entry of a text that is already written. */
  constructor(
    facts: EntryFacts,
    place: {
      arena: Arena;
      offset: number;
      length: number;
      annotationsAt: number;
      members: readonly number[];
    },
  ) {
    this.key = facts.key;
    this.namespace = facts.namespace;
    this.uid = facts.uid;
    this.resourceVersion = facts.resourceVersion;
    this.generation = facts.generation;
    this.deletionTimestamp = facts.deletionTimestamp;
    this.labels = facts.labels;
    this.ownerReferences = facts.ownerReferences;
    this.finalizers = facts.finalizers;
    this.byteLength = place.length;
    this.arena = place.arena;
    this.offset = place.offset;
    this.#annotationsAt = place.annotationsAt;
    this.#members = place.members;
  }

  get name(): string {
    return this.namespace === "" ? this.key : this.key.slice(this.namespace.length + 1);
  }

  get annotations(): Readonly<Record<string, string>> {
    if (this.#annotationsAt === 0) return NO_ANNOTATIONS;
    try {
      const text = this.#text();
      const end = skipValue(text, this.#annotationsAt, text.length);
      return parseStrings(utf8Slice(text, this.#annotationsAt, end));
    } catch (cause) {
      throw this.#undecodable("the annotations", cause);
    }
  }

  read(): T {
    const { type } = this.arena.pool.format;
    try {
      const text = this.#text();
      const tree = parseJson(utf8Slice(text, 0, text.length)) as T;
      if (tree.apiVersion && tree.kind) return tree;
      const apiVersion = tree.apiVersion || type.apiVersion;
      return { ...tree, apiVersion, kind: tree.kind || type.kind };
    } catch (cause) {
      throw this.#undecodable("the object", cause);
    }
  }

  view(): T {
    if (this.#members.length === 0) return this.read();
    const { type, codec } = this.arena.pool.format;
    // What has to be inflated is inflated once.
    const kept = codec === plainCodec ? undefined : this.#text();
    return lazyObject({
      text: () => kept ?? this.#text(),
      members: this.#members,
      type,
      undecodable: (cause) => this.#undecodable("the object", cause),
    }) as T;
  }

  sameVersionAs(other: PackedObject): boolean {
    return this.resourceVersion === other.resourceVersion && this.uid === other.uid &&
      this.resourceVersion !== "";
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
