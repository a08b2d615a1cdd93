/** A key and the time at which its delay ends. */
export interface Timed<K> {
  readonly key: K;
  /**
   * The time in milliseconds on a monotonic clock at which the key is due. Only {@linkcode
   * TimeHeap.hasten} changes it.
   */
  readyAtMs: number;
  /** The priority at which the key is queued when its delay has ended. */
  priority: number;
  /** The order among keys of equal times: the lower one first. */
  readonly order: number;
  /** The position of the key in the heap. Only the heap changes it. */
  index: number;
}

/** A binary heap of keys by the time at which they are due, the earliest first. */
export class TimeHeap<K> {
  /** The heap's array: each member is due no earlier than its parent, and knows its own index. */
  readonly #items: Timed<K>[] = [];

  /** The number of keys in the heap. */
  get size(): number {
    return this.#items.length;
  }

  /** Returns the earliest key of the heap; `undefined` when there is none. */
  peek(): Timed<K> | undefined {
    return this.#items[0];
  }

  /** Adds a key to the heap. */
  push(item: Timed<K>): void {
    item.index = this.#items.length;
    this.#items.push(item);
    this.#rise(item);
  }

  /** Removes and returns the earliest key of the heap; `undefined` when there is none. */
  pop(): Timed<K> | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top && last && top !== last) this.#sink(last);
    return top;
  }

  /** Moves a key of the heap to an earlier time. */
  hasten(item: Timed<K>, readyAtMs: number): void {
    item.readyAtMs = readyAtMs;
    this.#rise(item);
  }

  /** Removes all keys from the heap. */
  clear(): void {
    this.#items.length = 0;
  }

  #rise(item: Timed<K>): void {
    let at = item.index;
    while (at > 0) {
      const parent = this.#items[(at - 1) >> 1]!;
      if (!sooner(item, parent)) break;
      this.#place(parent, at);
      at = (at - 1) >> 1;
    }
    this.#place(item, at);
  }

  /** Places a key at the top of the heap and moves it down to its position. */
  #sink(item: Timed<K>): void {
    const { length } = this.#items;
    let at = 0;
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

  #place(item: Timed<K>, index: number): void {
    this.#items[index] = item;
    item.index = index;
  }
}

/** Reports whether one key of the heap is due before another; a total order. */
export function sooner<K>(a: Timed<K>, b: Timed<K>): boolean {
  return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order);
}
