/** A value in a {@linkcode LiveList}; disposing the node removes the value. */
class Node<T> implements Disposable {
  readonly value: T;
  previous: Node<T> | undefined;
  next: Node<T> | undefined;
  #list: LiveListEnds<T> | undefined;

  constructor(list: LiveListEnds<T>, value: T) {
    this.#list = list;
    this.value = value;
    this.previous = list.last;
    if (list.last) list.last.next = this;
    else list.first = this;
    list.last = this;
    list.size++;
  }

  [Symbol.dispose](): void {
    const list = this.#list;
    if (!list) return;
    const { previous, next } = this;
    if (previous) previous.next = next;
    else list.first = next;
    if (next) next.previous = previous;
    else list.last = previous;
    list.size--;
    this.#list = this.previous = this.next = undefined;
  }
}

/** The first and the last node of a list, and the number of its nodes. */
interface LiveListEnds<T> {
  first: Node<T> | undefined;
  last: Node<T> | undefined;
  size: number;
}

/**
 * A list of values that come and go, such as the calls in flight, in the order of their additions.
 *
 * It serves as a `Set` for values that live shortly. A `Set` replaces its table after some removals,
 * and each table refers to the next: once one is in the old generation of V8, all later ones, and
 * the values in them, stay until a collection of the whole heap. A removed node of this list refers
 * to no other node.
 */
export class LiveList<T> implements Iterable<T> {
  readonly #ends: LiveListEnds<T> = { first: undefined, last: undefined, size: 0 };

  /** The number of values. */
  get size(): number {
    return this.#ends.size;
  }

  /** The value that was added before all others; `undefined` if the list is empty. */
  get first(): T | undefined {
    return this.#ends.first?.value;
  }

  /** Adds a value at the end. Disposing the result removes the value; a second time changes nothing. */
  add(value: T): Disposable {
    return new Node(this.#ends, value);
  }

  /** Removes the value that was added before all others, and returns it. */
  shift(): T | undefined {
    const { first } = this.#ends;
    first?.[Symbol.dispose]();
    return first?.value;
  }

  /** Returns an iterator over the values that the list has now. */
  [Symbol.iterator](): Iterator<T> {
    const values: T[] = [];
    for (let node = this.#ends.first; node; node = node.next) values.push(node.value);
    return values.values();
  }
}
