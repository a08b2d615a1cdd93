/** An object that can be appended to a {@linkcode Fifo}, which links its members by their `next`. */
export interface Linked<T> {
  /** The next member; undefined at the end and outside of a list. */
  next: T | undefined;
}

/**
 * First-in, first-out list that is linked through its members: constant time, no allocation, and no
 * reference to a removed member.
 */
export class Fifo<T extends Linked<T>> {
  #head: T | undefined;
  #tail: T | undefined;
  #length = 0;

  /** The number of members. */
  get length(): number {
    return this.#length;
  }

  /** Appends a member, which must be in no list. */
  push(item: T): void {
    if (this.#tail) this.#tail.next = item;
    else this.#head = item;
    this.#tail = item;
    this.#length++;
  }

  /** Removes and returns the first member; undefined when there is none. */
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
