/**
 * A key handed to one worker, until the worker is done with it.
 *
 * Guarantees that no other worker holds the same key meanwhile. Declare it with `using`, so that
 * every way out of the block (return, throw) finishes the key; a lease that is never finished keeps
 * its key away from all workers for good.
 */
export interface KeyLease<K> extends Disposable {
  /** The key to work on. */
  readonly key: K;
  /**
   * Ends the work on the key. If the key was added meanwhile, it is queued again, at the end.
   * Calling it again, or disposing afterwards, does nothing.
   */
  done(): void;
}

/**
 * One delivery of one key, from its add to its end, and the lease its worker gets: one allocation
 * for both. It is in line, then in work, then finished; never used for a second delivery, so a
 * lease that is finished twice cannot end someone else's work.
 */
export class Entry<K> implements KeyLease<K> {
  readonly key: K;
  /** A worker holds the key. */
  processing = false;
  /** The delivery that follows this one, once the key is added while in work. */
  again: Entry<K> | undefined = undefined;
  /** The entry taken before this one. Undefined unless in work. */
  previous: Entry<K> | undefined = undefined;
  /** The entry behind this one in line, or the one taken after it. Undefined unless in line or in work. */
  next: Entry<K> | undefined = undefined;
  /** When its present state began, on the queue's monotonic clock; kept only for metrics. */
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
