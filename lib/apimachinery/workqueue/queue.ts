import { type Clock, systemClock } from "../base/time/clock.ts";
import type { KeyLease } from "./key_lease.ts";
import { AGAIN, KeyTable, NO_SLOT, PROCESSING, QUEUED } from "./key_table.ts";
import { Lease } from "./lease.ts";
import type { Sharing } from "./level.ts";
import type { MetricsProvider } from "./metrics.ts";
import { PriorityLine } from "./priority_line.ts";
import { QueueMetrics } from "./queue_metrics.ts";
import { StepClock } from "./step_clock.ts";
import { Waiters } from "./waiters.ts";
import { LinkedList } from "../base/linked_list.ts";
import type { AddOptions, QueuedKey, QueueGetOptions, WorkQueue } from "./work_queue.ts";

/** Options of the class {@linkcode Queue}, a work queue of keys. */
export interface QueueOptions<K> {
  /**
   * The name of the queue under which metrics are recorded; required with `metrics`.
   *
   * @default none
   */
  readonly name?: string | undefined;
  /** The clock of the queue, for metrics and the ageing of keys. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The provider of the queue's metrics. @default none */
  readonly metrics?: MetricsProvider | undefined;
  /**
   * A callback for an add to the queue that is merged because the key is queued already; not called
   * for a key that a worker processes. The callback must not throw.
   *
   * @default none
   */
  readonly onTouch?: ((key: K) => void) | undefined;
  /**
   * The time since its add after which a key that waits behind keys of a higher priority is aged,
   * in milliseconds: every fourth delivered key is an aged one, if there is one. `Infinity` for
   * never.
   *
   * @default {10_000}
   */
  readonly agingMs?: number | undefined;
  /**
   * Returns the tenant of a key, such as its namespace; tenants are compared by SameValueZero. Keys
   * of one priority are then delivered by tenants in turns, and within a tenant first come, first
   * served, so that a tenant with many keys does not delay the others. The function must not throw.
   *
   * @default none: first come, first served
   */
  readonly tenantOf?: ((key: K) => unknown) | undefined;
  /**
   * The weights of tenants, each at least 1: the number of keys that a tenant gets in each of its
   * turns. With the weights 3 and 1, two tenants whose keys keep coming get three quarters and one
   * quarter. The fraction of a weight is carried over to the next turn. The weights are read once,
   * by the constructor; they require `tenantOf`.
   *
   * @default none: each tenant has the weight 1
   */
  readonly tenantWeights?: ReadonlyMap<unknown, number> | undefined;
}

/** The default of {@linkcode QueueOptions.agingMs}, in milliseconds. */
const AGING_MS = 10_000;

/**
 * A work queue of keys: the highest priority first, and first come, first served among keys of one
 * priority.
 *
 * - A key is queued once, however often it is added. Of several priorities the highest counts; a
 *   key whose priority is raised goes to the end of the keys of that priority.
 * - Nothing starves: a key of a low priority that has waited for the ageing time gets its turn
 *   while keys of a higher priority keep coming.
 * - A key is never processed by two workers at once. A key that is added while a worker processes
 *   it is queued again when that worker is done, so that a run of the key begins after every add.
 * - Keys are any values, compared by SameValueZero (as in a `Map`); strings in practice.
 *
 * Adding, taking and finishing take constant time. After {@linkcode Queue.shutDown} adds are
 * ignored, queued keys are still handed out, and then `get()` returns undefined.
 *
 * A worker that never waits for I/O should yield now and then: taking a queued key costs one
 * microtask and does not yield to timers.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Queue } from "@xca/apimachinery/workqueue";
 *
 * const queue = new Queue<string>(); queue.add("default/web"); queue.add("default/web");
 * queue.add("default/db", { priority: 10 }); queue.shutDown();
 *
 * const seen: string[] = [];
 * while (true) {
 *   using lease = await queue.get();
 *   if (!lease) break;
 *   seen.push(lease.key);
 * }
 * assert(seen.join() === "default/db,default/web");
 * ```
 */
