import type { ResourceType } from "@xca/apimachinery/meta";
import type { TextCodec } from "./text_codec.ts";

/** What the packed objects of one packer share. */
export interface PackedFormat {
  /** The resource they are of. */
  readonly type: ResourceType;
  /** How their text is kept. */
  readonly codec: TextCodec;
}

/** A text that was written, as its pool knows it. */
export interface StoredText {
  /** Where it lies. */
  readonly arena: Arena;
  /** How much it takes there: the text, and what is noted behind it, in bytes. */
  readonly extent: number;
}

/** A store, as a pool sees it: it knows where the texts lie that it holds. */
export interface TextHolder {
  /** Has every text that lies in an arena written elsewhere, to the end of what `write` returns. */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void;
}

/** The keeper of the texts of one packer, as a store sees it. */
export interface TextPool {
  /** What its objects share. */
  readonly format: PackedFormat;
  /** Has a store take part in compactions for as long as it lives. Once is enough. */
  join(holder: TextHolder): void;
  /** Counts a text as stored, once for each store that holds it. */
  retain(text: StoredText): void;
  /** Counts a text as no longer stored by one of them. */
  release(text: StoredText): void;
  /** Reclaims some memory when there is enough to reclaim. Returns whether it did. */
  compact(): boolean;
}

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

  /** Whether nothing in it is stored or may come to be. */
  get isVacant(): boolean {
    return this.live <= 0 && this.inFlight <= 0;
  }

  /** How much of it holds nothing that a store needs, in bytes. */
  get waste(): number {
    return this.used - this.live - this.inFlight;
  }
}
