import { SlotList } from "./slot_list.ts";
import type { KeyTable } from "./key_table.ts";
import type { Neighbour } from "../base/linked_list.ts";

/** The queued keys of one tenant of a work queue, in the order of their arrival. */
export class TenantLine extends SlotList implements Neighbour<TenantLine> {
  readonly tenant: unknown;
  /** The average number of the tenant's keys that are delivered in each of its turns. */
  readonly weight: number;
  /**
   * The number of keys that the tenant may still take in its turn. Outside of its turn it is below
   * 1: the fraction that its last turn left.
   */
  credit = 0;
  /** The previous tenant of the work queue in the round-robin order; `undefined` for the first. */
  previous: TenantLine | undefined = undefined;
  /** The next tenant of the work queue in the round-robin order; `undefined` for the last. */
  next: TenantLine | undefined = undefined;

  /** Creates the empty list of a tenant's queued keys; `weight` must be at least 1. */
  constructor(keys: KeyTable<unknown>, tenant: unknown, weight: number) {
    super(keys);
    this.tenant = tenant;
    this.weight = weight;
  }
}
