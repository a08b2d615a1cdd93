import { errorText } from "@xca/apimachinery/base";
import { ignoreRejection, parseAt, skipSpace } from "@xca/apimachinery/internal/base";
import { storedAs } from "@xca/apimachinery/internal/meta";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import { DecodeError, type DecodeErrorOptions } from "../../client/errors/decode_error.ts";
import { encodingOf, layoutOf, type ObjectLayout } from "../../client/decode/object_layout.ts";
import type { RawObject } from "../../client/decode/raw_event.ts";
import { ArenaPool } from "./arena_pool.ts";
import { tailBytes } from "./entry_tail.ts";
import { FactExtractor, keyAt, type ObjectFacts } from "./object_facts.ts";
import { type CommonFacts, CommonFactsTable } from "./common_facts.ts";
import { PackedEntry } from "./packed_entry.ts";
import type { PackedObject, Packer } from "./packed_object.ts";
import { SiblingCodec } from "./sibling_codec.ts";
import { plainCodec } from "./text_codec.ts";

/**
 * Options of {@linkcode createPacker}, which creates a converter of JSON bytes to packed objects.
 */
export interface PackerOptions<T extends KubeObject = KubeObject> {
  /**
   * The resource of the objects to pack: provides `apiVersion` and `kind` for objects that lack
   * them.
   */
  readonly type: ResourceType<T>;
  /**
   * Sets whether the text of each object is stored compressed, as its differences from earlier
   * objects. A pod then takes a fifth of the memory of its text, and costs some 12 us when it
   * arrives and 5 us per read. An object that resembles no earlier object is compressed by deflate.
   *
   * @default {false}
   */
  readonly compress?: boolean | undefined;
  /**
   * A function that returns the object to pack instead of the received object: all readers see the
   * result only. Called for each object that is packed, with `apiVersion` and `kind` filled in and
   * without managed fields if `dropManagedFields` is set; may change its argument. Must keep name,
   * namespace, UID and resourceVersion.
   *
   * @default none
   */
  readonly transform?: ((object: T) => T) | undefined;
  /**
   * Sets whether `metadata.managedFields` is removed from an object before packing, without parsing
   * the object.
   *
   * @default {false}
   */
  readonly dropManagedFields?: boolean | undefined;
}

/**
 * Returns a new packer, which converts JSON bytes of objects to packed objects, with an arena pool
 * of its own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker } from "./packer.ts";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const packer = createPacker({ type: ConfigMap });
 * const text = '{"metadata":{"name":"settings","namespace":"default"},"data":{"a":"1"}}';
 * const packed = packer.pack(new TextEncoder().encode(text));
 * assert(packed.key === "default/settings" && packed.read().kind === "ConfigMap");
 * ```
 */
export function createPacker<T extends KubeObject>(options: PackerOptions<T>): Packer<T> {
  return new ArenaPacker(options);
}

const encoder = new TextEncoder();
const COMMA = 0x2c;
const SPACE = 0x20;
const KEPT_SCRATCH_BYTES = 1024 * 1024;

type Identity = Readonly<Pick<ObjectFacts, "key" | "namespace" | "uid" | "resourceVersion">>;

class ArenaPacker<T extends KubeObject> implements Packer<T> {
  readonly #type: ResourceType<T>;
  readonly #transform: ((object: T) => T) | undefined;
  readonly #dropManagedFields: boolean;
  readonly #pool: ArenaPool;
  readonly #facts = new FactExtractor();
  readonly #common = new CommonFactsTable();
  #scratch: Uint8Array = new Uint8Array(0);

  constructor(options: PackerOptions<T>) {
    const type: ResourceType<T> = { ...options.type, ...storedAs(options.type) };
    this.#type = type;
    this.#transform = options.transform;
    this.#dropManagedFields = options.dropManagedFields ?? false;
    const codec = options.compress ? new SiblingCodec() : plainCodec;
    this.#pool = new ArenaPool({ type, codec });
  }

