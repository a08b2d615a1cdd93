/**
 * A map with a limited number of entries, which drops the least recently set entry first
 * (golang.org/x groupcache lru).
 */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;
  readonly #onDrop: (value: V) => void;

  /**
   * Creates an empty map of at most `most` entries; the map calls `onDrop` with each value that it
   * drops because of the limit, but not with deleted or replaced ones.
   */
  constructor(most: number, onDrop: (value: V) => void = () => {}) {
    this.#most = most;
    this.#onDrop = onDrop;
  }

  /** The number of entries of the map. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the map's value of a key; `undefined` when the map has none. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /**
   * Sets the value of a key in the map, which makes its entry the newest, and drops the map's
   * oldest entry beyond its limit.
   */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    const [[oldest, dropped]] = this.#entries as unknown as [[K, V]];
    this.#entries.delete(oldest);
    this.#onDrop(dropped);
  }

  /** Removes a key and its value from the map. */
  delete(key: K): void {
    this.#entries.delete(key);
  }

  /** Returns a copy of the map's entries, the oldest first. */
  entries(): [K, V][] {
    return [...this.#entries];
  }
}
