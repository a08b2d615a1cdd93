import { type Clock, systemClock } from "../base/time/clock.ts";
import { BackoffWindows } from "./backoff_windows.ts";
import { defaultRateLimiter } from "./limiters/default_rate_limiter.ts";
import { DelayingQueue, type DelayingQueueOptions } from "./delaying_queue.ts";
import type { KeyLease } from "./key_lease.ts";
import { priorityOf } from "./queue.ts";
import type { RateLimiter, ReleasedKey } from "./limiters/rate_limiter.ts";
import type { AddOptions, DelayingWorkQueue, QueuedKey, QueueGetOptions } from "./work_queue.ts";

/** Options of the class {@linkcode RateLimitingQueue}, a work queue with retries of failed keys. */
export interface RateLimitingQueueOptions<K> extends Omit<DelayingQueueOptions<K>, "queue"> {
  /** The rate limiter that decides how long failed keys wait. @default {defaultRateLimiter} */
  readonly rateLimiter?: RateLimiter<K> | undefined;
  /**
   * The delaying queue in which failed keys wait. It must use the same `clock`, and keeps its own
   * other options: only `clock`, `rateLimiter` and `addDuringBackoff` have an effect with it.
   *
   * @default {DelayingQueue} one made from the other options
   */
  readonly queue?: DelayingWorkQueue<K> | undefined;
  /**
   * The effect of a plain `add()` on a key that waits for its retry (backs off).
   *
   * - `"runs"`: the key is queued at once, as in client-go, so that an object that a person repairs
   *   does not wait up to 1000 s.
   * - `"waits"`: the key is not queued until its back-off ends, so that a stream of events does not
   *   drive a failing key. The add is not lost: the retry reads the state that caused the add.
   *
   * @default {"runs"}
   */
  readonly addDuringBackoff?: "runs" | "waits" | undefined;
}

/**
 * The smallest delay to which the retry of a failed key is shortened, in milliseconds: above 0,
 * since a delay of 0 would queue the key at once and leave its wait.
 */
const SOONEST_MS = 0.001;

