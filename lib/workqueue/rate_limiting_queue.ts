import { type Clock, systemClock } from "@xca/apimachinery/base";
import { BackoffWindows } from "./backoff_windows.ts";
import { defaultRateLimiter } from "./default_rate_limiter.ts";
import { DelayingQueue, type DelayingQueueOptions } from "./delaying_queue.ts";
import type { KeyLease } from "./key_lease.ts";
import type { RateLimiter, ReleasedKey } from "./rate_limiter.ts";
import type { DelayingWorkQueue, QueueGetOptions } from "./work_queue.ts";

/** Options for {@linkcode RateLimitingQueue}. */
export interface RateLimitingQueueOptions<K> extends Omit<DelayingQueueOptions<K>, "queue"> {
  /** Decides how long a failed key backs off. @default {defaultRateLimiter} */
  readonly rateLimiter?: RateLimiter<K> | undefined;
  /**
   * The queue that failed keys wait in. It then keeps its own metrics and touch hook.
   *
   * @default {DelayingQueue} One made from the other options
   */
  readonly queue?: DelayingWorkQueue<K> | undefined;
  /**
   * What a plain `add()` does to a key that backs off.
   *
   * - `"runs"`: the key goes in line at once, as in client-go, so that a person who repairs an
   *   object is served at once and not after the 1000 s that its failures have earned.
   * - `"waits"`: the key stays out until its back-off ends, so that a stream of events cannot keep a
   *   failing key running hot. The add is not lost: the retry sees what caused it.
   *
   * @default {"runs"}
   */
  readonly addDuringBackoff?: "runs" | "waits" | undefined;
}

/** The shortest delay that moves a wait, in milliseconds. */
const SOONEST_MS = 0.001;

/**
 * A {@linkcode DelayingQueue} that retries failed keys with a back-off.
 *
 * A worker that failed calls {@linkcode RateLimitingQueue.addRateLimited}, one that succeeded or
 * gives up calls {@linkcode RateLimitingQueue.forget}; both before it finishes its lease.
 *
 * Back-off counts failures that had their back-off, not foreign triggers. When something else adds
 * a key while it backs off, and it fails once more, that failure is not counted and the retry stays
 * where it was: in a burst of events a failing key keeps the pace of its own back-off, where it
 * would else be at the longest delay within a second (kubernetes#132805).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ItemExponentialLimiter, RateLimitingQueue } from "@xca/operator/workqueue";
 *
 * const rateLimiter = new ItemExponentialLimiter<string>({ baseMs: 1 });
 * const queue = new RateLimitingQueue<string>({ rateLimiter });
 * queue.add("default/web");
 *
 * let attempts = 0;
 * while (true) {
 *   using lease = await queue.get();
 *   if (!lease) break;
 *   try {
 *     if (++attempts < 4) throw new Error("not yet");
 *     queue.forget(lease.key);
 *     queue.shutDown();
 *   } catch {
 *     queue.addRateLimited(lease.key);
 *   }
 * }
 * assert(attempts === 4);
 * ```
 */
export class RateLimitingQueue<K> implements DelayingWorkQueue<K> {
  readonly #queue: DelayingWorkQueue<K>;
  readonly #limiter: RateLimiter<K>;
  readonly #clock: Clock;
  readonly #addWaits: boolean;
  /** The time that each failed key was told to wait, from its last counted failure on. */
  readonly #windows = new BackoffWindows<K>();

  /**
   * Makes an empty queue.
   *
   * @throws {TypeError} When `metrics` is given without a `name`.
   */
  constructor(options: RateLimitingQueueOptions<K> = {}) {
    const { clock = systemClock, queue, ...rest } = options;
    this.#clock = clock;
    this.#queue = queue ?? new DelayingQueue<K>({ ...rest, clock });
    this.#limiter = options.rateLimiter ?? defaultRateLimiter<K>({ clock });
    this.#addWaits = options.addDuringBackoff === "waits";
  }

  get len(): number {
    return this.#queue.len;
  }

  get shuttingDown(): boolean {
    return this.#queue.shuttingDown;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Marks the key as needing work: now, or when its back-off ends, as `addDuringBackoff` says. Never
   * counts as a failure. See {@linkcode Queue.add}.
   */
  add(key: K): void {
    if (this.#addWaits) {
      const nowMs = this.#clock.monotonicMs();
      const endMs = this.#windows.endMs(key, nowMs);
      if (endMs !== undefined) return this.#queue.addAfter(key, endMs - nowMs);
    }
    this.#queue.add(key);
  }

  /** Adds the key later, whether it backs off or not. See {@linkcode DelayingQueue.addAfter}. */
  addAfter(key: K, delayMs: number): void {
    this.#queue.addAfter(key, delayMs);
  }

  /**
   * Counts a failure of the key, and adds the key when the back-off that the limiter asks for is
   * over. A key that still backs off is not counted again: it is added when that back-off ends.
   */
  addRateLimited(key: K): void {
    if (this.#queue.shuttingDown) return;
    const nowMs = this.#clock.monotonicMs();
    let endMs = this.#windows.endMs(key, nowMs);
    if (endMs === undefined) {
      endMs = nowMs + this.#limiter.whenMs(key);
      this.#windows.open(key, endMs, nowMs);
    }
    this.#queue.addAfter(key, endMs - nowMs);
  }

  /**
   * Ends the key's troubles: its next failure is its first. A retry that already waits is not taken
   * back, since it may stand for an event that came after the run that succeeded.
   */
  forget(key: K): void {
    this.#limiter.forget(key);
    this.#windows.close(key);
    const released = this.#limiter.takeReleased?.() ?? [];
    if (released.length > 0) this.#hasten(released);
  }

  /** Lets keys come sooner that back off; those that were added otherwise meanwhile are left alone. */
  #hasten(released: readonly ReleasedKey<K>[]): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { key, inMs } of released) {
      if (this.#windows.endMs(key, nowMs) === undefined) continue;
      this.#windows.open(key, nowMs + inMs, nowMs);
      // A delay of 0 would add the key and leave its wait standing: it would come twice.
      if (this.#queue.readyAtMs(key) !== undefined) {
        this.#queue.addAfter(key, Math.max(inMs, SOONEST_MS));
      }
    }
  }

  /** How many failures of the key were counted since it was last forgotten. */
  numRequeues(key: K): number {
    return this.#limiter.numRequeues(key);
  }

  /** Takes the next key. See {@linkcode Queue.get}. */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined> {
    return this.#queue.get(options);
  }

  /** Drops the waiting keys and shuts down. See {@linkcode Queue.shutDown}. */
  shutDown(): void {
    this.#windows.clear();
    this.#queue.shutDown();
  }

  /** Drops the waiting keys, then shuts down and drains. See {@linkcode Queue.shutDownWithDrain}. */
  shutDownWithDrain(): Promise<void> {
    this.#windows.clear();
    return this.#queue.shutDownWithDrain();
  }

  processingKeys(): K[] {
    return this.#queue.processingKeys();
  }

  waitingKeys(): K[] {
    return this.#queue.waitingKeys();
  }

  /** The keys that failed and whose back-off is not over: a snapshot, for people to look at. */
  backingOffKeys(): K[] {
    return this.#windows.openKeys(this.#clock.monotonicMs());
  }

  readyAtMs(key: K): number | undefined {
    return this.#queue.readyAtMs(key);
  }
}
