/** A first-in-first-out row: appending and taking are cheap however long it is. */
export class Deque<Item> implements Iterable<Item> {
  /** The items; those before `#head` are taken already and `undefined`. */
  #items: (Item | undefined)[] = [];
  #head = 0;

  /** How many items wait. */
  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The item that waits longest; `undefined` when none does. */
  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  /** Appends an item. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Takes the item that waits longest; `undefined` when none does. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) this.#empty();
    else if (this.#head > 1000 && this.#head * 2 > this.#items.length) this.#trim();
    return item;
  }

  /** Puts other items in place of all that wait. */
  reset(items: readonly Item[]): void {
    this.#items = [...items];
    this.#head = 0;
  }

  /** Drops all items. */
  clear(): void {
    this.reset([]);
  }

  /** The items that wait, the oldest first. */
  *[Symbol.iterator](): Iterator<Item> {
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as Item;
  }

  /** Keeps small memory for the next items, lets go of large. */
  #empty(): void {
    if (this.#items.length > 64) this.#items = [];
    else this.#items.length = 0;
    this.#head = 0;
  }

  /** Each trim moves no more items than were taken since the last. */
  #trim(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
