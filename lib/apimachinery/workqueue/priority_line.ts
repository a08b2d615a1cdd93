import { type KeyTable, NO_SLOT } from "./key_table.ts";
import { FairLevel, FifoLevel, type Level, type Sharing } from "./level.ts";
import type { StepClock } from "./step_clock.ts";

/**
 * Number of deliveries, counted while keys of several priorities are queued, of which the last is
 * that of a key of a lower priority, if such a key has waited for the ageing time.
 */
export const AGED_TURN = 4;
/**
 * Number of priority levels from which on a {@linkcode PriorityLine}, when it adds a level, drops
 * the levels without keys if these are at least half of all.
 */
const MOST_IDLE_LEVELS = 16;

/** Options of the {@linkcode PriorityLine} constructor. */
export interface PriorityLineOptions<K> {
  /** The time after which a queued key counts as aged, in milliseconds. */
  readonly agingMs: number;
  /**
   * The rules by which keys of one priority are divided among tenants; `undefined` for first
   * come, first served.
   */
  readonly sharing: Sharing<K> | undefined;
  /** The clock that measures the age of queued keys. */
  readonly time: StepClock;
}

/**
 * The slots of a work queue's queued keys at all priorities. The highest priority is handed out
 * first, and within it the keys first come, first served, or the tenants in turns by their weights.
 *
 * A key of a lower priority that has waited for the ageing time is handed out in every fourth turn,
 * so that a stream of keys of a higher priority neither starves the lower ones nor waits behind all
 * of them.
 */
export class PriorityLine<K> {
  readonly #keys: KeyTable<K>;
  readonly #options: PriorityLineOptions<K>;
  /** The levels of queued keys, the lowest priority first; some may be empty. */
  #levels: Level[] = [];
  /** The priority level to which the latest key was added. */
  #recent: Level | undefined;
  #length = 0;
  #turns = 0;

  /** Creates an empty line of slots of `keys`, the table of a work queue's keys. */
  constructor(keys: KeyTable<K>, options: PriorityLineOptions<K>) {
    this.#keys = keys;
    this.#options = options;
  }

  /** The number of queued keys at all priorities. */
  get length(): number {
    return this.#length;
  }

  /** Appends the slot of a key to the level of the key's priority. */
  push(slot: number): void {
    const recent = this.#recent;
    const priority = this.#keys.priority[slot]!;
    const level = recent?.priority === priority ? recent : this.#levelOf(priority);
    level.push(slot);
    this.#length++;
  }

  /** Removes and returns the slot of the key that is delivered next, or {@linkcode NO_SLOT}. */
  shift(): number {
    if (this.#length === 0) return NO_SLOT;
    const top = this.#top()!;
    const isAlone = top.length === this.#length;
    this.#length--;
    if (isAlone) return top.shift();
    const isAgedTurn = ++this.#turns % AGED_TURN === 0;
    return (isAgedTurn && this.#aged(top) || top).shift();
  }

  /** Moves a queued key to the end of the level of a higher priority. */
  raise(slot: number, priority: number): void {
    this.#levelOf(this.#keys.priority[slot]!).remove(slot);
    this.#length--;
    this.#keys.priority[slot] = priority;
    this.push(slot);
  }

  /** Returns the number of keys that are delivered before a queued one, without ageing. */
  before(slot: number): number {
    const priority = this.#keys.priority[slot]!;
    let count = 0;
    for (const level of this.#levels) {
      if (level.priority > priority) count += level.length;
      else if (level.priority === priority) count += indexIn(level, slot);
    }
    return count;
  }

  /** Yields the queued slots in the order in which they are delivered, without ageing. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (const level of this.#levels.toReversed()) yield* level;
  }

  /** Returns the level of the highest priority that has keys. */
  #top(): Level | undefined {
    let at = this.#levels.length - 1;
    while (at > 0 && this.#levels[at]!.length === 0) at--;
    return this.#levels[at];
  }

  /**
   * Returns the priority level below `top` whose next key has waited longest, if that key is aged.
   */
  #aged(top: Level): Level | undefined {
    let oldest: Level | undefined;
    let oldestMs = this.#options.time.now() - this.#options.agingMs;
    for (const level of this.#levels) {
      if (level === top) break;
      const next = level.peek();
      if (next === NO_SLOT) continue;
      const sinceMs = this.#keys.sinceMs[next]!;
      if (sinceMs > oldestMs) continue;
      oldestMs = sinceMs;
      oldest = level;
    }
    return oldest;
  }

  /** Returns the level of a priority, which is added if it is new. */
  #levelOf(priority: number): Level {
    let at = this.#levels.length;
    while (at > 0 && this.#levels[at - 1]!.priority > priority) at--;
    const known = this.#levels[at - 1];
    if (known?.priority === priority) return this.#recent = known;
    return this.#recent = this.#insert(priority);
  }

  #insert(priority: number): Level {
    const { sharing } = this.#options;
    const level = sharing
      ? new FairLevel(priority, this.#keys, sharing)
      : new FifoLevel(priority, this.#keys);
    if (this.#levels.length >= MOST_IDLE_LEVELS) {
      const used = this.#levels.filter(({ length }) => length > 0);
      if (used.length <= this.#levels.length / 2) this.#levels = used;
    }
    const at = this.#levels.findIndex((other) => other.priority > priority);
    this.#levels.splice(at === -1 ? this.#levels.length : at, 0, level);
    return level;
  }
}

/** Returns the position of a member in a sequence: the number of members before it. */
function indexIn(members: Iterable<number>, member: number): number {
  let index = 0;
  for (const each of members) {
    if (each === member) break;
    index++;
  }
  return index;
}
