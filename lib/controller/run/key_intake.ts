import type { Clock } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { RateLimitingQueue } from "@xca/apimachinery/workqueue";
import type { ChangeEvent } from "../definition/predicate.ts";
import { RecentChanges } from "../sources/recent_changes.ts";
import { type Trigger, triggerFacts, triggerPriority } from "../sources/trigger.ts";
import type { RunTracing } from "../tracing/run_tracing.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { KeyBook } from "./key_book.ts";
import type { KeyHistories, Requeue } from "./key_histories.ts";

/** Options of the class {@linkcode KeyIntake}, which queues the keys of a controller. */
export interface KeyIntakeOptions {
  /** The work queue of the controller. */
  readonly queue: RateLimitingQueue<ObjectKey>;
  /** The record of the controller's initial and failing keys. */
  readonly book: KeyBook;
  /** The record of the reasons for which keys were queued. */
  readonly histories: KeyHistories;
  /** The detector of hot loops, which learns the causes of runs. */
  readonly loops: HotLoops;
  /** The recorder of the tracing spans of events. */
  readonly tracing: RunTracing;
  /** Sets whether no key is queued before {@linkcode KeyIntake.open}. */
  readonly isClosed: boolean;
  /** Reports whether the keys of listed objects are initial keys of the controller. */
  readonly isSyncing: () => boolean;
  /** The clock of the controller. */
  readonly clock: Clock;
}

/**
 * The intake of keys into a controller's work queue. While it is closed, on a standby, no key is
 * queued, so that the queue does not grow with each object that comes and goes: only the keys of
 * recent changes are remembered, since the last leader may have missed a deletion. The stored
 * objects must be listed again once it is open.
 */
export class KeyIntake {
  readonly #options: KeyIntakeOptions;
  /** The recent changes whose keys are not queued; `undefined` once the intake is open. */
  #unqueued: RecentChanges | undefined;

  constructor(options: KeyIntakeOptions) {
    this.#options = options;
    if (options.isClosed) this.#unqueued = new RecentChanges(options.clock);
  }

  /**
   * Reports whether an event should be mapped to keys: always while the intake is open, otherwise
   * only changes. The objects of first lists and resyncs are stored, or their deletion follows.
   */
  accepts(event: ChangeEvent): boolean {
    return !this.#unqueued || triggerPriority(event) === undefined;
  }

  /** Queues the keys of recent changes, and from now on each key at once. */
  open(): void {
    const { histories, queue } = this.#options;
    const unqueued = this.#unqueued?.recent() ?? [];
    this.#unqueued = undefined;
    for (const [key, change] of unqueued) {
      histories.triggered(key, change);
      queue.add(key);
    }
  }

  /** Queues a key that an event led to, with the priority of the event. */
  triggered(key: ObjectKey, trigger: Trigger): void {
    const { book, histories, loops, tracing, queue, isSyncing, clock } = this.#options;
    const facts = triggerFacts(trigger);
    if (this.#unqueued) return this.#unqueued.add(key, facts);
    if (facts.event === "listed" && isSyncing()) book.initial(key);
    histories.triggered(key, { ...facts, atMs: clock.monotonicMs() });
    loops.triggered(key, trigger);
    tracing.triggered(key, trigger);
    queue.add(key, { priority: triggerPriority(trigger.event) });
  }

  /** Queues a key for a reason other than an event. */
  requeued(key: ObjectKey, requeue: Requeue): void {
    const { histories, loops, queue, clock } = this.#options;
    histories.requeued(key, requeue, clock.monotonicMs());
    if (requeue === "externalSource") loops.triggeredOutside(key);
    queue.add(key);
  }
}
