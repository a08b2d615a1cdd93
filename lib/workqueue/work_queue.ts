import type { KeyLease } from "./key_lease.ts";

/** Options for {@linkcode WorkQueue.get}. */
export interface QueueGetOptions {
  /** Ends a waiting get: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What every queue of keys can do. Its implementations differ in the order in which they hand keys
 * out; whoever produces or consumes keys needs to know this interface alone.
 */
export interface WorkQueue<K> {
  /** Keys in line for a worker. Neither those in work nor those that still wait for their time. */
  readonly len: number;
  /** Whether one of the shutdowns was called. */
  readonly shuttingDown: boolean;
  /** Marks the key as needing work. */
  add(key: K): void;
  /** The next key, or undefined when the queue is shut down and nothing is left in line. */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined>;
  /** Refuses keys from now on and tells the workers to end once nothing is left in line. */
  shutDown(): void;
  /** Like {@linkcode WorkQueue.shutDown}, and resolves when all keys in line and in work are done. */
  shutDownWithDrain(): Promise<void>;
  /** The keys in work, the longest running first: a snapshot, for people to look at. */
  processingKeys(): K[];
}

/** A {@linkcode WorkQueue} that can add a key later. */
export interface DelayingWorkQueue<K> extends WorkQueue<K> {
  /** How many keys wait for their time. */
  readonly waiting: number;
  /** Adds the key when `delayMs` milliseconds have passed. */
  addAfter(key: K, delayMs: number): void;
  /** The keys that wait for their time, soonest first: a snapshot, for people to look at. */
  waitingKeys(): K[];
  /** When the key's time comes, on the clock's monotonic scale; undefined if it does not wait. */
  readyAtMs(key: K): number | undefined;
}
