import type { KubeObject } from "../meta/object.ts";
import type { Change } from "./change.ts";
import { coalesce, type Pending } from "./coalesce.ts";
import { Deque } from "./deque.ts";

/**
 * What waits for one handler, in order. It takes everything in, but a handler that is too slow does not
 * make it grow for ever: above a limit the changes of each key are merged (see {@linkcode coalesce}).
 *
 * The limit is at least twice the number of stored objects, so that a first list or a resync, which
 * has one change per key, is never merged in vain. It holds at most `max(above, 4 x keys)` changes.
 */
export class HandlerBuffer<T extends KubeObject = KubeObject> {
  /** What comes first: the objects that were there already, each to be told as an addition. */
  #replay: Iterator<Change<T>> | undefined;
  /** How many `#replay` has left. */
  #replayLength = 0;
  /** What comes then. */
  readonly #pending = new Deque<Pending<T>>();
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
    return this.#replayLength + this.#pending.length;
  }

  /** Puts changes before everything else. They are made as they are taken, not before. */
  replay(changes: Iterator<Change<T>>, count: number): void {
    this.#replay = changes;
    this.#replayLength = count;
  }

  /** Appends an entry. Returns whether it then merged what waits. */
  push(entry: Pending<T>): boolean {
    this.#pending.push(entry);
    if (this.length <= this.#mergeAt) return false;
    this.#mergeAt = Math.max(this.#above, 2 * this.#stored());
    if (this.length <= this.#mergeAt) return false;
    this.#pending.reset(coalesce(this.#all()));
    this.#mergeAt = Math.max(this.#mergeAt, 2 * this.length);
    return true;
  }

  /** Takes the oldest entry; `undefined` when there is none. */
  shift(): Pending<T> | undefined {
    const entry = this.#replayLength > 0 ? this.#takeReplay() : this.#pending.shift();
    if (this.length === 0) this.#mergeAt = this.#above;
    return entry;
  }

  /** Drops everything. */
  clear(): void {
    this.#replay = undefined;
    this.#replayLength = 0;
    this.#pending.clear();
    this.#mergeAt = this.#above;
  }

  #takeReplay(): Change<T> {
    const { value } = this.#replay!.next();
    if (--this.#replayLength === 0) this.#replay = undefined;
    return value;
  }

  *#all(): Iterable<Pending<T>> {
    while (this.#replayLength > 0) yield this.#takeReplay();
    yield* this.#pending;
  }
}
