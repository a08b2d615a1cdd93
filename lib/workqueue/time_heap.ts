/** A key and when its time comes. */
export interface Timed<K> {
  readonly key: K;
  /** On a monotonic scale, in milliseconds. Only {@linkcode TimeHeap.hasten} changes it. */
  readyAtMs: number;
  /** Decides between equal times: the one that came first goes first. */
  readonly order: number;
  /** Where it stands in the heap. Only the heap changes it. */
  index: number;
}

/** A binary heap of timed keys, the soonest on top. */
export class TimeHeap<K> {
  /** Each member is due no sooner than its parent, and knows its own index. */
  readonly #items: Timed<K>[] = [];

  /** How many keys it holds. */
  get size(): number {
    return this.#items.length;
  }

  /** The soonest; undefined when there is none. */
  peek(): Timed<K> | undefined {
    return this.#items[0];
  }

  /** Puts one in. */
  push(item: Timed<K>): void {
    item.index = this.#items.length;
    this.#items.push(item);
    this.#rise(item);
  }

  /** Takes the soonest out; undefined when there is none. */
  pop(): Timed<K> | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top && last && top !== last) this.#sink(last);
    return top;
  }

  /** Moves a member's time forward to an earlier one. */
  hasten(item: Timed<K>, readyAtMs: number): void {
    item.readyAtMs = readyAtMs;
    this.#rise(item);
  }

  /** Takes all out. */
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

  /** Puts the item in at the top and lets it sink to where it belongs. */
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

/** Whether `a` goes before `b`; gives the order of a whole list too. */
export function sooner<K>(a: Timed<K>, b: Timed<K>): boolean {
  return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order);
}
