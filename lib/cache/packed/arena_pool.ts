import {
  Arena,
  type PackedFormat,
  type StoredText,
  type TextHolder,
  type TextPool,
} from "./arena.ts";

/** The first block is small, so that a store of little costs little; the next are twice as large each. */
const FIRST_BLOCK_BYTES = 16 * 1024;
/**
 * Small blocks on purpose: against 4 MiB ones churn takes a third less CPU (they come back from the
 * allocator already touched) and less memory (more of them empty without being moved).
 */
const BLOCK_BYTES = 256 * 1024;
/** Pools that are larger take their blocks as pages; see {@linkcode newBlock}. */
const PAGED_FROM_BYTES = 28 * 1024 * 1024;
/** Objects larger than this get a block of their own, so that none wastes the end of another. */
const LARGE_OBJECT_BYTES = BLOCK_BYTES / 8;
/** Blocks are compacted when so much of them, and such a share of what is stored, is waste. */
const WASTE_BYTES = 256 * 1024;
const WASTE_SHARE = 0.1;
/** A block is not worth emptying unless such a share of it is waste. */
const VICTIM_SHARE = 0.15;
/** What was packed is taken to be given up when it is not stored so many blocks later. */
const RECENT_ARENAS = 16;
/** So many blocks are looked at, in turn, to find one worth emptying. */
const CANDIDATES = 64;

/**
 * The arenas of one packer: where texts are written, and how what was replaced is reclaimed.
 *
 * Only a store knows which objects are live: it says so by {@linkcode ArenaPool.retain} and
 * {@linkcode ArenaPool.release}. When too much is waste, {@linkcode ArenaPool.compact} empties one
 * block by moving what is live in it: far under 10 ms of synchronous work, of which 2 us go into
 * finding it among each thousand stored objects. An emptied block lives on for as long as somebody
 * holds an old version in it.
 */
export class ArenaPool implements TextPool {
  /** What its objects share. */
  readonly format: PackedFormat;
  readonly #arenas: Arena[] = [];
  #nextCandidate = 0;
  /** The latest arenas, oldest first: what is in flight in them counts as needed. */
  readonly #recent: Arena[] = [];
  /** The stores; a packer may outlive any of them. */
  #holders: WeakRef<TextHolder>[] = [];
  #current: Arena | undefined;
  #nextBlockBytes = FIRST_BLOCK_BYTES;
  #allocated = 0;
  /** How many bytes of blocks were taken since an object was stored: a list is, once it is whole. */
  #takenSinceStored = 0;
  #waste = 0;
  #live = 0;
  #compactAt = WASTE_BYTES;

  /** Makes a pool without memory. */
  constructor(format: PackedFormat) {
    this.format = format;
  }

  /** How many bytes the blocks take that are in use. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /** How many bytes of them belong to stored objects. */
  get liveBytes(): number {
    return this.#live;
  }

  /** How many bytes of them were written and hold nothing that is needed. */
  get wasteBytes(): number {
    return this.#waste;
  }

  /**
   * Writes the text of an object that is not stored yet, and what is noted behind it. Returns its
   * arena; all of it ends at `used`.
   */
  write(text: Uint8Array, tail: Uint8Array): Arena {
    const arena = this.#append(text, tail);
    arena.inFlight += text.length + tail.length;
    return arena;
  }

  /** Has a store take part in compactions for as long as it lives. Once is enough. */
  join(holder: TextHolder): void {
    this.#holders.push(new WeakRef(holder));
  }

  /** Counts a text as stored, once for each store that holds it. */
  retain({ arena, extent }: StoredText): void {
    this.#takenSinceStored = 0;
    if (arena.index < 0) this.#track(arena);
    // Of an arena long filled, what was in flight already counts as waste; so does what was stored once.
    const fromFlight = Math.min(extent, arena.inFlight);
    arena.inFlight -= fromFlight;
    this.#waste -= extent - fromFlight;
    arena.live += extent;
    this.#live += extent;
  }

