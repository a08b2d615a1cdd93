import { type KeyTable, NO_SLOT } from "./key_table.ts";

/**
 * A linked list of slots of a {@linkcode KeyTable}, in the order of addition, whose links are in
 * the table: adding and removing take constant time and no allocation. A slot is in one list at a
 * time.
 */
export class SlotList {
  readonly #links: Links;
  #first = NO_SLOT;
  #last = NO_SLOT;
  #length = 0;

  /** Creates an empty list of slots of `links`, the table of a work queue's keys. */
  constructor(links: Links) {
    this.#links = links;
  }

  /** The number of slots in the linked list. */
  get length(): number {
    return this.#length;
  }

  /** Reports whether the linked list is empty. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Appends a slot to the linked list; the slot must be in no list. */
  push(slot: number): void {
    const { next, previous } = this.#links;
    const last = this.#last;
    next[slot] = NO_SLOT;
    previous[slot] = last;
    if (last === NO_SLOT) this.#first = slot;
    else next[last] = slot;
    this.#last = slot;
    this.#length++;
  }

  /** Returns the first slot of the linked list, or {@linkcode NO_SLOT}. */
  peek(): number {
    return this.#first;
  }

  /** Returns the slot after a slot of the linked list, or {@linkcode NO_SLOT}. */
  after(slot: number): number {
    return this.#links.next[slot]!;
  }

  /** Removes and returns the first slot of the linked list, or {@linkcode NO_SLOT}. */
  shift(): number {
    const first = this.#first;
    if (first !== NO_SLOT) this.remove(first);
    return first;
  }

  /** Removes a slot of the linked list, which must be in this list. */
  remove(slot: number): void {
    const links = this.#links;
    const next = links.next[slot]!;
    const previous = links.previous[slot]!;
    if (previous === NO_SLOT) this.#first = next;
    else links.next[previous] = next;
    if (next === NO_SLOT) this.#last = previous;
    else links.previous[next] = previous;
    this.#length--;
  }

  /** Yields the slots of the linked list, the first added first. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (let slot = this.#first; slot !== NO_SLOT; slot = this.after(slot)) yield slot;
  }
}

/** The columns of a {@linkcode KeyTable} in which a {@linkcode SlotList} keeps its links. */
type Links = Pick<KeyTable<unknown>, "next" | "previous">;
