import { type Entry, TenantLine } from "./entry.ts";
import { WorkList } from "./work_list.ts";

/** The queued entries of a work queue that have one priority. */
export interface Level<K> extends Iterable<Entry<K>> {
  /** The priority of the level's entries. */
  readonly priority: number;
  /** The number of entries queued at this priority. */
  readonly length: number;
  /** Returns the entry of this priority that is handed out next; `undefined` when there is none. */
  peek(): Entry<K> | undefined;
  /** Appends an entry to the level of its priority. */
  push(entry: Entry<K>): void;
  /**
   * Removes and returns the entry of this priority that is handed out next; `undefined` when there
   * is none.
   */
  shift(): Entry<K> | undefined;
  /** Removes a queued entry from the level of its priority. */
  remove(entry: Entry<K>): void;
  /** Returns the number of entries of this priority that are handed out before a given one. */
  before(entry: Entry<K>): number;
}

/** A level of one priority whose entries are handed out first come, first served. */
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

/**
 * A level of one priority that is shared fairly: the tenants with queued entries take turns, one
 * entry each, so that a tenant with one entry waits for at most one entry of each other tenant.
 */
export class FairLevel<K> implements Level<K> {
  readonly priority: number;
  readonly #tenantOf: (key: K) => unknown;
  readonly #lines = new Map<unknown, TenantLine<K>>();
  /** The tenants with queued entries, in the order of their turns. */
  readonly #round = new WorkList<TenantLine<K>>();
  #length = 0;

  /** Creates an empty fair level; `tenantOf` returns the tenant of a key and must not throw. */
  constructor(priority: number, tenantOf: (key: K) => unknown) {
    this.priority = priority;
    this.#tenantOf = tenantOf;
  }

  get length(): number {
    return this.#length;
  }

  peek(): Entry<K> | undefined {
    return this.#round.peek()?.peek();
  }

  push(entry: Entry<K>): void {
    const tenant = this.#tenantOf(entry.key);
    let line = this.#lines.get(tenant);
    if (!line) {
      line = new TenantLine(tenant);
      this.#lines.set(tenant, line);
      this.#round.push(line);
    }
    entry.line = line;
    line.push(entry);
    this.#length++;
  }

  shift(): Entry<K> | undefined {
    const line = this.#round.shift();
    const entry = line?.shift();
    if (!line || !entry) return undefined;
    entry.line = undefined;
    this.#length--;
    if (line.isEmpty) this.#lines.delete(line.tenant);
    else this.#round.push(line);
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
    const { line } = entry;
    if (!line) return 0;
    const index = indexIn(line, entry);
    let count = index;
    let isAfter = false;
    for (const other of this.#round) {
      if (other === line) isAfter = true;
      else count += Math.min(other.length, isAfter ? index : index + 1);
    }
    return count;
  }

  /** Yields the level's entries in the order in which they are handed out. */
  *[Symbol.iterator](): IterableIterator<Entry<K>> {
    let turns = Array.from(this.#round, (line) => line[Symbol.iterator]());
    while (turns.length > 0) {
      const left: typeof turns = [];
      for (const turn of turns) {
        const { done, value } = turn.next();
        if (done) continue;
        yield value;
        left.push(turn);
      }
      turns = left;
    }
  }
}

/** Returns the number of members of a sequence before a given one. */
function indexIn<T>(members: Iterable<T>, member: T): number {
  let index = 0;
  for (const each of members) {
    if (each === member) break;
    index++;
  }
  return index;
}
