// Mirrors `client-go/util/flowcontrol/backoff.go, Backoff`.

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

/** The back-off of a DaemonSet's failed pods on one node. */
interface Entry {
  readonly delayMs: number;
  /**
   * The time at which the last failed pod of the DaemonSet on the node was deleted, in milliseconds
   * since the epoch.
   */
  readonly sinceMs: number;
}

/**
 * The back-offs between the deletions of failed pods, by keys that consist of the UID and observed
 * generation of a DaemonSet and the name of a node: one second at first, doubled with each deletion
 * up to 15 minutes, and reset after half an hour without a deletion.
 */
export class FailedPodBackoff {
  readonly #entries = new Map<string, Entry>();

  /**
   * Returns the remaining back-off before a failed pod of a DaemonSet may be deleted, in
   * milliseconds; 0 if it may be deleted now.
   */
  waitMs(key: string, nowMs: number): number {
    const entry = this.#entries.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.sinceMs + entry.delayMs - nowMs);
  }

  /**
   * Records the deletion of a failed pod: doubles the back-off of the key, and forgets the
   * back-offs of keys without a deletion in the last half hour.
   */
  next(key: string, nowMs: number): void {
    for (const [other, { sinceMs }] of this.#entries) {
      if (nowMs - sinceMs > 2 * LONGEST_MS) this.#entries.delete(other);
    }
    const entry = this.#entries.get(key);
    const delayMs = entry === undefined ? FIRST_MS : Math.min(2 * entry.delayMs, LONGEST_MS);
    this.#entries.set(key, { delayMs, sinceMs: nowMs });
  }
}
