/**
 * A lease of a work queue: a key handed to one worker until it is done. No other worker gets the
 * key meanwhile.
 *
 * Declare it with `using`, so that the key is finished on every way out of the block. A lease that
 * is never finished withholds its key from all workers for good.
 */
export interface KeyLease<K> extends Disposable {
  /** The key that the worker processes. */
  readonly key: K;
  /** The priority at which the queue handed out the key. */
  readonly priority: number;
  /**
   * Ends the work on the key. If the key was added meanwhile, it is queued again, at the end.
   * Further calls have no effect.
   */
  done(): void;
}
