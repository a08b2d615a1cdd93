// Mirrors `client-go/util/flowcontrol/backoff.go, Backoff`.

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

/** The back-off of a node. */
interface Entry {
  readonly delayMs: number;
  /** The time at which the last failed pod of the node was deleted, in milliseconds. */
  readonly sinceMs: number;
}

/**
 * The back-offs between the deletions of failed daemon pods, per DaemonSet and node: a second at first,
 * doubled with each failure up to 15 minutes, and a second again after half an hour without one.
 */
export class FailedPodBackoff {
  readonly #entries = new Map<string, Entry>();

  /** Returns the time until a failed pod may be deleted, in milliseconds; 0 if it may be now. */
  waitMs(key: string, nowMs: number): number {
    const entry = this.#entries.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.sinceMs + entry.delayMs - nowMs);
  }

  /** Notes the deletion of a failed pod. */
  next(key: string, nowMs: number): void {
    for (const [other, { sinceMs }] of this.#entries) {
      if (nowMs - sinceMs > 2 * LONGEST_MS) this.#entries.delete(other);
    }
    const entry = this.#entries.get(key);
    const delayMs = entry === undefined ? FIRST_MS : Math.min(2 * entry.delayMs, LONGEST_MS);
    this.#entries.set(key, { delayMs, sinceMs: nowMs });
  }
}
