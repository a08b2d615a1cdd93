import type { Clock } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { TriggerFacts } from "./trigger.ts";

/**
 * The time for which a standby remembers the keys of changes, in milliseconds. Longer than the
 * lease of a leader that ended before it reconciled a key of a deleted object.
 */
const RECENT_MS = 300_000;

/** The last change that led to a key. */
export type RecentChange = TriggerFacts & {
  /** The time of the change, on the monotonic clock, in milliseconds. */
  readonly atMs: number;
};

/** The keys that changes of the last five minutes led to, each with its last change. */
export class RecentChanges {
  /** The last change of each key, the oldest first. */
  readonly #changes = new Map<ObjectKey, RecentChange>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a change that led to a key, and forgets the changes that are no longer recent. */
  add(key: ObjectKey, facts: TriggerFacts): void {
    this.#changes.delete(key);
    this.#changes.set(key, { ...facts, atMs: this.#clock.monotonicMs() });
    this.#expire();
  }

  /** Returns the keys of the recent changes with their last change, the oldest first. */
  recent(): ReadonlyMap<ObjectKey, RecentChange> {
    this.#expire();
    return this.#changes;
  }

  #expire(): void {
    const oldestMs = this.#clock.monotonicMs() - RECENT_MS;
    for (const [key, { atMs }] of this.#changes) {
      if (atMs >= oldestMs) return;
      this.#changes.delete(key);
    }
  }
}
