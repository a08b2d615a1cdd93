import { type KeyTable, NO_SLOT } from "./key_table.ts";
import { SlotList } from "./slot_list.ts";
import { TenantLine } from "./tenant_line.ts";
import { LinkedList } from "../base/linked_list.ts";

/** The slots of a work queue's queued keys that have one priority. */
export interface Level extends Iterable<number> {
  /** The priority of the keys in this level of the work queue. */
  readonly priority: number;
  /** The number of keys that are queued at this priority. */
  readonly length: number;
  /** Returns the slot of this priority that is delivered next, or {@linkcode NO_SLOT}. */
  peek(): number;
  /** Appends a slot to the level of its key's priority. */
  push(slot: number): void;
  /** Removes and returns the slot of this priority that is delivered next, or `NO_SLOT`. */
  shift(): number;
  /** Removes a queued slot from the level of its key's priority. */
  remove(slot: number): void;
}

/** A priority level whose keys are delivered in the order of their arrival. */
export class FifoLevel extends SlotList implements Level {
  readonly priority: number;

  constructor(priority: number, keys: KeyTable<unknown>) {
    super(keys);
    this.priority = priority;
  }
}

/** The rules by which a work queue is divided among its tenants. */
export interface Sharing<K> {
  /** Returns the tenant of a key; it must not throw. */
  readonly tenantOf: (key: K) => unknown;
  /** The weights of tenants, each at least 1; a tenant without one has the weight 1. */
  readonly weights: ReadonlyMap<unknown, number>;
}

/**
 * A level of one priority that is shared fairly: the tenants with queued keys take turns, and each
 * turn delivers as many keys as the weight of its tenant (weighted round robin). So a tenant with
 * one key waits for at most one turn of each other tenant.
 *
 * A weight may have a fraction, which a turn leaves to the next: with the weight 1.5 the turns have
 * one and two keys. A tenant without queued keys saves nothing for later.
 */
export class FairLevel<K> implements Level {
  readonly priority: number;
  readonly #keys: KeyTable<K>;
  readonly #sharing: Sharing<K>;
  readonly #lines = new Map<unknown, TenantLine>();
  /** The tenant's line of each slot in the level, by slot, since `tenantOf` may change its mind. */
  #lineOf: (TenantLine | undefined)[] = [];
  /** The tenants with queued keys, in round-robin order. */
  readonly #round = new LinkedList<TenantLine>();
  #length = 0;

  constructor(priority: number, keys: KeyTable<K>, sharing: Sharing<K>) {
    this.priority = priority;
    this.#keys = keys;
    this.#sharing = sharing;
  }

  get length(): number {
    return this.#length;
  }

  peek(): number {
    return this.#round.peek()?.peek() ?? NO_SLOT;
  }

  push(slot: number): void {
    const { tenantOf, weights } = this.#sharing;
    const tenant = tenantOf(this.#keys.keyAt(slot));
    let line = this.#lines.get(tenant);
    if (!line) {
      line = new TenantLine(this.#keys, tenant, weights.get(tenant) ?? 1);
      this.#lines.set(tenant, line);
      this.#round.push(line);
    }
    this.#lineOf[slot] = line;
    line.push(slot);
    this.#length++;
  }

  shift(): number {
    const line = this.#round.peek();
    if (!line) return NO_SLOT;
    const slot = line.shift();
    this.#left(slot);
    line.credit = creditAfter(line.credit, line.weight);
    if (line.isEmpty) {
      this.#round.shift();
      this.#lines.delete(line.tenant);
    } else if (line.credit < 1) {
      this.#round.shift();
      this.#round.push(line);
    }
    return slot;
  }

  remove(slot: number): void {
    const line = this.#lineOf[slot];
    if (!line) return;
    line.remove(slot);
    this.#left(slot);
    if (!line.isEmpty) return;
    this.#round.remove(line);
    this.#lines.delete(line.tenant);
  }

  #left(slot: number): void {
    this.#lineOf[slot] = undefined;
    if (--this.#length === 0) this.#lineOf = [];
  }

  /** Yields the level's slots in the order in which they are delivered. */
  *[Symbol.iterator](): IterableIterator<number> {
    let turns = Array.from(
      this.#round,
      (line) => ({ line, next: line.peek(), credit: line.credit }),
    );
    while (turns.length > 0) {
      for (const turn of turns) {
        const { line } = turn;
        do {
          yield turn.next;
          turn.next = line.after(turn.next);
          turn.credit = creditAfter(turn.credit, line.weight);
        } while (turn.next !== NO_SLOT && turn.credit >= 1);
      }
      turns = turns.filter(({ next }) => next !== NO_SLOT);
    }
  }
}

/**
 * Returns the credit of a tenant after it took a key, within its turn or as the first key of a
 * turn.
 */
function creditAfter(credit: number, weight: number): number {
  return (credit < 1 ? credit + weight : credit) - 1;
}
