import type { KeyLease } from "./key_lease.ts";

/** Options for {@linkcode WorkQueue.get}. */
export interface QueueGetOptions {
  /** Ends a waiting get; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for {@linkcode WorkQueue.add}. */
export interface AddOptions {
  /**
   * The priority of the key: a key of a higher priority is handed out first. An add raises the
   * priority of a queued or waiting key and never lowers it.
   *
   * @default {0}
   */
  readonly priority?: number | undefined;
}

/** A key that is queued for a worker. */
export interface QueuedKey<K> {
  /** The key. */
  readonly key: K;
  /** The priority of the key. */
  readonly priority: number;
  /** The number of keys that are handed out before this one, without further adds and ageing. */
  readonly position: number;
}

/**
 * Interface of all queues of keys. Implementations differ in the order in which they hand keys out;
 * producers and workers need only this interface.
 */
export interface WorkQueue<K> {
  /**
   * The number of keys queued for a worker, without those being processed or waiting for a time.
   */
  readonly len: number;
  /** Whether a shutdown was called. */
  readonly shuttingDown: boolean;
  /** Adds a key. */
  add(key: K, options?: AddOptions): void;
  /** Takes the next key; undefined when the queue is shut down and empty. */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined>;
  /** Refuses keys from now on, and ends the workers once the queue is empty. */
  shutDown(): void;
  /**
   * Shuts down like {@linkcode WorkQueue.shutDown}, and resolves when all keys queued or being
   * processed are done.
   */
  shutDownWithDrain(): Promise<void>;
  /** Returns the keys being processed, the longest first, as a snapshot for inspection. */
  processingKeys(): K[];
  /**
   * Returns the first `limit` queued keys in the order in which they are handed out without further
   * adds and ageing, as a snapshot for inspection.
   */
  queuedKeys(limit?: number): QueuedKey<K>[];
  /**
   * Returns the position and the priority of a queued key; undefined for a key that is not queued
   * now, such as one that is being processed. Takes time in proportion to the keys before it.
   */
  queuedKey(key: K): QueuedKey<K> | undefined;
}

/** A {@linkcode WorkQueue} that can add a key later. */
export interface DelayingWorkQueue<K> extends WorkQueue<K> {
  /** The number of keys that wait for a time. */
  readonly waiting: number;
  /** Adds the key after `delayMs` milliseconds. */
  addAfter(key: K, delayMs: number, options?: AddOptions): void;
  /** Returns the keys that wait for a time, the earliest first, as a snapshot for inspection. */
  waitingKeys(): K[];
  /**
   * Returns the time at which the key is due, on the monotonic clock; undefined if it does not
   * wait.
   */
  readyAtMs(key: K): number | undefined;
  /** Returns the priority of a key that waits for a time; undefined if it does not wait. */
  waitingPriority(key: K): number | undefined;
}
