import type { ObjectKey } from "@xca/apimachinery/meta";
import { ONCE_MAX_FAILURES, ONCE_MAX_RETRY_MS } from "./operator_progress.ts";
import { reasonOf } from "./run_log.ts";

/** What is remembered of a key whose last run failed. */
export interface Failure {
  /** What the run threw, as one line. */
  readonly error: string;
  /** How many runs in a row failed. */
  readonly attempts: number;
  /** Whether no retry is planned. */
  readonly terminal: boolean;
  /** The delay that the error asked for, in milliseconds. */
  readonly retryInMs?: number | undefined;
  /** When it was noted, on the monotonic clock. */
  readonly atMs: number;
}

/**
 * What a controller remembers of its keys beyond the queue: which were there at the start, and which
 * fail. A key that is done takes no memory.
 */
export class KeyBook {
  readonly #awaited = new Set<ObjectKey>();
  readonly #failing = new Map<ObjectKey, Failure>();
  #initialKeys = 0;

  /** How many keys the initial lists led to. */
  get initialKeys(): number {
    return this.#initialKeys;
  }

  /** How many of them had no run yet. */
  get awaited(): number {
    return this.#awaited.size;
  }

  /** Keys whose last run failed. */
  get failing(): ReadonlyMap<ObjectKey, Failure> {
    return this.#failing;
  }

  /** Notes a key that an initial list led to. */
  initial(key: ObjectKey): void {
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    this.#initialKeys++;
  }

  /** Which try the next run is: 1 unless the last one failed. */
  attempt(key: ObjectKey): number {
    return (this.#failing.get(key)?.attempts ?? 0) + 1;
  }

  /** Notes a run that did not fail. */
  succeeded(key: ObjectKey): void {
    this.#awaited.delete(key);
    this.#failing.delete(key);
  }

  /** Notes a run that failed, or is stuck; `terminal` when no retry is planned. */
  failed(key: ObjectKey, error: unknown, how: Omit<Failure, "error" | "attempts">): Failure {
    this.#awaited.delete(key);
    const attempts = (this.#failing.get(key)?.attempts ?? 0) + 1;
    const failure = { error: reasonOf(error), attempts, ...how };
    this.#failing.set(key, failure);
    return failure;
  }

  /** Whether a later run of the key is not worth waiting for: it does not fail, or has failed enough. */
  isWorkedOff(key: ObjectKey): boolean {
    const failure = this.#failing.get(key);
    return !failure || failure.terminal || failure.attempts >= ONCE_MAX_FAILURES ||
      (failure.retryInMs ?? 0) > ONCE_MAX_RETRY_MS;
  }
}
