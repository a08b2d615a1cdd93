/** What can stand in a {@linkcode Fifo}: it carries the link to the one behind it. */
export interface Linked<T> {
  /** The one behind; undefined at the tail and outside a list. */
  next: T | undefined;
}

/**
 * First in, first out, linked through its own members: constant time, no allocation, and nothing
 * that has left is still referred to.
 */
export class Fifo<T extends Linked<T>> {
  #head: T | undefined;
  #tail: T | undefined;
  #length = 0;

  /** How many stand in line. */
  get length(): number {
    return this.#length;
  }

  /** Puts one at the end. It must stand in no list. */
  push(item: T): void {
    if (this.#tail) this.#tail.next = item;
    else this.#head = item;
    this.#tail = item;
    this.#length++;
  }

  /** Takes the first; undefined when none is there. */
  shift(): T | undefined {
    const head = this.#head;
    if (!head) return undefined;
    this.#head = head.next;
    if (!head.next) this.#tail = undefined;
    head.next = undefined;
    this.#length--;
    return head;
  }
}
