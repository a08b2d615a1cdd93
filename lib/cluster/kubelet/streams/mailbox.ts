/** An unbounded queue of items that one side puts and the other iterates over, until it is closed. */
export class Mailbox<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** Adds an item at the end. */
  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the iteration after the items that were put already. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!;
      if (this.#closed) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
