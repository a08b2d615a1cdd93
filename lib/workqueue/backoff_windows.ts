/**
 * The ends of the back-offs of keys. An expired window has no effect, and is dropped at the latest
 * when as many keys have been added again, so that memory follows the keys that back off now, even
 * when keys are never forgotten.
 */
export class BackoffWindows<K> {
  readonly #endsMs = new Map<K, number>();
  #sweepAt = 64;

  /** The number of windows kept, expired ones included. */
  get size(): number {
    return this.#endsMs.size;
  }

  /** Returns the end of a key's window, if the window is open at `nowMs`. */
  endMs(key: K, nowMs: number): number | undefined {
    const endMs = this.#endsMs.get(key);
    return endMs !== undefined && endMs > nowMs ? endMs : undefined;
  }

  /** Opens the window of a key. */
  open(key: K, endMs: number, nowMs: number): void {
    this.#endsMs.set(key, endMs);
    if (this.#endsMs.size >= this.#sweepAt) this.#sweep(nowMs);
  }

  /** Closes the window of a key. */
  close(key: K): void {
    this.#endsMs.delete(key);
  }

  /** Closes all windows. */
  clear(): void {
    this.#endsMs.clear();
  }

  /** Returns the keys with an open window, in the order in which they were first opened. */
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
