/**
 * Until when each key backs off. A window that has passed means nothing, and is dropped at the
 * latest when as many keys again have come: so the memory follows the keys that back off now, also
 * for keys that nobody ever forgets.
 */
export class BackoffWindows<K> {
  readonly #endsMs = new Map<K, number>();
  #sweepAt = 64;

  /** How many windows are kept, those that have passed and were not dropped yet included. */
  get size(): number {
    return this.#endsMs.size;
  }

  /** When the key's window ends, if it is open at `nowMs`. */
  endMs(key: K, nowMs: number): number | undefined {
    const endMs = this.#endsMs.get(key);
    return endMs !== undefined && endMs > nowMs ? endMs : undefined;
  }

  /** Opens the key's window. */
  open(key: K, endMs: number, nowMs: number): void {
    this.#endsMs.set(key, endMs);
    if (this.#endsMs.size >= this.#sweepAt) this.#sweep(nowMs);
  }

  /** Closes the key's window. */
  close(key: K): void {
    this.#endsMs.delete(key);
  }

  /** Closes all windows. */
  clear(): void {
    this.#endsMs.clear();
  }

  /** The keys whose window is open, in the order in which they were first opened. */
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
