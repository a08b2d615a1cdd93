import type { Clock } from "../base/time/clock.ts";
import type { Entry } from "./entry.ts";
import { FairLevel, FifoLevel, type Level, type Sharing } from "./level.ts";

/**
 * Number of deliveries, counted while keys of several priorities are queued, of which the last is
 * that of a key of a lower priority, if such a key has waited for the ageing time.
 */
export const AGED_TURN = 4;
/**
 * Number of priority levels from which on a {@linkcode PriorityLine}, when it adds a level, drops
 * the levels without entries if these are at least half of all.
 */
const MOST_IDLE_LEVELS = 16;

/** Options of the {@linkcode PriorityLine} constructor. */
export interface PriorityLineOptions<K> {
  /** The time after which a queued entry counts as aged, in milliseconds. */
  readonly agingMs: number;
  /**
   * The rules by which entries of one priority are divided among tenants; `undefined` for first
   * come, first served.
   */
  readonly sharing: Sharing<K> | undefined;
  /** The clock that measures the age of queued entries. */
  readonly clock: Clock;
}

/**
 * The queued entries of a work queue at all priorities. The highest priority is handed out first,
 * and within it the entries first come, first served, or the tenants in turns by their weights.
 *
 * An entry of a lower priority that has waited for the ageing time is handed out in every fourth
 * turn, so that a stream of entries of a higher priority neither starves the lower ones nor waits
 * behind all of them.
 */
export class PriorityLine<K> {
  readonly #options: PriorityLineOptions<K>;
  /** The levels of queued entries, the lowest priority first; some may be empty. */
  #levels: Level<K>[] = [];
  /** The priority level to which the latest entry was added. */
  #recent: Level<K> | undefined;
  #length = 0;
  #turns = 0;

  constructor(options: PriorityLineOptions<K>) {
    this.#options = options;
  }

  /** The number of queued entries at all priorities. */
  get length(): number {
    return this.#length;
  }

  /** Appends an entry to the level of its priority. */
  push(entry: Entry<K>): void {
    const recent = this.#recent;
    const level = recent?.priority === entry.priority ? recent : this.#levelOf(entry.priority);
    level.push(entry);
    this.#length++;
  }

  /**
   * Removes and returns the queued entry that is delivered next; `undefined` when there is none.
   */
  shift(): Entry<K> | undefined {
    if (this.#length === 0) return undefined;
    const top = this.#top()!;
    const isAlone = top.length === this.#length;
    this.#length--;
    if (isAlone) return top.shift();
    const isAgedTurn = ++this.#turns % AGED_TURN === 0;
    return (isAgedTurn && this.#aged(top) || top).shift();
  }

  /** Moves a queued entry to the end of the level of a higher priority. */
  raise(entry: Entry<K>, priority: number): void {
    this.#levelOf(entry.priority).remove(entry);
    this.#length--;
    entry.priority = priority;
    this.push(entry);
  }

  /** Returns the number of entries that are delivered before a queued one, without ageing. */
  before(entry: Entry<K>): number {
    let count = 0;
    for (const level of this.#levels) {
      if (level.priority > entry.priority) count += level.length;
      else if (level.priority === entry.priority) count += level.before(entry);
    }
    return count;
  }

  /** Yields the queued entries in the order in which they are delivered, without ageing. */
  *[Symbol.iterator](): IterableIterator<Entry<K>> {
    for (const level of this.#levels.toReversed()) yield* level;
  }

  /** Returns the level of the highest priority that has entries. */
  #top(): Level<K> | undefined {
    let at = this.#levels.length - 1;
    while (at > 0 && this.#levels[at]!.length === 0) at--;
    return this.#levels[at];
  }

  /**
   * Returns the priority level below `top` whose next entry has waited longest, if that entry is
   * aged.
   */
  #aged(top: Level<K>): Level<K> | undefined {
    let oldest: Level<K> | undefined;
    let sinceMs = this.#options.clock.monotonicMs() - this.#options.agingMs;
    for (const level of this.#levels) {
      if (level === top) break;
      const next = level.peek();
      if (!next || next.sinceMs > sinceMs) continue;
      sinceMs = next.sinceMs;
      oldest = level;
    }
    return oldest;
  }

  /** Returns the level of a priority, which is added if it is new. */
  #levelOf(priority: number): Level<K> {
    let at = this.#levels.length;
    while (at > 0 && this.#levels[at - 1]!.priority > priority) at--;
    const known = this.#levels[at - 1];
    if (known?.priority === priority) return this.#recent = known;
    return this.#recent = this.#insert(priority);
  }

  #insert(priority: number): Level<K> {
    const { sharing } = this.#options;
    const level = sharing ? new FairLevel(priority, sharing) : new FifoLevel<K>(priority);
    if (this.#levels.length >= MOST_IDLE_LEVELS) {
      const used = this.#levels.filter(({ length }) => length > 0);
      if (used.length <= this.#levels.length / 2) this.#levels = used;
    }
    const at = this.#levels.findIndex((other) => other.priority > priority);
    this.#levels.splice(at === -1 ? this.#levels.length : at, 0, level);
    return level;
  }
}
