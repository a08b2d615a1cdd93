import { type Entry, TenantLine } from "./entry.ts";
import { WorkList } from "./work_list.ts";

/** The queued entries of a work queue that have one priority. */
export interface Level<K> extends Iterable<Entry<K>> {
  /** The priority of the entries in this level of the work queue. */
  readonly priority: number;
  /** The number of entries that are queued at this priority. */
  readonly length: number;
  /** Returns the entry of this priority that is delivered next; `undefined` when there is none. */
  peek(): Entry<K> | undefined;
  /** Appends an entry to the level of its priority. */
  push(entry: Entry<K>): void;
  /**
   * Removes and returns the entry of this priority that is delivered next; `undefined` when there
   * is none.
   */
  shift(): Entry<K> | undefined;
  /** Removes a queued entry from the level of its priority. */
  remove(entry: Entry<K>): void;
  /** Returns the number of entries of this priority that are delivered before a given one. */
  before(entry: Entry<K>): number;
}

/** A priority level whose entries are delivered in the order of their arrival. */
export class FifoLevel<K> extends WorkList<Entry<K>> implements Level<K> {
  readonly priority: number;

  constructor(priority: number) {
    super();
    this.priority = priority;
  }

  before(entry: Entry<K>): number {
    return indexIn(this, entry);
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
 * A level of one priority that is shared fairly: the tenants with queued entries take turns, and
 * each turn delivers as many entries as the weight of its tenant (weighted round robin). So a
 * tenant with one entry waits for at most one turn of each other tenant.
 *
 * A weight may have a fraction, which a turn leaves to the next: with the weight 1.5 the turns have
 * one and two entries. A tenant without queued entries saves nothing for later.
 */
export class FairLevel<K> implements Level<K> {
  readonly priority: number;
  readonly #sharing: Sharing<K>;
  readonly #lines = new Map<unknown, TenantLine<K>>();
  /** The tenants with queued entries, in round-robin order. */
  readonly #round = new WorkList<TenantLine<K>>();
  #length = 0;

  constructor(priority: number, sharing: Sharing<K>) {
    this.priority = priority;
    this.#sharing = sharing;
  }

  get length(): number {
    return this.#length;
  }

  peek(): Entry<K> | undefined {
    return this.#round.peek()?.peek();
  }

  push(entry: Entry<K>): void {
    const { tenantOf, weights } = this.#sharing;
    const tenant = tenantOf(entry.key);
    let line = this.#lines.get(tenant);
    if (!line) {
      line = new TenantLine(tenant, weights.get(tenant) ?? 1);
      this.#lines.set(tenant, line);
      this.#round.push(line);
    }
    entry.line = line;
    line.push(entry);
    this.#length++;
  }

  shift(): Entry<K> | undefined {
    const line = this.#round.peek();
    const entry = line?.shift();
    if (!line || !entry) return undefined;
    entry.line = undefined;
    this.#length--;
    line.credit = creditAfter(line.credit, line.weight);
    if (line.isEmpty) {
      this.#round.shift();
      this.#lines.delete(line.tenant);
    } else if (line.credit < 1) {
      this.#round.shift();
      this.#round.push(line);
    }
    return entry;
  }

  remove(entry: Entry<K>): void {
    const { line } = entry;
    if (!line) return;
    entry.line = undefined;
    line.remove(entry);
    this.#length--;
    if (!line.isEmpty) return;
    this.#round.remove(line);
    this.#lines.delete(line.tenant);
  }

  before(entry: Entry<K>): number {
    return indexIn(this, entry);
  }

  /** Yields the level's entries in the order in which they are delivered. */
  *[Symbol.iterator](): IterableIterator<Entry<K>> {
    let turns = Array.from(
      this.#round,
      (line) => ({ next: line.peek(), credit: line.credit, weight: line.weight }),
    );
    while (turns.length > 0) {
      for (const turn of turns) {
        do {
          if (turn.next) yield turn.next;
          turn.next = turn.next?.next;
          turn.credit = creditAfter(turn.credit, turn.weight);
        } while (turn.next && turn.credit >= 1);
      }
      turns = turns.filter(({ next }) => next);
    }
  }
}

/**
 * Returns the credit of a tenant after it took an entry, within its turn or as the first entry of a
 * turn.
 */
function creditAfter(credit: number, weight: number): number {
  return (credit < 1 ? credit + weight : credit) - 1;
}

/** Returns the position of a member in a sequence: the number of members before it. */
function indexIn<T>(members: Iterable<T>, member: T): number {
  let index = 0;
  for (const each of members) {
    if (each === member) break;
    index++;
  }
  return index;
}
