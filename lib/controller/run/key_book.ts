import type { ObjectKey } from "@xca/apimachinery/meta";
import { ONCE_MAX_FAILURES, ONCE_MAX_RETRY_MS } from "../ports/operator_progress.ts";
import { reasonOf } from "../log/run_log.ts";

/** The state of a key whose last run failed. */
export interface Failure {
  /** The message of the error, as one line. */
  readonly error: string;
  /** The number of failed runs in a row. */
  readonly attempts: number;
  /** Whether no retry is scheduled. */
  readonly terminal: boolean;
  /** The delay that the error requested, in milliseconds. */
  readonly retryInMs?: number | undefined;
  /** The time of the failure on the monotonic clock, in milliseconds. */
  readonly atMs: number;
}

/**
 * Record of the keys of a controller beside the queue: initial keys without a run, and failing
 * keys. A key that succeeded takes no memory.
 */
export class KeyBook {
  readonly #awaited = new Set<ObjectKey>();
  readonly #failing = new Map<ObjectKey, Failure>();
  #initialKeys = 0;

  /** The number of keys that the initial lists led to. */
  get initialKeys(): number {
    return this.#initialKeys;
  }

  /** The number of initial keys that have not run yet. */
  get awaited(): number {
    return this.#awaited.size;
  }

  /** The keys whose last run failed. */
  get failing(): ReadonlyMap<ObjectKey, Failure> {
    return this.#failing;
  }

  /** Adds a key that an initial list led to. */
  initial(key: ObjectKey): void {
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    this.#initialKeys++;
  }

  /** Returns the number of the key's next attempt: 1 unless its last run failed. */
  attempt(key: ObjectKey): number {
    return (this.#failing.get(key)?.attempts ?? 0) + 1;
  }

  /** Records a run that did not fail. */
  succeeded(key: ObjectKey): void {
    this.#awaited.delete(key);
    this.#failing.delete(key);
  }

  /** Records a run that failed or is stuck; `terminal` means that no retry is scheduled. */
  failed(key: ObjectKey, error: unknown, how: Omit<Failure, "error" | "attempts">): Failure {
    this.#awaited.delete(key);
    const attempts = (this.#failing.get(key)?.attempts ?? 0) + 1;
    const failure = { error: reasonOf(error), attempts, ...how };
    this.#failing.set(key, failure);
    return failure;
  }

  /**
   * Reports whether a scheduled run of the key need not be awaited: the key does not fail, or has
   * failed often enough.
   */
  isWorkedOff(key: ObjectKey): boolean {
    const failure = this.#failing.get(key);
    return !failure || failure.terminal || failure.attempts >= ONCE_MAX_FAILURES ||
      (failure.retryInMs ?? 0) > ONCE_MAX_RETRY_MS;
  }
}
