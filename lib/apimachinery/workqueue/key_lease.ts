/**
 * A lease of a work queue: a key that one worker has taken and not finished yet. No other worker
 * gets the key meanwhile.
 *
 * The worker should declare a lease with `using`, so that the key is finished on every exit from
 * the block. A lease that is never finished withholds its key from all workers for good.
 */
export interface KeyLease<K> extends Disposable {
  /** The key that the worker took from the work queue and processes. */
  readonly key: K;
  /** The priority at which the queue delivered the key. */
  readonly priority: number;
  /**
   * Ends the work on the key. If the key was added meanwhile, it is queued again, behind the other
   * keys of its priority. Further calls have no effect.
   */
  done(): void;
}
