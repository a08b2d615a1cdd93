/**
 * A key handed to one worker, until the worker is done with it.
 *
 * Guarantees that no other worker holds the same key meanwhile. Declare it with `using`, so that
 * every way out of the block (return, throw) finishes the key; a lease that is never finished keeps
 * its key away from all workers for good.
 */
export interface Lease<K> extends Disposable {
  /** The key to work on. */
  readonly key: K;
  /**
   * Ends the work on the key. If the key was added meanwhile, it is queued again, at the end.
   * Calling it again, or disposing afterwards, does nothing.
   */
  done(): void;
}

/**
 * What the queue knows of one key that is dirty or processing, and at the same time the lease its
 * worker gets: one allocation per delivery. Never reused for a second delivery, so a lease that is
 * finished twice cannot end someone else's work.
 */
export class Entry<K> implements Lease<K> {
  readonly key: K;
  /** The key needs work that no worker has begun. */
  dirty = true;
  /** A worker holds the key. Queued means dirty and not processing. */
  processing = false;
  /** The entry queued behind this one. Undefined unless queued. */
  next: Entry<K> | undefined = undefined;
  /** When the key became dirty, on the queue's monotonic clock; kept only for metrics. */
  addedMs = 0;
  /** When a worker took the key, on the queue's monotonic clock; kept only for metrics. */
  startedMs = 0;
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
