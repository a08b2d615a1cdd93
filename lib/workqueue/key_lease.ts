/**
 * A key handed to one worker until it is done. No other worker gets the key meanwhile.
 *
 * Declare it with `using`, so that the key is finished on every way out of the block. A lease that
 * is never finished withholds its key from all workers for good.
 */
export interface KeyLease<K> extends Disposable {
  /** The key to work on. */
  readonly key: K;
  /**
   * Ends the work on the key. If the key was added meanwhile, it is queued again, at the end.
   * Further calls have no effect.
   */
  done(): void;
}

/**
 * One delivery of one key, from its add to its end, and the lease of its worker, in one allocation.
 * It is queued, then processed, then finished, and never reused, so that finishing a lease twice
 * cannot end another delivery.
 */
export class Entry<K> implements KeyLease<K> {
  readonly key: K;
  /** Whether a worker holds the key. */
  processing = false;
  /** The next delivery of the key, once it is added while being processed. */
  again: Entry<K> | undefined = undefined;
  /** The entry taken before this one; undefined unless being processed. */
  previous: Entry<K> | undefined = undefined;
  /** The next entry in the queue, or the entry taken after this one; undefined when finished. */
  next: Entry<K> | undefined = undefined;
  /** The start of the present state on the queue's monotonic clock; kept for metrics only. */
  sinceMs: number = NaN;
  readonly #finish: (entry: Entry<K>) => void;

  constructor(key: K, finish: (entry: Entry<K>) => void) {
    this.key = key;
    this.#finish = finish;
  }

  done(): void {
    this.#finish(this);
  }

  [Symbol.dispose](): void {
    this.#finish(this);
  }
}
