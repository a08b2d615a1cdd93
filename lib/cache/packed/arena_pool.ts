import {
  Arena,
  type PackedFormat,
  type StoredText,
  type TextHolder,
  type TextPool,
} from "./arena.ts";

/**
 * Size in bytes of the first memory block of an arena pool. Small, so that a small store costs
 * little; each block is twice as large as the one before, up to {@linkcode BLOCK_BYTES}.
 */
const FIRST_BLOCK_BYTES = 16 * 1024;
/**
 * The largest size of a memory block that objects share, in bytes. With blocks of 4 MiB, a store
 * under constant change took 1.5 times the CPU time, since the C allocator had to touch new pages,
 * and more memory, since fewer blocks became empty by themselves.
 */
const BLOCK_BYTES = 256 * 1024;
/**
 * Size in bytes of an arena pool, blocks allocated since an object was last stored counted twice,
 * from which on its shared blocks are allocated as pages of the operating system; see {@linkcode
 * newBlock}.
 */
const PAGED_FROM_BYTES = 28 * 1024 * 1024;
/**
 * The size in bytes above which an object that does not fit into the current memory block gets a
 * block of its own, so that it does not waste the end of a shared one.
 */
const LARGE_OBJECT_BYTES = BLOCK_BYTES / 8;
/**
 * Bytes of waste in an arena pool, and (`WASTE_SHARE`) the ratio of waste to stored bytes; the pool
 * compacts an arena when both are reached.
 */
const WASTE_BYTES = 256 * 1024;
const WASTE_SHARE = 0.1;
/** Ratio of waste to the size of an arena from which on the arena is worth copying. */
const VICTIM_SHARE = 0.15;
/**
 * The number of newest arenas of a pool whose unstored objects count as needed. A packed object
 * that was never stored counts as abandoned once its arena is not among them.
 */
const RECENT_ARENAS = 16;
/** Limit on the number of arenas of a pool examined per compaction, round robin. */
const CANDIDATES = 64;

/**
 * The pool of the arenas of one packer: allocates arenas, and reclaims the space of replaced
 * objects.
 *
 * Only a store knows which objects are live, and reports it by {@linkcode ArenaPool.retain} and
 * {@linkcode ArenaPool.release}. When too much is wasted, {@linkcode ArenaPool.compact} empties one
 * arena by copying its live objects: far less than 10 ms of synchronous work, of which 2 us per
 * thousand stored objects go into finding the texts. The emptied arena is freed once no reader
 * holds an old version in it.
 */
export class ArenaPool implements TextPool {
  /** The properties that all objects of the arena pool have in common. */
  readonly format: PackedFormat;
  readonly #arenas: Arena[] = [];
  #nextCandidate = 0;
  /**
   * The newest arenas of the pool, oldest first. Objects in them that are not stored yet count as
   * needed.
   */
  readonly #recent: Arena[] = [];
  /** The stores registered with the arena pool. Weak, since a packer may outlive a store. */
  #holders: WeakRef<TextHolder>[] = [];
  #current: Arena | undefined;
  #nextBlockBytes = FIRST_BLOCK_BYTES;
  #allocated = 0;
  /**
   * The size of the shared blocks allocated since an object was last stored, in bytes. A list is
   * stored only once it is complete, so the bytes of stored objects alone would not show the memory
   * of a large list that arrives.
   */
  #takenSinceStored = 0;
  #waste = 0;
  #live = 0;
  #compactAt = WASTE_BYTES;

  constructor(format: PackedFormat) {
    this.format = format;
  }

  /** The size of all memory blocks of the arena pool, in bytes. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /**
   * The number of bytes in the arena pool that belong to stored objects; an object in two stores
   * counts twice.
   */
  get liveBytes(): number {
    return this.#live;
  }

  /**
   * The number of bytes written to the arena pool that belong neither to stored objects nor to
   * recent ones that may still be stored.
   */
  get wasteBytes(): number {
    return this.#waste;
  }

  /**
   * Copies the text and the encoded metadata (tail) of an object that is not stored yet into an
   * arena. Returns the arena; the tail ends at the arena's `used` position.
   */
  write(text: Uint8Array, tail: Uint8Array): Arena {
    const arena = this.#append(text, tail);
    arena.inFlight += text.length + tail.length;
    return arena;
  }

  /**
   * Registers a store with the arena pool for compactions, until the store is garbage-collected.
   * The caller registers each store only once.
   */
  join(holder: TextHolder): void {
    this.#holders.push(new WeakRef(holder));
  }

  /** Adds one reference of a store to an object's text in the arena pool. */
  retain({ arena, extent }: StoredText): void {
    this.#takenSinceStored = 0;
    if (arena.index < 0) this.#track(arena);
    // In an arena filled long ago, bytes in flight already count as waste, and so do bytes that
    // were stored before.
    const fromFlight = Math.min(extent, arena.inFlight);
    arena.inFlight -= fromFlight;
    this.#waste -= extent - fromFlight;
    arena.live += extent;
    this.#live += extent;
  }

  /** Removes one reference of a store to an object's text in the arena pool. */
  release({ arena, extent }: StoredText): void {
    // Another store emptied the arena by a compaction while this store was still releasing the
    // objects of a replacement.
    if (arena.index < 0) return;
    arena.live -= extent;
    this.#live -= extent;
    this.#waste += extent;
    if (arena.isVacant && arena !== this.#current) this.#forget(arena);
  }

  /**
   * Empties the most wasteful of the next {@linkcode CANDIDATES} arenas, if the pool wastes too
   * much, the arena wastes {@linkcode VICTIM_SHARE} or more, and no replacement of a store's
   * objects is in progress. Returns whether an arena was emptied.
   */
  compact(): boolean {
    if (this.#waste < this.#compactAt || this.#waste < this.#live * WASTE_SHARE) return false;
    if (this.#holders.some((each) => each.deref()?.isReplacing())) return false;
    const victim = this.#mostWasteful();
    if (victim === undefined) {
      // No arena is worth copying: examine them again only when there is notably more waste.
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

  /**
   * Stops writing to the current arena, and removes it from the pool's list if it holds neither
   * stored objects nor objects still to be stored.
   */
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
 * Allocates a memory block of `size` bytes for an arena: as pages of the operating system if
 * `paged` is true, otherwise from the C allocator.
 *
 * The allocator is cheap, because its memory has been touched before, but it keeps the freed memory
 * after many changes, and is not used again once the pool takes pages. Pages go back to the system
 * at once and cost some 3 us more per 6 KB written. V8 maps the memory of a resizable buffer as
 * pages, so the block is a resizable buffer whose size never changes.
 * `tests/runtime_guesses_test.ts` fails when V8 no longer does so.
 */
function newBlock(size: number, paged: boolean): Uint8Array {
  return paged
    ? new Uint8Array(new ArrayBuffer(size, { maxByteLength: size }), 0, size)
    : new Uint8Array(size);
}
