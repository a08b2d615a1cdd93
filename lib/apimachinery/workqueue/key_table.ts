/** The number in place of a slot of a {@linkcode KeyTable} where there is none. */
export const NO_SLOT = -1;

/** State of a key that is queued: it needs work, and no worker processes it. */
export const QUEUED = 0;
/** State of a key that a worker processes. */
export const PROCESSING = 1;
/** State of a key that was added again while a worker processes it. */
export const AGAIN = 2;

/** Number of slots for which a new {@linkcode KeyTable} has memory: a queue may stay empty. */
const FIRST_CAPACITY = 8;

/** Largest number of slots for which a {@linkcode KeyTable} keeps memory when it becomes empty. */
const KEPT_CAPACITY = 1024;

/**
 * The keys of a work queue that are queued or being processed. Each key has a slot: its index in
 * the columns of the table, the same until the key is removed.
 *
 * The columns are arrays of numbers in place of an object per key, since the garbage collector
 * would copy each object of a first list twice. A table that becomes empty gives the memory of a
 * long queue back.
 */
export class KeyTable<K> {
  readonly #slots = new Map<K, number>();
  /** The keys by slot; `undefined` for a free slot. */
  #keys: (K | undefined)[] = [];
  /** The free slot that is used next, or {@linkcode NO_SLOT}; its `next` is the one after it. */
  #free = NO_SLOT;
  #capacity = 0;
  /** The state of each key: {@linkcode QUEUED}, {@linkcode PROCESSING} or {@linkcode AGAIN}. */
  state!: Uint8Array;
  /** The priority of each key's delivery that has not begun, else of the one in work. */
  priority!: Float64Array;
  /** The time of the add that led to `priority`, in milliseconds on the queue's monotonic clock. */
  sinceMs!: Float64Array;
  /** The slot after each slot in the list that contains it; maintained by that list. */
  next!: Int32Array;
  /** The slot before each slot in the list that contains it; maintained by that list. */
  previous!: Int32Array;

  constructor() {
    this.#resize(FIRST_CAPACITY);
  }

  /** The number of keys of the work queue that are queued or being processed. */
  get size(): number {
    return this.#slots.size;
  }

  /** Returns the slot of a key; `undefined` if the work queue does not contain the key. */
  slotOf(key: K): number | undefined {
    return this.#slots.get(key);
  }

  /** Returns the key in a slot of the table, which must not be free. */
  keyAt(slot: number): K {
    return this.#keys[slot] as K;
  }

  /** Adds a key that is not in the table as `QUEUED`, and returns its slot. */
  add(key: K, priority: number, sinceMs: number): number {
    const slot = this.#allocate();
    this.#keys[slot] = key;
    this.#slots.set(key, slot);
    this.state[slot] = QUEUED;
    this.priority[slot] = priority;
    this.sinceMs[slot] = sinceMs;
    return slot;
  }

  /** Removes a key of the table, whose slot must be in no list. */
  remove(slot: number): void {
    this.#slots.delete(this.#keys[slot] as K);
    this.#keys[slot] = undefined;
    this.next[slot] = this.#free;
    this.#free = slot;
    if (this.#slots.size === 0 && this.#capacity > KEPT_CAPACITY) this.#clear();
  }

  #allocate(): number {
    const slot = this.#free;
    if (slot !== NO_SLOT) {
      this.#free = this.next[slot]!;
      return slot;
    }
    if (this.#keys.length === this.#capacity) this.#resize(2 * this.#capacity);
    return this.#keys.length;
  }

  #clear(): void {
    this.#keys = [];
    this.#free = NO_SLOT;
    this.#resize(FIRST_CAPACITY);
  }

  /** Gives the columns a new capacity; keeps their values only if they get longer. */
  #resize(capacity: number): void {
    const { state, priority, sinceMs, next, previous } = this;
    this.#capacity = capacity;
    this.state = resized(new Uint8Array(capacity), state);
    this.priority = resized(new Float64Array(capacity), priority);
    this.sinceMs = resized(new Float64Array(capacity), sinceMs);
    this.next = resized(new Int32Array(capacity), next);
    this.previous = resized(new Int32Array(capacity), previous);
  }
}

/** Returns `column` with the values of a shorter one, if there is one. */
function resized<C extends Uint8Array | Float64Array | Int32Array>(
  column: C,
  shorter: C | undefined,
): C {
  if (shorter && shorter.length < column.length) column.set(shorter);
  return column;
}