export class Queue<K> implements WorkQueue<K> {
  /**
   * The keys that are dirty or processing, with their slots.
   *
   * A key is *dirty* when it needs work that no worker has begun, and *processing* from the time at
   * which a worker takes it until the worker is done; a key may be both. Dirty only: `QUEUED`, and
   * in the line. Processing: `PROCESSING`, and `AGAIN` if the key is dirty too; a lease of the key
   * is with the worker. Nothing else refers to a finished key.
   */
  readonly #keys = new KeyTable<K>();
  /** The slots of the queued keys by priority. */
  readonly #line: PriorityLine<K>;
  readonly #time: StepClock;
  /** The leases of the keys that workers process, in the order they were taken. */
  readonly #processing = new LinkedList<Lease<K>>();
  /**
   * The calls of `get` that wait for a key. No call waits while a key is queued, or after shutdown.
   */
  readonly #waiters = new Waiters<KeyLease<K> | undefined>();
  readonly #metrics: QueueMetrics<K> | undefined;
  readonly #onTouch: ((key: K) => void) | undefined;
  readonly #finish = (lease: Lease<K>): void => this.#finished(lease);
  #shuttingDown = false;
  /** The pending promise of {@linkcode Queue.shutDownWithDrain}. */
  #drain: PromiseWithResolvers<void> | undefined;

