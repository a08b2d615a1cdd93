import type { ObjectKey } from "@xca/apimachinery/meta";
import { type Trigger, type TriggerFacts, triggerFacts } from "../sources/trigger.ts";

/** Maximum number of keys of a controller whose last events and runs are remembered. */
export const MOST_HISTORIES = 4_096;

/** A value with the time at which it was recorded, on the monotonic clock, in milliseconds. */
export type Dated<T> = T & { readonly atMs: number };

/**
 * A reason for queueing a key other than an event of an object: a failure, the reconciler's
 * request, a cache that caught up with the key's writes, or an external source.
 */
export type Requeue = "retry" | "requeueAfter" | "cacheCaughtUp" | "externalSource";

/** The history of one key: its last events and its last reconcile run. */
export interface KeyHistory {
  /** The last reason to queue the key; absent if none is remembered. */
  enqueued?: Dated<TriggerFacts | { readonly requeue: Requeue }>;
  /**
   * The last of the events of the key's own object that a predicate dropped; absent if none is
   * remembered.
   */
  dropped?: Dated<TriggerFacts & { readonly predicate: string }>;
  /**
   * The last reconcile run of the key that has ended: the type of its outcome, and its duration in
   * milliseconds; absent if none is remembered.
   */
  ran?: Dated<{ readonly outcome: string; readonly forMs: number }>;
}

/**
 * The histories of the keys of one controller that were queued, dropped or run last: {@linkcode
 * MOST_HISTORIES} of them, about 1.5 MB. The one that changed least recently is forgotten first.
 * The times (`atMs`) are readings of the monotonic clock, in milliseconds.
 */
export class KeyHistories {
  readonly #histories = new Map<ObjectKey, KeyHistory>();

  /** The number of keys that have a history, at most {@linkcode MOST_HISTORIES}. */
  get size(): number {
    return this.#histories.size;
  }

  /** Returns the history of a key; `undefined` when there is none, or it is forgotten. */
  get(key: ObjectKey): Readonly<KeyHistory> | undefined {
    return this.#histories.get(key);
  }

  /** Records in the history of a key that an event queued it, in place of the last reason. */
  triggered(key: ObjectKey, trigger: Trigger, atMs: number): void {
    this.#latest(key).enqueued = { ...triggerFacts(trigger), atMs };
  }

  /**
   * Records in the history of a key that the key was queued, or will be, for a reason other than an
   * event, in place of the last reason.
   */
  requeued(key: ObjectKey, requeue: Requeue, atMs: number): void {
    this.#latest(key).enqueued = { requeue, atMs };
  }

  /** Records in the history of a key that a predicate dropped an event of its own object. */
  dropped(key: ObjectKey, trigger: Trigger, predicate: string, atMs: number): void {
    this.#latest(key).dropped = { ...triggerFacts(trigger), predicate, atMs };
  }

  /**
   * Records in the history of a key that a reconcile run ended after `forMs` milliseconds, in place
   * of the last run.
   */
  ran(key: ObjectKey, outcome: string, forMs: number, atMs: number): void {
    this.#latest(key).ran = { outcome, forMs, atMs };
  }

  /**
   * Returns the history of a key, created if there is none, and marks it as the history that
   * changed last; may forget another.
   */
  #latest(key: ObjectKey): KeyHistory {
    const history = this.#histories.get(key) ?? {};
    if (!this.#histories.delete(key) && this.#histories.size >= MOST_HISTORIES) {
      this.#histories.delete(this.#histories.keys().next().value!);
    }
    this.#histories.set(key, history);
    return history;
  }
}