  pack(
    raw: RawObject,
    lastKnown?: (key: ObjectKey) => PackedObject<T> | undefined,
  ): PackedObject<T> {
    const layout = layoutOf(raw);
    this.#check(raw, layout);
    const identity = this.#identify(raw, layout);
    const { key, uid, resourceVersion } = identity;
    const known = lastKnown?.(key);
    if (
      known !== undefined && resourceVersion !== "" &&
      known.resourceVersion === resourceVersion && known.uid === uid
    ) return known;
    if (this.#transform !== undefined) return this.#packTransformed(raw, layout, key);
    return this.#write(raw, layout, identity);
  }

  packObject(object: T): PackedObject<T> {
    return this.pack(this.#stringify(object));
  }

  #identify(raw: RawObject, layout: ObjectLayout): Identity {
    const facts = this.#facts;
    const namespace = facts.namespace(raw, layout);
    const key = keyAt(namespace, facts.name(raw, layout));
    if (key === "") throw this.#refuse("it has no metadata.name");
    return {
      namespace,
      key,
      uid: facts.uid(raw, layout),
      resourceVersion: facts.resourceVersion(raw, layout),
    };
  }

  #check(raw: RawObject, layout: ObjectLayout): void {
    if (layout.end < 0) throw this.#refuse("its text is cut short or not a JSON object");
    if (layout.encoding === "unchecked") layout.encoding = encodingOf(raw);
    if (layout.encoding === "invalid") {
      const name = this.#facts.name(raw, layout);
      const key = keyAt(this.#facts.namespace(raw, layout), name) || undefined;
      throw this.#refuse("its text is not UTF-8", { key });
    }
  }

  #write(raw: RawObject, layout: ObjectLayout, identity: Identity): PackedObject<T> {
    const facts = this.#facts;
    const { namespace, key, uid, resourceVersion } = identity;
    let common: CommonFacts;
    try {
      common = this.#common.of(
        namespace,
        facts.labels(raw, layout),
        facts.ownerReferences(raw, layout),
        facts.finalizers(raw, layout),
      );
    } catch (cause) {
      throw this.#refuse("its metadata is not JSON", { cause, key });
    }
    const cut = this.#dropManagedFields ? managedFieldsSpan(raw, layout) : undefined;
    if (cut !== undefined && layout.duplicates) {
      // The layout has the position of the last `managedFields` only; scan again without that one.
      const rest = this.#join(raw, layout, cut).slice();
      return this.#write(rest, layoutOf(rest), identity);
    }
    const text = cut === undefined ? wholeText(raw, layout) : this.#join(raw, layout, cut);
    const { codec } = this.#pool.format;
    const kept = codec.encode(text);
    const { length } = kept;
    const tail = tailBytes({
      uid,
      resourceVersion,
      deletionTimestamp: facts.deletionTimestamp(raw, layout),
      generation: facts.generation(raw, layout),
      annotationsAt: annotationsIn(layout, cut),
      members: membersIn(layout, cut),
    });
    const arena = this.#pool.write(kept, tail);
    const extent = length + tail.length;
    return new PackedEntry<T>(key, common, arena, arena.used - extent, length, extent);
  }

  /**
   * Returns an object's JSON text without a given range of bytes, in a buffer that the next call
   * reuses.
   */
  #join(raw: RawObject, layout: ObjectLayout, cut: Span): Uint8Array {
    const head = raw.subarray(layout.start, cut.start);
    const tail = raw.subarray(cut.end, layout.end);
    const length = head.length + tail.length;
    if (this.#scratch.length < length || this.#scratch.length > KEPT_SCRATCH_BYTES) {
      this.#scratch = new Uint8Array(length);
    }
    this.#scratch.set(head);
    this.#scratch.set(tail, head.length);
    return this.#scratch.subarray(0, length);
  }

  /**
   * Parses an object, calls the user's transform function with it, and returns the packed result.
   * Throws a DecodeError if the text is not JSON, or the function throws or returns no object, or
   * one of another key, UID or resourceVersion.
   */
  #packTransformed(raw: RawObject, layout: ObjectLayout, key: ObjectKey): PackedObject<T> {
    const { apiVersion, kind } = this.#type;
    let tree: T;
    try {
      tree = parseAt(raw, layout.start, layout.end) as T;
    } catch (cause) {
      throw this.#refuse("its text is not JSON", { cause, key });
    }
    if (this.#dropManagedFields) delete tree.metadata.managedFields;
    const { uid, resourceVersion } = tree.metadata;
    try {
      tree = ignoreRejection(this.#transform!({
        ...tree,
        apiVersion: tree.apiVersion || apiVersion,
        kind: tree.kind || kind,
      }));
    } catch (cause) {
      throw this.#refuse("the transform failed", { cause, key });
    }
    const text = this.#stringify(tree, key);
    const made = layoutOf(text);
    if (made.end < 0) throw this.#refuse("the transform returned no object", { key });
    const identity = this.#identify(text, made);
    if (identity.key !== key) {
      throw this.#refuse("the transform changed the name or namespace", { key });
    }
    // Without UID and resourceVersion, no reader can distinguish versions of an object, or wait for
    // one.
    if (tree.metadata.uid !== uid || tree.metadata.resourceVersion !== resourceVersion) {
      throw this.#refuse("the transform changed the UID or resourceVersion", { key });
    }
    return this.#write(text, made, identity);
  }

  #stringify(object: T, key?: ObjectKey): Uint8Array {
    try {
      return encoder.encode(JSON.stringify(object));
    } catch (cause) {
      throw this.#refuse("it cannot be written as JSON", { cause, key });
    }
  }

  #refuse(reason: string, options: DecodeErrorOptions = {}): DecodeError {
    const key = options.key === undefined ? "" : ` ${options.key}`;
    const because = options.cause === undefined ? "" : ` (${errorText(options.cause)})`;
    return new DecodeError(`Cannot pack ${this.#type.id}${key}: ${reason}${because}`, options);
  }
}

