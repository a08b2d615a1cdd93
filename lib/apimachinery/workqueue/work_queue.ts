import type { KeyLease } from "./key_lease.ts";

/** Options of {@linkcode WorkQueue.get}, which takes the next key. */
export interface QueueGetOptions {
  /**
   * The signal that ends a `get` that waits for a key; the promise then rejects with the reason of
   * the signal. With a signal that is aborted already, `get` rejects even if a key is queued.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode WorkQueue.add}, which adds a key. */
export interface AddOptions {
  /**
   * The priority of the added key: a key of a higher priority is delivered first. An add raises the
   * priority of a queued or waiting key and never lowers it.
   *
   * @default {0}
   */
  readonly priority?: number | undefined;
}

/**
 * A key that is queued for a worker, with its position, as {@linkcode WorkQueue.queuedKey} and
 * {@linkcode WorkQueue.queuedKeys} return it.
 */
export interface QueuedKey<K> {
  /** The queued key. */
  readonly key: K;
  /** The priority of the queued key. */
  readonly priority: number;
  /**
   * The number of keys that are delivered before the queued key, without further adds and ageing.
   */
  readonly position: number;
}

/**
 * The interface of all work queues of keys. Implementations differ in the order in which they
 * deliver keys; producers and workers need only this interface.
 */
export interface WorkQueue<K> {
  /** The number of keys queued for a worker, without those being processed or delayed. */
  readonly len: number;
  /** Reports whether the queue is shut down or shutting down, so that it ignores adds. */
  readonly shuttingDown: boolean;
  /** Adds a key to the queue; no effect after a shutdown. */
  add(key: K, options?: AddOptions): void;
  /**
   * Takes the next key of the queue, once there is one, and returns its lease; `undefined` when the
   * queue is shut down and empty.
   */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined>;
  /**
   * Shuts the queue down: ignores adds from now on, and drops delayed keys. `get` still delivers
   * the queued keys, then returns `undefined`.
   */
  shutDown(): void;
  /**
   * Shuts the queue down like {@linkcode WorkQueue.shutDown}, and resolves when all keys queued or
   * being processed are done.
   */
  shutDownWithDrain(): Promise<void>;
  /** Returns the keys that workers process, the first taken first, as a snapshot for inspection. */
  processingKeys(): K[];
  /**
   * Returns the first `limit` queued keys, by default all, in the order in which they are delivered
   * without further adds and ageing, as a snapshot for inspection.
   */
  queuedKeys(limit?: number): QueuedKey<K>[];
  /**
   * Returns the position and the priority of a queued key; undefined for a key that is not queued
   * now, such as one that is being processed. The time is proportional to the number of keys before
   * the key.
   */
  queuedKey(key: K): QueuedKey<K> | undefined;
}

/** The interface of a {@linkcode WorkQueue} that can add a key after a delay. */
export interface DelayingWorkQueue<K> extends WorkQueue<K> {
  /** The number of keys of the queue whose delay has not ended. */
  readonly waiting: number;
  /**
   * Adds a key to the queue after `delayMs` milliseconds; of several delays of a key the one that
   * ends first counts. A delay of 0 or less adds the key at once; after a shutdown there is no
   * effect.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions): void;
  /** Returns the delayed keys, the first that is due first, as a snapshot for inspection. */
  waitingKeys(): K[];
  /**
   * Returns the time at which a delayed key is due, in milliseconds on the queue's monotonic clock;
   * `undefined` if the key is not delayed.
   */
  readyAtMs(key: K): number | undefined;
  /** Returns the priority of a delayed key; `undefined` if the key is not delayed. */
  waitingPriority(key: K): number | undefined;
}
