/** A member of a linked list ({@linkcode LinkedList}), with links to its neighbours. */
export interface Neighbour<T> {
  /** The previous member of the linked list; `undefined` for the first and outside of a list. */
  previous: T | undefined;
  /** The next member of the linked list; `undefined` for the last and outside of a list. */
  next: T | undefined;
}

/**
 * A linked list in the order of addition, whose links are fields of its members: adding and
 * removing take constant time and no allocation, and a removed member is no longer referred to.
 */
export class LinkedList<T extends Neighbour<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #length = 0;

  /** The number of members of the linked list. */
  get length(): number {
    return this.#length;
  }

  /** Reports whether the linked list is empty. */
  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** Appends a member to the linked list; the member must be in no list. */
  push(item: T): void {
    const last = this.#last;
    this.#last = item;
    this.#length++;
    if (last) {
      last.next = item;
      item.previous = last;
    } else {
      this.#first = item;
    }
  }

  /** Returns the first member of the linked list; `undefined` when there is none. */
  peek(): T | undefined {
    return this.#first;
  }

  /** Removes and returns the first member of the linked list; `undefined` when there is none. */
  shift(): T | undefined {
    const first = this.#first;
    if (!first) return undefined;
    const { next } = first;
    this.#first = next;
    this.#length--;
    if (next) {
      next.previous = undefined;
      first.next = undefined;
    } else {
      this.#last = undefined;
    }
    return first;
  }

  /** Removes a member of the linked list, which must be in this list. */
  remove(item: T): void {
    const { previous, next } = item;
    this.#length--;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    if (previous) item.previous = undefined;
    if (next) item.next = undefined;
  }

  /** Yields the members of the linked list, the first added first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
