import { type Clock, systemClock, type Timer } from "../base/time/clock.ts";
import { sooner, type Timed, TimeHeap } from "../base/time/time_heap.ts";
import type { KeyLease } from "./key_lease.ts";
import { type CounterMetric, requireName } from "./metrics.ts";
import { priorityOf, Queue, type QueueOptions } from "./queue.ts";
import type {
  AddOptions,
  DelayingWorkQueue,
  QueuedKey,
  QueueGetOptions,
  WorkQueue,
} from "./work_queue.ts";

/** Options of the class {@linkcode DelayingQueue}, a work queue that can add keys after a delay. */
export interface DelayingQueueOptions<K> extends QueueOptions<K> {
  /**
   * The inner queue that receives keys when their delay has ended. It keeps its own metrics,
   * `onTouch`, ageing and tenants: with this option, only `clock`, `name` and `metrics` (for the
   * retries) have an effect.
   *
   * @default {Queue} one made from the other options
   */
  readonly queue?: WorkQueue<K> | undefined;
}

/** A key that waits for its delay to end. */
interface WaitingKey<K> extends Timed {
  readonly key: K;
  /** The priority at which the key is queued when its delay has ended. */
  priority: number;
}

/**
 * A work queue ({@linkcode Queue}) that can add a key after a delay.
 *
 * - A key waits once: of several delays the one that ends first counts.
 * - A plain `add()` of a waiting key queues it at once and leaves the wait, so that the key is
 *   queued again when the delay ends: a run before that does not replace the one after the delay.
 * - A key that waits has the highest priority of its `addAfter()` calls. A plain `add()` of such a
 *   key uses that priority if it is higher than its own, and does not raise it.
 * - Keys whose delay has ended are queued in the order of their times, not of the calls.
 * - One timer serves all waiting keys. A shutdown drops them and the timer.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { DelayingQueue } from "@xca/apimachinery/workqueue";
 * import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
 *
 * const clock = new FakeClock();
 * const queue = new DelayingQueue<string>({ clock });
 * queue.addAfter("default/web", 60_000);
 * assert.deepEqual([queue.len, queue.waiting], [0, 1]);
 * clock.step(60_000);
 * assert.deepEqual([queue.len, queue.waiting], [1, 0]);
 * ```
 */
export class DelayingQueue<K> implements DelayingWorkQueue<K> {
  readonly #queue: WorkQueue<K>;
  readonly #clock: Clock;
  readonly #retries: CounterMetric | undefined;
  /** A map of the delayed keys with their entries, which are also in the heap. */
  readonly #waiting = new Map<K, WaitingKey<K>>();
  readonly #heap = new TimeHeap<WaitingKey<K>>();
  #order = 0;
  /** The timer of the first delayed key in the heap; runs while keys wait. */
  #timer: Timer | undefined;
  #timerDueMs = 0;

  /**
   * Creates an empty delaying queue.
   *
   * @throws {TypeError} When `metrics` is given without a `name`, or `tenantWeights` without
   * `tenantOf`.
   * @throws {RangeError} When `agingMs` is negative or not a number, or a weight is below 1 or not
   * a finite number.
   */
  constructor(options: DelayingQueueOptions<K> = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#queue = options.queue ?? new Queue(options);
    this.#retries = options.metrics?.retries(requireName(options.name));
  }

  get len(): number {
    return this.#queue.len;
  }

  get shuttingDown(): boolean {
    return this.#queue.shuttingDown;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Adds a key now, even if it waits for a delay; the wait remains. See {@linkcode Queue.add}. */
  add(key: K, options?: AddOptions): void {
    const waiting = this.#waiting.size > 0 ? this.#waiting.get(key) : undefined;
    if (!waiting) return this.#queue.add(key, options);
    const priority = priorityOf(key, options ?? {});
    this.#queue.add(key, { priority: Math.max(priority, waiting.priority) });
  }

  /**
   * Adds a key to the queue after `delayMs` milliseconds, never sooner; at once when the delay is
   * zero or less. Of two delays of one key the one that ends first counts. Any delay is valid, up
   * to `Infinity`, which waits until a shorter one is given. No effect after a shutdown.
   *
   * @throws {RangeError} When `delayMs` is not a number, or the priority not a finite one.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions): void {
    if (typeof delayMs !== "number" || Number.isNaN(delayMs)) {
      throw new RangeError(`Cannot delay ${String(key)}: delayMs must be a number, is ${delayMs}`);
    }
    const priority = options === undefined ? 0 : priorityOf(key, options);
    if (this.#queue.shuttingDown) return;
    this.#retries?.inc();
    if (delayMs <= 0) return this.add(key, options);
    const readyAtMs = this.#clock.monotonicMs() + delayMs;
    const known = this.#waiting.get(key);
    if (!known) {
      const item = { key, readyAtMs, priority, order: this.#order++, index: 0 };
      this.#waiting.set(key, item);
      this.#heap.push(item);
    } else {
      if (priority > known.priority) known.priority = priority;
      if (readyAtMs < known.readyAtMs) this.#heap.hasten(known, readyAtMs);
    }
    this.#arm();
  }

  /** Takes the next key of the delaying queue. See {@linkcode Queue.get}. */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined> {
    return this.#queue.get(options);
  }

  /** Drops the delayed keys and shuts the delaying queue down. See {@linkcode Queue.shutDown}. */
  shutDown(): void {
    this.#drop();
    this.#queue.shutDown();
  }

  /**
   * Drops the delayed keys, then shuts the queue down and drains it. See {@linkcode
   * Queue.shutDownWithDrain}.
   */
  shutDownWithDrain(): Promise<void> {
    this.#drop();
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
    return Array.from(this.#waiting.values())
      .sort((a, b) => sooner(a, b) ? -1 : 1)
      .map(({ key }) => key);
  }

  readyAtMs(key: K): number | undefined {
    return this.#waiting.get(key)?.readyAtMs;
  }

  waitingPriority(key: K): number | undefined {
    return this.#waiting.get(key)?.priority;
  }

  #drop(): void {
    this.#waiting.clear();
    this.#heap.clear();
    this.#arm();
  }

  /** Sets the timer to the time of the first delayed key of the heap. */
  #arm(): void {
    const top = this.#heap.peek();
    if (this.#timer && top?.readyAtMs === this.#timerDueMs) return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (!top) return;
    this.#timerDueMs = top.readyAtMs;
    const inMs = Math.max(0, top.readyAtMs - this.#clock.monotonicMs());
    this.#timer = this.#clock.after(inMs, () => this.#release());
  }

  /**
   * Queues the keys whose delay has ended, and sets the timer for the others. A timer may fire
   * early, so the clock decides.
   */
  #release(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonicMs();
    for (let top = this.#heap.peek(); top && top.readyAtMs <= now; top = this.#heap.peek()) {
      this.#heap.pop();
      this.#waiting.delete(top.key);
      this.#queue.add(top.key, { priority: top.priority });
    }
    this.#arm();
  }
}