  /** Counts a text as no longer stored by one of them. */
  release({ arena, extent }: StoredText): void {
    // While one store gives back what a replacement left, another may have had this block emptied.
    if (arena.index < 0) return;
    arena.live -= extent;
    this.#live -= extent;
    this.#waste += extent;
    if (arena.isVacant && arena !== this.#current) this.#forget(arena);
  }

  /** Empties the block with the most waste, when there is too much in all. Returns whether it did. */
  compact(): boolean {
    if (this.#waste < this.#compactAt || this.#waste < this.#live * WASTE_SHARE) return false;
    const victim = this.#mostWasteful();
    if (victim === undefined) {
      // Nothing is worth moving: ask again only when there is notably more waste.
      this.#compactAt = this.#waste + WASTE_BYTES;
      return false;
    }
    this.#compactAt = WASTE_BYTES;
    if (victim === this.#current) this.#current = undefined;
    this.#forget(victim);
    const write = (offset: number, extent: number): Arena => {
      const to = this.#append(victim.bytes.subarray(offset, offset + extent));
      to.live += extent;
      this.#live += extent;
      return to;
    };
    this.#holders = this.#holders.filter((each) => {
      const holder = each.deref();
      holder?.evacuate(victim, write);
      return holder !== undefined;
    });
    return true;
  }

  #append(text: Uint8Array, tail?: Uint8Array): Arena {
    const length = text.length + (tail?.length ?? 0);
    let arena = this.#current;
    if (arena === undefined || arena.room < length) arena = this.#open(length);
    arena.bytes.set(text, arena.used);
    if (tail !== undefined) arena.bytes.set(tail, arena.used + text.length);
    arena.used += length;
    return arena;
  }

  #open(length: number): Arena {
    if (length > LARGE_OBJECT_BYTES) return this.#track(this.#arena(new Uint8Array(length)));
    if (this.#current !== undefined) this.#seal(this.#current);
    while (this.#nextBlockBytes < length) this.#nextBlockBytes *= 2;
    const paged = this.#allocated + this.#takenSinceStored >= PAGED_FROM_BYTES;
    const block = newBlock(this.#nextBlockBytes, paged);
    this.#takenSinceStored += block.length;
    this.#nextBlockBytes = Math.min(this.#nextBlockBytes * 2, BLOCK_BYTES);
    return this.#current = this.#track(this.#arena(block));
  }

  #arena(block: Uint8Array): Arena {
    const arena = new Arena(this, block);
    this.#recent.push(arena);
    if (this.#recent.length > RECENT_ARENAS) {
      const old = this.#recent.shift()!;
      if (old === this.#current) {
        this.#recent.push(old);
        return arena;
      }
      if (old.index >= 0) this.#waste += old.inFlight;
      old.inFlight = 0;
      if (old.index >= 0 && old.isVacant) this.#forget(old);
    }
    return arena;
  }

  /** A full arena that already holds nothing that is stored, nor may come to, is given back. */
  #seal(arena: Arena): void {
    this.#current = undefined;
    if (arena.isVacant) this.#forget(arena);
  }

  #mostWasteful(): Arena | undefined {
    let most: Arena | undefined;
    let mostShare = VICTIM_SHARE;
    const count = this.#arenas.length;
    for (let i = Math.min(count, CANDIDATES); i > 0; i--) {
      this.#nextCandidate = (this.#nextCandidate + 1) % count;
      const arena = this.#arenas[this.#nextCandidate]!;
      if (arena === this.#current && count > 1) continue;
      const share = arena.waste / arena.bytes.length;
      if (share < mostShare) continue;
      most = arena;
      mostShare = share;
    }
    return most;
  }

  #track(arena: Arena): Arena {
    arena.index = this.#arenas.push(arena) - 1;
    this.#allocated += arena.bytes.length;
    this.#waste += arena.waste;
    return arena;
  }

  #forget(arena: Arena): void {
    const last = this.#arenas.pop()!;
    if (last !== arena) {
      this.#arenas[arena.index] = last;
      last.index = arena.index;
    }
    arena.index = -1;
    this.#allocated -= arena.bytes.length;
    this.#waste -= arena.waste;
    this.#live -= arena.live;
    arena.live = 0;
  }
}

/**
 * A block of memory. The C allocator's is cheap, since it comes back already touched, but after churn
 * the allocator holds on to what it was given back; and once a pool takes pages, it never asks for
 * that again. Pages go back to the system at once and cost some 3 us more for each 6 KB written. The
 * engine takes the memory of a resizable buffer as pages; its size never changes here.
 */
function newBlock(size: number, paged: boolean): Uint8Array {
  return paged
    ? new Uint8Array(new ArrayBuffer(size, { maxByteLength: size }), 0, size)
    : new Uint8Array(size);
}
