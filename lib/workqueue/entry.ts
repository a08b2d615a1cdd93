import type { KeyLease } from "./key_lease.ts";
import { WorkList } from "./work_list.ts";

/**
 * One delivery of one key, from its add to its end, and the lease of its worker, in one allocation.
 * It is queued, then processed, then finished, and never reused, so that finishing a lease twice
 * cannot end another delivery.
 */
export class Entry<K> implements KeyLease<K> {
  readonly key: K;
  /** The priority of the delivery; the queue raises it while the entry is queued. */
  priority: number;
  /** Whether a worker holds the key. */
  processing = false;
  /** The next delivery of the key, once it is added while being processed. */
  again: Entry<K> | undefined = undefined;
  /** The entry queued, or taken, before this one; undefined when finished. */
  previous: Entry<K> | undefined = undefined;
  /** The entry queued, or taken, after this one; undefined when finished. */
  next: Entry<K> | undefined = undefined;
  /** The line of the key's tenant, while the entry is queued in a level that tenants share. */
  line: TenantLine<K> | undefined = undefined;
  /**
   * The time of the add on the queue's monotonic clock; in a queue with metrics, the time at which a
   * worker took the key, once one has.
   */
  sinceMs: number;
  readonly #finish: (entry: Entry<K>) => void;

  constructor(key: K, priority: number, sinceMs: number, finish: (entry: Entry<K>) => void) {
    this.key = key;
    this.priority = priority;
    this.sinceMs = sinceMs;
    this.#finish = finish;
  }

  done(): void {
    this.#finish(this);
  }

  [Symbol.dispose](): void {
    this.#finish(this);
  }
}

/** The queued entries of one tenant, first come, first served. */
export class TenantLine<K> extends WorkList<Entry<K>> {
  readonly tenant: unknown;
  /** The tenant before this one in the round; undefined for the first. */
  previous: TenantLine<K> | undefined = undefined;
  /** The tenant after this one in the round; undefined for the last. */
  next: TenantLine<K> | undefined = undefined;

  /** Creates the line of a tenant without entries. */
  constructor(tenant: unknown) {
    super();
    this.tenant = tenant;
  }
}
