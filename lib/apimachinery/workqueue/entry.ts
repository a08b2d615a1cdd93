import type { KeyLease } from "./key_lease.ts";
import { WorkList } from "./work_list.ts";

/**
 * One delivery of one key of a work queue, from its add to its end, and the lease of its worker, in
 * one allocation. An entry is queued, then processed, then finished, and never reused, so that
 * finishing a lease twice cannot end another delivery.
 */
export class Entry<K> implements KeyLease<K> {
  readonly key: K;
  /** The priority of the key's delivery; the queue raises it while the entry is queued. */
  priority: number;
  /** Reports whether a worker has taken the key of this entry and not finished it. */
  processing = false;
  /**
   * The next delivery of the key, if the key was added while a worker processes it; otherwise
   * `undefined`.
   */
  again: Entry<K> | undefined = undefined;
  /**
   * The previous entry in the list of queued or taken entries; `undefined` for the first and when
   * finished.
   */
  previous: Entry<K> | undefined = undefined;
  /**
   * The next entry in the list of queued or taken entries; `undefined` for the last and when
   * finished.
   */
  next: Entry<K> | undefined = undefined;
  /**
   * The list of the tenant's entries that contains this entry, where tenants share a priority;
   * `undefined` when the entry is not queued, and without tenants.
   */
  line: TenantLine<K> | undefined = undefined;
  /**
   * The time at which the key was added, in milliseconds on the queue's monotonic clock; in a queue
   * with metrics, once a worker has taken the key, the time at which the worker took it.
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

/** The queued entries of one tenant of a work queue, in the order of their arrival. */
export class TenantLine<K> extends WorkList<Entry<K>> {
  readonly tenant: unknown;
  /** The average number of the tenant's entries that are delivered in each of its turns. */
  readonly weight: number;
  /**
   * The number of entries that the tenant may still take in its turn. Outside of its turn it is
   * below 1: the fraction that its last turn left.
   */
  credit = 0;
  /** The previous tenant of the work queue in the round-robin order; `undefined` for the first. */
  previous: TenantLine<K> | undefined = undefined;
  /** The next tenant of the work queue in the round-robin order; `undefined` for the last. */
  next: TenantLine<K> | undefined = undefined;

  /** Creates the empty list of a tenant's queued entries; `weight` must be at least 1. */
  constructor(tenant: unknown, weight: number) {
    super();
    this.tenant = tenant;
    this.weight = weight;
  }
}
