import type { KeyLease } from "./key_lease.ts";
import type { Neighbour } from "../base/linked_list.ts";

/**
 * The delivery of a key of a work queue to a worker. A lease is never reused, so that finishing it
 * twice cannot end another delivery of the key.
 */
export class Lease<K> implements KeyLease<K>, Neighbour<Lease<K>> {
  readonly key: K;
  readonly priority: number;
  /** The slot of the key in the table of the work queue, as long as the worker processes it. */
  readonly slot: number;
  /** Reports whether the worker has finished the key. */
  isDone = false;
  /** The time at which the worker took the key, in a queue with metrics; otherwise 0. */
  takenMs = 0;
  previous: Lease<K> | undefined = undefined;
  next: Lease<K> | undefined = undefined;
  readonly #finish: (lease: Lease<K>) => void;

  constructor(key: K, priority: number, slot: number, finish: (lease: Lease<K>) => void) {
    this.key = key;
    this.priority = priority;
    this.slot = slot;
    this.#finish = finish;
  }

  done(): void {
    this.#finish(this);
  }

  [Symbol.dispose](): void {
    this.#finish(this);
  }
}
