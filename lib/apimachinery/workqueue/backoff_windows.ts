/**
 * A table of the times at which the back-offs of failed keys end. An expired back-off (window) has
 * no effect. The table removes expired back-offs when it has at least 64 keys and twice as many as
 * after the last removal, so that the memory is proportional to the number of keys that back off
 * now.
 */
export class BackoffWindows<K> {
  readonly #endsMs = new Map<K, number>();
  #sweepAt = 64;

  /** The number of back-offs of keys in the table, including expired ones. */
  get size(): number {
    return this.#endsMs.size;
  }

  /**
   * Returns the end of a key's back-off, in milliseconds on the caller's monotonic clock;
   * `undefined` when the key has no back-off, or the back-off is over at `nowMs`.
   */
  endMs(key: K, nowMs: number): number | undefined {
    const endMs = this.#endsMs.get(key);
    return endMs !== undefined && endMs > nowMs ? endMs : undefined;
  }

  /**
   * Starts the back-off of a work queue's key, or changes its end to `endMs`, in milliseconds on
   * the caller's monotonic clock; `nowMs` is the present time on that clock.
   */
  open(key: K, endMs: number, nowMs: number): void {
    this.#endsMs.set(key, endMs);
    if (this.#endsMs.size >= this.#sweepAt) this.#sweep(nowMs);
  }

  /** Ends the back-off of a work queue's key. */
  close(key: K): void {
    this.#endsMs.delete(key);
  }

  /** Ends the back-offs of all keys of the work queue. */
  clear(): void {
    this.#endsMs.clear();
  }

  /**
   * Removes the expired back-offs and returns the keys of the others, in the order in which the
   * keys entered the table.
   */
  openKeys(nowMs: number): K[] {
    this.#sweep(nowMs);
    return Array.from(this.#endsMs.keys());
  }

  #sweep(nowMs: number): void {
    for (const [key, endMs] of this.#endsMs) {
      if (endMs <= nowMs) this.#endsMs.delete(key);
    }
    this.#sweepAt = Math.max(64, 2 * this.#endsMs.size);
  }
}
