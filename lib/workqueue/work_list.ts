/** What can stand in a {@linkcode WorkList}: it carries the links to its neighbours. */
export interface Neighbour<T> {
  /** The one before; undefined for the first and outside a list. */
  previous: T | undefined;
  /** The one after; undefined for the last and outside a list. */
  next: T | undefined;
}

/**
 * What is being worked on, in the order it was begun, linked through its own members: beginning and
 * ending take constant time and no allocation, and nothing that has left is still referred to.
 */
export class WorkList<T extends Neighbour<T>> {
  #first: T | undefined;
  #last: T | undefined;

  /** Whether nothing is being worked on. */
  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** Puts one at the end. It must stand in no list. */
  push(item: T): void {
    const last = this.#last;
    this.#last = item;
    if (last) {
      last.next = item;
      item.previous = last;
    } else {
      this.#first = item;
    }
  }

  /** Takes one out, wherever it stands. It must stand in this list. */
  remove(item: T): void {
    const { previous, next } = item;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    if (previous) item.previous = undefined;
    if (next) item.next = undefined;
  }

  /** The members, the one begun first ahead. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