  /**
   * Creates an empty work queue.
   *
   * @throws {TypeError} When `metrics` is given without a `name`, or `tenantWeights` without
   * `tenantOf`.
   * @throws {RangeError} When `agingMs` is negative or not a number, or a weight is below 1 or not
   * a finite number.
   */
  constructor(options: QueueOptions<K> = {}) {
    const { name, clock = systemClock, metrics, onTouch } = options;
    const { agingMs = AGING_MS } = options;
    if (!(agingMs >= 0)) {
      throw new RangeError(`Cannot make a queue: agingMs must be at least 0, is ${agingMs}`);
    }
    const time = this.#time = new StepClock(clock);
    this.#line = new PriorityLine(this.#keys, { agingMs, sharing: sharingOf(options), time });
    this.#onTouch = onTouch;
    this.#metrics = metrics &&
      new QueueMetrics(metrics, { name, clock, time, processing: this.#processing });
  }

  get len(): number {
    return this.#line.length;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /**
   * Adds a key to the queue. An add is merged with an earlier add of the key whose work has not
   * begun, and may raise its priority. An add after shutdown is ignored.
   *
   * @throws {RangeError} When the priority is not a finite number.
   */
  add(key: K, options?: AddOptions): void {
    const priority = options === undefined ? 0 : priorityOf(key, options);
    if (this.#shuttingDown) return;
    const keys = this.#keys;
    const slot = keys.slotOf(key);
    if (slot === undefined) {
      this.#metrics?.added(priority);
      this.#queue(keys.add(key, priority, this.#time.now()));
      return;
    }
    const state = keys.state[slot];
    if (state === PROCESSING) {
      this.#metrics?.added(priority);
      keys.state[slot] = AGAIN;
      keys.priority[slot] = priority;
      keys.sinceMs[slot] = this.#time.now();
      return;
    }
    if (priority > keys.priority[slot]!) this.#raise(slot, priority);
    if (state === QUEUED) this.#onTouch?.(key);
  }

  /**
   * Takes the next key of the queue: at once if one is queued, else when a key is added, for the
   * call that has waited longest. Returns undefined when the queue is shut down and empty.
   *
   * The result is a promise only if it must wait; callers should `await` it in any case. No key is
   * lost by an abort: an aborted call rejects, unless it has received its lease before.
   *
   * @throws {unknown} The reason of `options.signal`, when it is or becomes aborted.
   */
  get(options?: QueueGetOptions): KeyLease<K> | undefined | Promise<KeyLease<K> | undefined> {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const slot = this.#line.shift();
    if (slot !== NO_SLOT) return this.#take(slot);
    return this.#shuttingDown ? undefined : this.#waiters.wait(signal);
  }

  /**
   * Shuts the queue down: ignores adds from now on, and ends the workers: waiting calls of `get`
   * return undefined at once, later ones when the queue is empty. Returns at once, even if keys are
   * being processed. Resolves the promise of a pending {@linkcode Queue.shutDownWithDrain}.
   */
  shutDown(): void {
    this.#refuse();
    this.#drain?.resolve();
    this.#drain = undefined;
  }

  /**
   * Shuts the queue down: later adds are ignored. Resolves when all keys are done that are queued
   * or being processed, including keys that were added again before the call while a worker
   * processed them. The workers must continue until `get()` returns undefined, otherwise the
   * promise never resolves, unless {@linkcode Queue.shutDown} ends it.
   */
  shutDownWithDrain(): Promise<void> {
    this.#refuse();
    if (this.#keys.size === 0) return Promise.resolve();
    this.#drain ??= Promise.withResolvers<void>();
    return this.#drain.promise;
  }

  processingKeys(): K[] {
    return Array.from(this.#processing, ({ key }) => key);
  }

  queuedKeys(limit: number = Infinity): QueuedKey<K>[] {
    const queued: QueuedKey<K>[] = [];
    for (const slot of this.#line) {
      if (queued.length >= limit) break;
      queued.push(this.#queued(slot, queued.length));
    }
    return queued;
  }

  queuedKey(key: K): QueuedKey<K> | undefined {
    const slot = this.#keys.slotOf(key);
    if (slot === undefined || this.#keys.state[slot] !== QUEUED) return undefined;
    return this.#queued(slot, this.#line.before(slot));
  }

  #queued(slot: number, position: number): QueuedKey<K> {
    return { key: this.#keys.keyAt(slot), priority: this.#keys.priority[slot]!, position };
  }

  #refuse(): void {
    this.#shuttingDown = true;
    this.#metrics?.stop();
    this.#waiters.serveAll(undefined);
  }

  /** Delivers a dirty key to a waiting `get`, or queues it. */
  #queue(slot: number): void {
    if (this.#waiters.size > 0) this.#waiters.serveOne(this.#take(slot));
    else this.#line.push(slot);
  }

  /** Raises the priority of a dirty key, which is in the line only if no worker processes it. */
  #raise(slot: number, priority: number): void {
    const { state, priority: priorities } = this.#keys;
    this.#metrics?.raised(priorities[slot]!, priority);
    if (state[slot] === QUEUED) this.#line.raise(slot, priority);
    else priorities[slot] = priority;
  }

  #take(slot: number): KeyLease<K> {
    const keys = this.#keys;
    const lease = new Lease(keys.keyAt(slot), keys.priority[slot]!, slot, this.#finish);
    keys.state[slot] = PROCESSING;
    this.#processing.push(lease);
    this.#metrics?.taken(lease, keys.sinceMs[slot]!);
    return lease;
  }

  #finished(lease: Lease<K>): void {
    if (lease.isDone) return;
    lease.isDone = true;
    this.#processing.remove(lease);
    this.#metrics?.finished(lease);
    const keys = this.#keys;
    const { slot } = lease;
    if (keys.state[slot] === AGAIN) {
      keys.state[slot] = QUEUED;
      this.#queue(slot);
      return;
    }
    keys.remove(slot);
    if (this.#drain && keys.size === 0) this.shutDown();
  }
}

/**
 * Returns the rules in the options by which tenants share a work queue; `undefined` without
 * `tenantOf`.
 *
 * @throws {TypeError} When `tenantWeights` is given without `tenantOf`.
 * @throws {RangeError} When a weight is below 1 or not a finite number.
 */
function sharingOf<K>({ tenantOf, tenantWeights }: QueueOptions<K>): Sharing<K> | undefined {
  if (!tenantOf) {
    if (!tenantWeights) return undefined;
    throw new TypeError("Cannot make a queue: tenantWeights requires tenantOf");
  }
  for (const [tenant, weight] of tenantWeights ?? []) {
    if (Number.isFinite(weight) && weight >= 1) continue;
    throw new RangeError(
      `Cannot make a queue: the weight of tenant ${
        String(tenant)
      } must be at least 1, is ${weight}`,
    );
  }
  return { tenantOf, weights: new Map(tenantWeights) };
}

/**
 * Returns the priority in the options of an add to a queue; 0 by default.
 *
 * @throws {RangeError} When the priority is not a finite number.
 */
export function priorityOf(key: unknown, { priority = 0 }: AddOptions): number {
  if (Number.isFinite(priority)) return priority;
  throw new RangeError(
    `Cannot add ${String(key)}: the priority must be a finite number, is ${priority}`,
  );
}
