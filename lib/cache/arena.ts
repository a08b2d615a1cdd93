import type { ResourceType } from "../meta/resource_type.ts";
import type { TextCodec } from "./text_codec.ts";

/** What the packed objects of one packer share. */
export interface PackedFormat {
  /** The resource they are of. */
  readonly type: ResourceType;
  /** How their text is kept. */
  readonly codec: TextCodec;
}

/** The keeper of the texts of one packer, as a store sees it. */
export interface TextPool {
  /** What its objects share. */
  readonly format: PackedFormat;
  /** Counts an object as stored. Counting it twice changes nothing. */
  retain(tenant: Tenant): void;
  /** Counts an object as no longer stored. */
  release(tenant: Tenant): void;
  /** Reclaims some memory when there is enough to reclaim. Returns whether it did. */
  compact(): boolean;
}

/** What arenas know of a packed object. */
export interface Tenant {
  /** Where its text lies. */
  arena: Arena;
  /** Where it begins there. */
  offset: number;
  /** How much it takes there: the text, and what is noted behind it, in bytes. */
  readonly extent: number;
  /** Its place in the arena's list of what is stored; below 0 unless it is. */
  slot: number;
}

/** The slot of an object that was never stored. */
export const NEVER_STORED = -1;
/** The slot of an object that was stored once. */
export const RELEASED = -2;

/**
 * One block of memory that holds the texts of many objects, one after the other.
 *
 * It lives as long as any packed object refers to it, stored or not: compaction moves what is stored
 * and leaves the rest be, so a version that somebody still holds stays readable.
 */
export class Arena {
  /** The pool it belongs to. */
  readonly pool: TextPool;
  /** The memory. */
  readonly bytes: Uint8Array;
  /** How much of it is written. */
  used = 0;
  /** How much of that belongs to stored objects. */
  live = 0;
  /** How much of it belongs to objects lately packed and not stored yet. */
  inFlight = 0;
  /** The stored objects whose text lies here, in no order; each knows its place. */
  readonly tenants: Tenant[] = [];
  /** Its place among the arenas that the pool counts; -1 unless it does. */
  index = -1;

  /** Makes an empty arena of a block of memory. */
  constructor(pool: TextPool, bytes: Uint8Array) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** How much room is left, in bytes. */
  get room(): number {
    return this.bytes.length - this.used;
  }

  /** How much of it holds nothing that a store needs, in bytes. */
  get waste(): number {
    return this.used - this.live - this.inFlight;
  }
}
