import type { KubeObject } from "@xca/apimachinery/meta";
import { type ChangeList, ChangeRun } from "./change_list.ts";
import { coalesce, type Pending } from "./coalesce.ts";
import { Deque } from "./deque.ts";

/**
 * What waits for one handler, in order. It takes everything in, but a handler that is too slow does not
 * make it grow for ever: above a limit the changes of each key are merged (see {@linkcode coalesce}).
 *
 * The limit is at least twice the number of stored objects, and twice what a list or a relist changes,
 * so that neither these nor a resync, which have one change per key, are ever merged in vain. It holds
 * at most `max(above, 4 x keys)` changes, those of deleted objects among the keys. Merging is one step,
 * of some 1 us for each change that waits.
 */
export class HandlerBuffer<T extends KubeObject = KubeObject> {
  readonly #waiting = new Deque<Pending<T> | ChangeRun<T>>();
  /** How many entries `#waiting` stands for. */
  #length = 0;
  readonly #above: number;
  readonly #stored: () => number;
  /** The length at which to merge next: at least twice what the last merge left, so that its cost is spread. */
  #mergeAt: number;

  /**
   * Makes an empty buffer.
   *
   * @param above It merges only above so many changes.
   * @param stored How many objects there are.
   */
  constructor(above: number, stored: () => number) {
    this.#above = above;
    this.#stored = stored;
    this.#mergeAt = above;
  }

  /** How many entries wait. */
  get length(): number {
    return this.#length;
  }

  /** Appends an entry. Returns whether it then merged what waits. */
  push(entry: Pending<T>): boolean {
    this.#waiting.push(entry);
    this.#length++;
    return this.#mergeIfLong();
  }

  /** Appends many. Returns whether it then merged what waits. */
  pushAll(changes: ChangeList<T>): boolean {
    if (changes.length === 0) return false;
    this.#waiting.push(changes.run());
    this.#length += changes.length;
    this.#mergeAt = Math.max(this.#mergeAt, 2 * changes.length);
    return this.#mergeIfLong();
  }

  #mergeIfLong(): boolean {
    if (this.#length <= this.#mergeAt) return false;
    const limit = this.#mergeAt = Math.max(this.#above, 2 * this.#stored());
    if (this.#length <= limit) return false;
    const merged = coalesce(this.#all());
    this.#waiting.reset(merged);
    this.#length = merged.length;
    this.#mergeAt = Math.max(limit, 2 * merged.length);
    return true;
  }

  /** Takes the oldest entry; `undefined` when there is none. */
  shift(): Pending<T> | undefined {
    const first = this.#waiting.first;
    if (first === undefined) return undefined;
    const isRun = first instanceof ChangeRun;
    const entry = isRun ? first.next() : first;
    if (!isRun || first.left === 0) this.#waiting.shift();
    if (--this.#length === 0) this.#mergeAt = this.#above;
    return entry;
  }

  /** Drops everything. */
  clear(): void {
    for (const each of this.#waiting) if (each instanceof ChangeRun) each.drop();
    this.#waiting.clear();
    this.#length = 0;
    this.#mergeAt = this.#above;
  }

  /** Takes everything. */
  *#all(): Iterable<Pending<T>> {
    for (let entry = this.shift(); entry !== undefined; entry = this.shift()) yield entry;
  }
}
