import type { ResourceType } from "../meta/resource_type.ts";
import type { PackedEntry } from "./packed_entry.ts";
import type { TextCodec } from "./text_codec.ts";

const FIRST_ARENA_BYTES = 64 * 1024;
const ARENA_BYTES = 4 * 1024 * 1024;
/** Objects larger than this get an arena of their own, so that none wastes the end of another. */
const LARGE_OBJECT_BYTES = ARENA_BYTES / 4;
/** Memory is compacted once so much of it, beside the share below, holds nothing that is stored. */
const WASTE_BYTES = 256 * 1024;
const WASTE_SHARE = 0.12;
/** An arena is not worth moving unless so much of it is waste. */
const VICTIM_SHARE = 0.2;

/** What the packed objects of one pool share. */
export interface PackedFormat {
  /** The resource they are of. */
  readonly type: ResourceType;
  /** How their text is kept. */
  readonly codec: TextCodec;
}

/**
 * One block of memory that holds the texts of many objects, one after the other.
 *
 * It lives as long as any packed object refers to it, stored or not: compaction moves what is stored
 * and leaves the rest be, so a version that somebody still holds stays readable.
 */
export class Arena {
  /** The pool it belongs to. */
  readonly pool: ArenaPool;
  /** The memory. */
  readonly bytes: Uint8Array;
  /** How much of it is written. */
  used = 0;
  /** How much of that belongs to stored objects. */
  live = 0;
  /** The stored objects whose text lies here, in no order; each knows its place. */
  readonly entries: PackedEntry[] = [];
  /** Whether the pool counts it. */
  tracked = false;

  /** Makes an empty arena. */
  constructor(pool: ArenaPool, size: number) {
    this.pool = pool;
    this.bytes = new Uint8Array(size);
  }
}

/**
 * The arenas of one packer: where texts are written, and how what was replaced is reclaimed.
 *
 * Only a store knows which objects are live: it says so by {@linkcode retain} and {@linkcode release}.
 * When too much is waste, a `release` is followed by {@linkcode compact}, which empties one arena at a
 * time by moving what is live to the present one: under a millisecond of work, in synchronous code.
 */
export class ArenaPool {
  /** What its objects share. */
  readonly format: PackedFormat;
  readonly #arenas: Set<Arena> = new Set();
  #current: Arena | undefined;
  #nextSize = FIRST_ARENA_BYTES;
  #used = 0;
  #live = 0;
  #compactAt = WASTE_BYTES;

  /** Makes a pool without memory. */
  constructor(format: PackedFormat) {
    this.format = format;
  }

  /** How many bytes the arenas take that hold stored objects, or may come to. */
  get usedBytes(): number {
    return this.#used;
  }

  /** How many bytes of them belong to stored objects. */
  get liveBytes(): number {
    return this.#live;
  }

  /** How many arenas there are. */
  get arenas(): number {
    return this.#arenas.size;
  }

  /** An arena with room for so many bytes at its `used`; the caller writes them and moves `used` on. */
  reserve(length: number): Arena {
    const current = this.#current;
    if (current !== undefined && current.bytes.length - current.used >= length) return current;
    if (length > LARGE_OBJECT_BYTES) return this.#track(new Arena(this, length));
    while (this.#nextSize < length) this.#nextSize *= 2;
    const arena = this.#track(new Arena(this, this.#nextSize));
    this.#nextSize = Math.min(this.#nextSize * 2, ARENA_BYTES);
    this.#current = arena;
    return arena;
  }

  /** Writes a text; returns where it begins. */
  write(arena: Arena, text: Uint8Array): number {
    const offset = arena.used;
    arena.bytes.set(text, offset);
    this.grow(arena, text.length);
    return offset;
  }

  /** Counts bytes that were written at the arena's `used`. */
  grow(arena: Arena, length: number): void {
    arena.used += length;
    if (arena.tracked) this.#used += length;
  }

  /** Counts an object as stored. Counting it twice changes nothing. */
  retain(entry: PackedEntry): void {
    if (entry.slot >= 0) return;
    const arena = entry.arena;
    if (!arena.tracked) this.#track(arena);
    entry.slot = arena.entries.push(entry) - 1;
    arena.live += entry.byteLength;
    this.#live += entry.byteLength;
  }

  /** Counts an object as no longer stored. */
  release(entry: PackedEntry): void {
    if (entry.slot < 0) return;
    const arena = entry.arena;
    const last = arena.entries.pop()!;
    if (last !== entry) {
      arena.entries[entry.slot] = last;
      last.slot = entry.slot;
    }
    entry.slot = -1;
    arena.live -= entry.byteLength;
    this.#live -= entry.byteLength;
    if (arena.entries.length === 0 && arena !== this.#current) this.#forget(arena);
  }

  /** Empties the arena with the most waste, when there is too much in all. Returns whether it did. */
  compact(): boolean {
    const waste = this.#used - this.#live;
    if (waste < this.#compactAt || waste < this.#live * WASTE_SHARE) return false;
    const victim = this.#mostWasteful();
    if (victim === undefined) {
      // Nothing is worth moving: ask again only when there is notably more waste.
      this.#compactAt = waste + WASTE_BYTES;
      return false;
    }
    this.#compactAt = WASTE_BYTES;
    if (victim === this.#current) this.#current = undefined;
    for (const entry of victim.entries) this.#move(entry, victim);
    victim.entries.length = 0;
    victim.live = 0;
    this.#forget(victim);
    return true;
  }

  #mostWasteful(): Arena | undefined {
    let most: Arena | undefined;
    let mostShare = VICTIM_SHARE;
    for (const arena of this.#arenas) {
      if (arena === this.#current && this.#arenas.size > 1) continue;
      const share = (arena.used - arena.live) / arena.bytes.length;
      if (share >= mostShare) {
        most = arena;
        mostShare = share;
      }
    }
    return most;
  }

  #move(entry: PackedEntry, from: Arena): void {
    const text = from.bytes.subarray(entry.offset, entry.offset + entry.byteLength);
    const to = this.reserve(text.length);
    entry.offset = this.write(to, text);
    entry.arena = to;
    entry.slot = to.entries.push(entry) - 1;
    to.live += text.length;
  }

  #track(arena: Arena): Arena {
    arena.tracked = true;
    this.#arenas.add(arena);
    this.#used += arena.used;
    return arena;
  }

  #forget(arena: Arena): void {
    arena.tracked = false;
    this.#arenas.delete(arena);
    this.#used -= arena.used;
  }
}
