import type { ResourceType } from "@xca/apimachinery/meta";
import type { TextCodec } from "./text_codec.ts";

/** The properties that all packed objects of one packer have in common. */
export interface PackedFormat {
  /** The resource of the packed objects. */
  readonly type: ResourceType;
  /** The codec (plain or compressed) that encodes the text of packed objects in memory. */
  readonly codec: TextCodec;
}

/**
 * A record of an object's stored text: the arena that holds it, and the number of its bytes there,
 * by which an arena pool counts stored bytes.
 */
export interface StoredText {
  /** The arena that holds the object's text. */
  readonly arena: Arena;
  /** Size of the object's text and the encoded metadata (tail) behind it, in bytes. */
  readonly extent: number;
}

/**
 * The interface of a store for the arena pools in which it is registered: the store owns the rows
 * with the location of each object's text, and the pool calls it for compactions.
 */
export interface TextHolder {
  /**
   * Reports whether the store is building the state that replaces its objects, so that some texts
   * of that state are not yet retained; false again once that state is swapped in. The pool
   * compacts no arena meanwhile, because compaction counts every text that it copies as retained.
   */
  isReplacing(): boolean;
  /**
   * Compacts an arena: passes the range of every object text in `from` to `write`, which copies the
   * text to another arena, and updates the rows. The copy ends at the `used` position of the arena
   * that `write` returns.
   */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void;
}

/** The pool of memory arenas of one packer, as a store sees it. */
export interface TextPool {
  /** The properties that all objects of the arena pool have in common. */
  readonly format: PackedFormat;
  /** The size of all memory blocks of the arena pool, in bytes. */
  readonly allocatedBytes: number;
  /**
   * The number of bytes in the arena pool that belong to stored objects, texts and encoded metadata
   * (tails); an object in two stores counts twice.
   */
  readonly liveBytes: number;
  /**
   * Registers a store with the arena pool for compactions, until the store is garbage-collected.
   * The caller registers each store only once.
   */
  join(holder: TextHolder): void;
  /** Adds one reference of a store to an object's text in the arena pool. */
  retain(text: StoredText): void;
  /** Removes one reference of a store to an object's text in the arena pool. */
  release(text: StoredText): void;
  /**
   * Empties one arena of the pool, by copying its stored texts to others, if enough memory is
   * wasted, an arena is worth copying and no replacement of a store's objects is in progress.
   * Returns whether an arena was emptied.
   */
  compact(): boolean;
}

/**
 * A block of memory that holds the JSON texts of many objects, one after the other.
 *
 * An arena exists as long as a packed object refers to it, stored or not. Compaction copies the
 * stored texts to another arena and leaves the old arena unchanged, so a version to which a handler
 * still has a reference stays readable.
 */
export class Arena {
  /** The pool that allocated the arena. */
  readonly pool: TextPool;
  /** The memory of the arena. */
  readonly bytes: Uint8Array;
  /**
   * Number of bytes written to the arena since its creation, and so the offset of the next text.
   */
  used = 0;
  /**
   * Number of the arena's bytes that belong to stored objects; a text to which two stores refer
   * counts twice.
   */
  live = 0;
  /**
   * Number of the arena's bytes that belong to objects packed recently and not stored yet; set to 0
   * when the arena is no longer among the newest 16 of its pool.
   */
  inFlight = 0;
  /** The index of the arena in its pool's list; -1 when the pool does not count the arena. */
  index = -1;

  constructor(pool: TextPool, bytes: Uint8Array) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** Number of bytes left to write in the arena. */
  get room(): number {
    return this.bytes.length - this.used;
  }

  /** Reports whether the arena holds neither a stored object nor one that may still be stored. */
  get isVacant(): boolean {
    return this.live <= 0 && this.inFlight <= 0;
  }

  /**
   * Number of bytes written to the arena that belong neither to stored objects nor to recent ones
   * that may still be stored ({@linkcode Arena.inFlight}).
   */
  get waste(): number {
    return this.used - this.live - this.inFlight;
  }
}