const NO_MEMBERS: readonly number[] = [];
/**
 * Size in bytes of an object from which on the positions of its top-level members are recorded.
 * Smaller objects are parsed whole as fast as in parts.
 */
const NOTE_MEMBERS_FROM_BYTES = 2048;

interface Span {
  readonly start: number;
  readonly end: number;
}

function wholeText(raw: RawObject, layout: ObjectLayout): Uint8Array {
  return layout.start === 0 && layout.end === raw.length
    ? raw
    : raw.subarray(layout.start, layout.end);
}

/**
 * Returns the range of bytes of the managedFields member in an object's JSON text, with the comma
 * that belongs to the member; `undefined` if the object has no such member.
 */
function managedFieldsSpan(raw: RawObject, layout: ObjectLayout): Span | undefined {
  if (layout.managedFields === 0) return undefined;
  const after = skipSpace(raw, layout.managedFieldsEnd, layout.end);
  if (raw[after] === COMMA) return { start: layout.managedFields, end: after + 1 };
  let start = layout.managedFields - 1;
  while (raw[start]! <= SPACE) start--;
  if (raw[start] !== COMMA) start = layout.managedFields;
  return { start, end: layout.managedFieldsEnd };
}

/**
 * Returns the byte offset of an object's annotations in the stored text, from which managedFields
 * may have been cut; 0 if the object has none.
 */
function annotationsIn(layout: ObjectLayout, cut: Span | undefined): number {
  if (layout.annotations === 0) return 0;
  const at = layout.annotations - layout.start;
  return cut !== undefined && cut.end <= layout.annotations ? at - (cut.end - cut.start) : at;
}

/**
 * Returns the byte offsets of the keys of an object's top-level members in the stored text; none
 * for an object of less than 2048 bytes.
 */
function membersIn(layout: ObjectLayout, cut: Span | undefined): readonly number[] {
  const { start, end, members } = layout;
  if (end - start < NOTE_MEMBERS_FROM_BYTES) return NO_MEMBERS;
  if (cut === undefined) return start === 0 ? members : members.map((at) => at - start);
  const by = cut.end - cut.start;
  return members.map((at) => (at > cut.start ? at - by : at) - start);
}
