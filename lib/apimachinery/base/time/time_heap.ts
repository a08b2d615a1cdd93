/**
 * The interface of the items of a {@linkcode TimeHeap}: the time at which an item is due, and its
 * position in the heap.
 */
export interface Timed {
  /**
   * The time in milliseconds on a monotonic clock at which the item is due. Only {@linkcode
   * TimeHeap.hasten} changes it.
   */
  readyAtMs: number;
  /** The rank of the item among items that are due at the same time: the lowest comes first. */
  readonly order: number;
  /**
   * The position of the item in the heap, negative once it is removed. Only the heap changes it.
   */
  index: number;
}

/**
 * A priority queue of items by the time at which they are due, as a binary heap: the item at the
 * top is due first. Any item can be removed, or be made due earlier.
 */
export class TimeHeap<T extends Timed> {
  /**
   * The items in heap order: each is due no earlier than its parent, and its `index` is its
   * position in this array.
   */
  readonly #items: T[] = [];

  /** The number of items in the heap. */
  get size(): number {
    return this.#items.length;
  }

  /** Returns the earliest item of the heap; `undefined` when there is none. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item to the heap. */
  push(item: T): void {
    item.index = this.#items.length;
    this.#items.push(item);
    this.#rise(item);
  }

  /** Removes and returns the earliest item of the heap; `undefined` when there is none. */
  pop(): T | undefined {
    const top = this.#items[0];
    if (top) this.remove(top);
    return top;
  }

  /** Removes an item from the heap; no effect on an item that was removed before. */
  remove(item: T): void {
    const { index } = item;
    if (index < 0) return;
    const last = this.#items.pop()!;
    item.index = -1;
    if (last === item) return;
    last.index = index;
    this.#rise(last);
    this.#sink(last);
  }

  /**
   * Sets an earlier time for an item, which must be in the heap, and moves it to its new position.
   */
  hasten(item: T, readyAtMs: number): void {
    item.readyAtMs = readyAtMs;
    this.#rise(item);
  }

  /** Removes all items from the heap. */
  clear(): void {
    for (const item of this.#items) item.index = -1;
    this.#items.length = 0;
  }

  /** Moves an item of the heap towards the top, past all ancestors that are due later. */
  #rise(item: T): void {
    let at = item.index;
    while (at > 0) {
      const parent = this.#items[(at - 1) >> 1]!;
      if (!sooner(item, parent)) break;
      this.#place(parent, at);
      at = (at - 1) >> 1;
    }
    this.#place(item, at);
  }

  /** Moves an item of the heap towards the leaves, past all descendants that are due sooner. */
  #sink(item: T): void {
    const { length } = this.#items;
    let at = item.index;
    while (2 * at + 1 < length) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = right < length && sooner(this.#items[right]!, this.#items[left]!)
        ? right
        : left;
      if (!sooner(this.#items[child]!, item)) break;
      this.#place(this.#items[child]!, at);
      at = child;
    }
    this.#place(item, at);
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.index = index;
  }
}

/**
 * Reports whether item `a` of a heap comes before item `b`: it is due earlier, or at the same time
 * and has the lower order.
 */
export function sooner(a: Timed, b: Timed): boolean {
  return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order);
}
