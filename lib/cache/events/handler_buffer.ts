import type { KubeObject } from "@xca/apimachinery/meta";
import { type ChangeList, ChangeRun } from "./change_list.ts";
import { coalesce, type Pending } from "./coalesce.ts";
import { Deque } from "./deque.ts";

/**
 * The event queue of one handler of an informer. The queue accepts every change, but does not grow
 * forever when the handler is too slow: above a limit the queue merges the changes of each object
 * (see {@linkcode coalesce}).
 *
 * The limit is at least `above`, twice the number of stored objects, and twice the number of
 * changes of a list or relist, so that neither a list nor a resync, which have one change per key,
 * causes a merge without effect. The queue has at most `max(above, 4 x keys)` changes, where the
 * keys include those of deleted objects. A merge is one step of some 1 us per change.
 */
export class HandlerBuffer<T extends KubeObject = KubeObject> {
  readonly #waiting = new Deque<Pending<T> | ChangeRun<T>>();
  /**
   * The number of entries in the event handler's queue; each change that is left in a queued change
   * list counts as one.
   */
  #length = 0;
  readonly #above: number;
  readonly #stored: () => number;
  /**
   * The queue length above which the changes are merged next: at least twice the length after the
   * last merge, so that the cost per change is constant. Reset to `above` when the queue is empty.
   */
  #mergeAt: number;

  /**
   * Creates an empty event queue for one event handler.
   *
   * @param above The queue length up to which changes are never merged.
   * @param stored Returns the number of objects in the informer's store.
   */
  constructor(above: number, stored: () => number) {
    this.#above = above;
    this.#stored = stored;
    this.#mergeAt = above;
  }

  /**
   * Number of entries in the event handler's queue: changes, and the marker {@linkcode
   * INITIAL_END}.
   */
  get length(): number {
    return this.#length;
  }

  /**
   * Appends a change, or the marker {@linkcode INITIAL_END}, to the handler's queue. Returns
   * whether the queued changes were then merged.
   */
  push(entry: Pending<T>): boolean {
    this.#waiting.push(entry);
    this.#length++;
    return this.#mergeIfLong();
  }

  /**
   * Appends a change list to the handler's queue. Returns whether the queued changes were then
   * merged.
   */
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

  /**
   * Removes and returns the oldest entry of the handler's queue; `undefined` when the queue is
   * empty.
   */
  shift(): Pending<T> | undefined {
    const first = this.#waiting.first;
    if (first === undefined) return undefined;
    const isRun = first instanceof ChangeRun;
    const entry = isRun ? first.next() : first;
    if (!isRun || first.left === 0) this.#waiting.shift();
    if (--this.#length === 0) this.#mergeAt = this.#above;
    return entry;
  }

  /**
   * Drops all entries of the event handler's queue, and the handler's share of queued change lists.
   */
  clear(): void {
    for (const each of this.#waiting) if (each instanceof ChangeRun) each.drop();
    this.#waiting.clear();
    this.#length = 0;
    this.#mergeAt = this.#above;
  }

  /** Removes all entries of the event handler's queue, and yields them one by one. */
  *#all(): Iterable<Pending<T>> {
    for (let entry = this.shift(); entry !== undefined; entry = this.shift()) yield entry;
  }
}
