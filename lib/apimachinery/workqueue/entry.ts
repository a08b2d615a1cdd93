import type { KeyLease } from "./key_lease.ts";
import { WorkList } from "./work_list.ts";

/**
 * One delivery of one key of a work queue, from its add to its end, and the lease of its worker, in
 * one allocation. It is queued, then processed, then finished, and never reused, so that finishing
 * a lease twice cannot end another delivery.
 */
export class Entry<K> implements KeyLease<K> {
  readonly key: K;
  /** The priority of the key's delivery; the queue raises it while the entry is queued. */
  priority: number;
  /** Whether a worker holds the key of this entry. */
  processing = false;
  /** The next delivery of the key, once it is added while a worker holds it. */
  again: Entry<K> | undefined = undefined;
  /** The entry queued, or taken, before this one; `undefined` for the first and when finished. */
  previous: Entry<K> | undefined = undefined;
  /** The entry queued, or taken, after this one; `undefined` for the last and when finished. */
  next: Entry<K> | undefined = undefined;
  /** The tenant's line in which the entry is queued, where tenants share a priority. */
  line: TenantLine<K> | undefined = undefined;
  /**
   * The time at which the key was added, on the queue's monotonic clock; in a queue with metrics,
   * the time at which a worker took the key, once one has.
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

/** The queued entries of one tenant of a work queue, first come, first served. */
export class TenantLine<K> extends WorkList<Entry<K>> {
  readonly tenant: unknown;
  /** The tenant before this one in the round of turns; `undefined` for the first. */
  previous: TenantLine<K> | undefined = undefined;
  /** The tenant after this one in the round of turns; `undefined` for the last. */
  next: TenantLine<K> | undefined = undefined;

  constructor(tenant: unknown) {
    super();
    this.tenant = tenant;
  }
}