/**
 * A work queue ({@linkcode DelayingQueue}) that retries failed keys with a back-off.
 *
 * A worker calls {@linkcode RateLimitingQueue.addRateLimited} after a failure, and {@linkcode
 * RateLimitingQueue.forget} after a success or when it gives up, in both cases before it finishes
 * its lease.
 *
 * A failure counts only when the key does not back off. When a key is added otherwise while it
 * backs off, and fails again, that failure is not counted and the retry keeps its time: in a burst
 * of events a failing key keeps the pace of its back-off, where it would otherwise reach the
 * maximum delay within a second (kubernetes#132805).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ItemExponentialLimiter, RateLimitingQueue } from "@xca/apimachinery/workqueue";
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
  /** A table of the times at which the back-offs of failed keys end. */
  readonly #windows = new BackoffWindows<K>();

  /**
   * Creates an empty rate limiting queue.
   *
   * @throws {TypeError} When `metrics` is given without a `name`, or `tenantWeights` without
   * `tenantOf`.
   * @throws {RangeError} When `addDuringBackoff` is neither `"runs"` nor `"waits"`, `agingMs` is
   * negative or not a number, or a weight is below 1 or not a finite number.
   */
  constructor(options: RateLimitingQueueOptions<K> = {}) {
    const { clock = systemClock, queue, ...rest } = options;
    this.#clock = clock;
    this.#queue = queue ?? new DelayingQueue<K>({ ...rest, clock });
    this.#limiter = options.rateLimiter ?? defaultRateLimiter<K>({ clock });
    const { addDuringBackoff = "runs" } = options;
    if (addDuringBackoff !== "runs" && addDuringBackoff !== "waits") {
      throw new RangeError(
        `Cannot make a queue: addDuringBackoff must be "runs" or "waits", is ${addDuringBackoff}`,
      );
    }
    this.#addWaits = addDuringBackoff === "waits";
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
   * Adds a key now, or when its back-off ends, according to `addDuringBackoff`. Never counts as a
   * failure. See {@linkcode Queue.add}.
   */
  add(key: K, options?: AddOptions): void {
    if (this.#addWaits) {
      const nowMs = this.#clock.monotonicMs();
      const endMs = this.#windows.endMs(key, nowMs);
      if (endMs !== undefined) return this.#queue.addAfter(key, endMs - nowMs, options);
    }
    this.#queue.add(key, options);
  }

  /**
   * Adds a key to the queue later, whether it backs off or not. See {@linkcode
   * DelayingQueue.addAfter}.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions): void {
    this.#queue.addAfter(key, delayMs, options);
  }

  /**
   * Counts a failure of a key, and adds the key to the queue after the delay of the rate limiter. A
   * failure during a back-off is not counted; the key is added when that back-off ends. No effect
   * after a shutdown.
   *
   * @throws {RangeError} When the priority is not a finite number, in which case no failure is
   * counted, or the delay of the rate limiter is not a number.
   */
  addRateLimited(key: K, options?: AddOptions): void {
    if (options !== undefined) priorityOf(key, options); // Throws before the failure is counted.
    if (this.#queue.shuttingDown) return;
    const nowMs = this.#clock.monotonicMs();
    let endMs = this.#windows.endMs(key, nowMs);
    if (endMs === undefined) {
      endMs = nowMs + this.#limiter.whenMs(key);
      this.#windows.open(key, endMs, nowMs);
    }
    this.#queue.addAfter(key, endMs - nowMs, options);
  }

  /**
   * Forgets the failures of a key and ends its back-off; keys that the rate limiter releases then
   * wait less. A retry of the key that already waits is kept, since it may include an event after
   * the run that succeeded.
   */
  forget(key: K): void {
    this.#limiter.forget(key);
    this.#windows.close(key);
    const released = this.#limiter.takeReleased?.() ?? [];
    if (released.length > 0) this.#hasten(released);
  }

  /**
   * Shortens the wait of keys whose delay the rate limiter has shortened. A release never makes a
   * wait longer: a key that was also added with a shorter delay keeps that delay.
   */
  #hasten(released: readonly ReleasedKey<K>[]): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { key, inMs } of released) {
      const endMs = this.#windows.endMs(key, nowMs);
      if (endMs === undefined || endMs <= nowMs + inMs) continue;
      this.#windows.open(key, nowMs + inMs, nowMs);
      // A delay of 0 would queue the key and leave its wait, so that the key would be queued twice.
      const priority = this.#queue.waitingPriority(key);
      if (priority !== undefined) {
        this.#queue.addAfter(key, Math.max(inMs, SOONEST_MS), { priority });
      }
    }
  }

  /** Returns the number of failures of a key since it was last forgotten. */
  numRequeues(key: K): number {
    return this.#limiter.numRequeues(key);
  }

  /** Takes the next key of the rate limiting queue. See {@linkcode Queue.get}. */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined> {
    return this.#queue.get(options);
  }

  /**
   * Drops the delayed keys and shuts the rate limiting queue down. See {@linkcode Queue.shutDown}.
   */
  shutDown(): void {
    this.#windows.clear();
    this.#queue.shutDown();
  }

  /**
   * Drops the delayed keys, then shuts the queue down and drains it. See {@linkcode
   * Queue.shutDownWithDrain}.
   */
  shutDownWithDrain(): Promise<void> {
    this.#windows.clear();
    return this.#queue.shutDownWithDrain();
  }

  processingKeys(): K[] {
    return this.#queue.processingKeys();
  }

  queuedKeys(limit?: number): QueuedKey<K>[] {
    return this.#queue.queuedKeys(limit);
  }

  queuedKey(key: K): QueuedKey<K> | undefined {
    return this.#queue.queuedKey(key);
  }

  waitingKeys(): K[] {
    return this.#queue.waitingKeys();
  }

  /**
   * Returns the failed keys whose back-off is not over, in no defined order, as a snapshot for
   * inspection.
   */
  backingOffKeys(): K[] {
    return this.#windows.openKeys(this.#clock.monotonicMs());
  }

  readyAtMs(key: K): number | undefined {
    return this.#queue.readyAtMs(key);
  }

  waitingPriority(key: K): number | undefined {
    return this.#queue.waitingPriority(key);
  }
}
