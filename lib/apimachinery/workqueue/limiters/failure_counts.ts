/** A table of the number of failures per key. A key without failures takes no memory. */
export class FailureCounts<K> {
  readonly #counts = new Map<K, number>();

  /** Returns the number of failures of a key; 0 if it is not in the table. */
  get(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts a failure of a key, and returns the number of its failures before. */
  count(key: K): number {
    const before = this.get(key);
    this.#counts.set(key, before + 1);
    return before;
  }

  /** Forgets the failures of a key. */
  forget(key: K): void {
    this.#counts.delete(key);
  }
}
