/** Failures per key. A key that has none takes no memory. */
export class FailureCounts<K> {
  readonly #counts = new Map<K, number>();

  /** Failures counted for the key. */
  get(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts one more, and returns how many there were before. */
  count(key: K): number {
    const before = this.get(key);
    this.#counts.set(key, before + 1);
    return before;
  }

  /** Forgets the key. */
  forget(key: K): void {
    this.#counts.delete(key);
  }
}
