/**
 * A first-in-first-out queue. Adding and removing take constant time on average, however long the
 * queue is.
 */
export class Deque<Item> implements Iterable<Item> {
  /** The items of the queue; those before `#head` were removed and are `undefined`. */
  #items: (Item | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The oldest item of the queue; `undefined` when the queue is empty. */
  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  /** Appends an item to the end of the queue. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item of the queue; `undefined` when the queue is empty. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) this.#empty();
    else if (this.#head > 1000 && this.#head * 2 > this.#items.length) this.#trim();
    return item;
  }

  /** Replaces all items of the queue by the given ones. */
  reset(items: readonly Item[]): void {
    this.#items = [...items];
    this.#head = 0;
  }

  /** Removes all items of the queue. */
  clear(): void {
    this.reset([]);
  }

  /** Iterates over the items of the queue, the oldest first, without removing them. */
  *[Symbol.iterator](): Iterator<Item> {
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as Item;
  }

  /**
   * Resets the array of an empty queue: keeps a small array for the next items, drops a large one.
   */
  #empty(): void {
    if (this.#items.length > 64) this.#items = [];
    else this.#items.length = 0;
    this.#head = 0;
  }

  /**
   * Removes the free entries at the front of the queue's array. A trim moves no more items than
   * were removed since the previous trim.
   */
  #trim(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
