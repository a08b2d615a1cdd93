/**
 * An unbounded queue between one producer, who puts items, and one consumer, who iterates over them
 * until the queue is closed.
 */
export class Mailbox<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** Adds an item to the end of the asynchronous queue. */
  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Closes the asynchronous queue: the iteration ends after the items that are still queued. */
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
