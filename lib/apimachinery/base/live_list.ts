import { LinkedList, type Neighbour } from "./linked_list.ts";

/** A member of a {@linkcode LiveList}; disposing the member removes its value. */
class Member<T> implements Neighbour<Member<T>>, Disposable {
  readonly value: T;
  previous: Member<T> | undefined = undefined;
  next: Member<T> | undefined = undefined;
  /** The list that contains the member; `undefined` after the removal. */
  #list: LinkedList<Member<T>> | undefined;

  constructor(list: LinkedList<Member<T>>, value: T) {
    this.value = value;
    this.#list = list;
    list.push(this);
  }

  [Symbol.dispose](): void {
    this.#list?.remove(this);
    this.#list = undefined;
  }
}

/**
 * A list of values that come and go, such as the calls in flight, in the order of their additions.
 *
 * It replaces a `Set` of values that live shortly. A `Set` replaces its table after some removals,
 * and each table refers to the next: once a table is in the old generation of V8, all later ones,
 * and the values in them, stay until a collection of the whole heap. A removed member of this list
 * refers to no other member.
 */
export class LiveList<T> implements Iterable<T> {
  readonly #members = new LinkedList<Member<T>>();

  /** The number of values. */
  get size(): number {
    return this.#members.length;
  }

  /** The value that was added before all others; `undefined` if the list is empty. */
  get first(): T | undefined {
    return this.#members.peek()?.value;
  }

  /** Adds a value at the end. Disposing the result removes it; a second time changes nothing. */
  add(value: T): Disposable {
    return new Member(this.#members, value);
  }

  /** Removes the value that was added before all others, and returns it. */
  shift(): T | undefined {
    const member = this.#members.peek();
    member?.[Symbol.dispose]();
    return member?.value;
  }

  /** Returns an iterator over the values that the list has now. */
  [Symbol.iterator](): Iterator<T> {
    return Array.from(this.#members, ({ value }) => value).values();
  }
}
