import type { KubeObject } from "../meta/object.ts";
import { coalesce, type Pending } from "./coalesce.ts";
import { Deque } from "./deque.ts";

/**
 * What waits for one handler, in order. It takes everything in, but a handler that is too slow does not
 * make it grow for ever: above a limit the changes of each key are merged (see {@linkcode coalesce}), so
 * it holds at most `max(limit, 4 x keys)` changes, however many come.
 */
export class HandlerBuffer<T extends KubeObject = KubeObject> {
  readonly #pending = new Deque<Pending<T>>();
  readonly #above: number;
  /** The length at which to merge next: at least twice what the last merge left, so that its cost is spread. */
  #mergeAt: number;

  /** Makes an empty buffer that begins to merge above `above` changes. */
  constructor(above: number) {
    this.#above = above;
    this.#mergeAt = above;
  }

  /** How many entries wait. */
  get length(): number {
    return this.#pending.length;
  }

  /** Appends a change. */
  push(entry: Pending<T>): void {
    this.#pending.push(entry);
    if (this.#pending.length <= this.#mergeAt) return;
    this.#pending.reset(coalesce(this.#pending));
    this.#mergeAt = Math.max(this.#above, 2 * this.#pending.length);
  }

  /** Takes the oldest entry; `undefined` when there is none. */
  shift(): Pending<T> | undefined {
    const entry = this.#pending.shift();
    if (this.#pending.length === 0) this.#mergeAt = this.#above;
    return entry;
  }

  /** Drops everything. */
  clear(): void {
    this.#pending.clear();
    this.#mergeAt = this.#above;
  }
}
