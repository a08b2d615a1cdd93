/** Helpers of the work queue tests; the name keeps the file out of the published package. */
import assert from "node:assert/strict";
import type { KeyLease } from "./key_lease.ts";
import type { WorkQueue } from "./work_queue.ts";

/** Takes the key that is queued, and returns its lease. */
export function take<K>(queue: WorkQueue<K>): KeyLease<K> {
  const lease = queue.get();
  assert(lease && !(lease instanceof Promise), "a key must be in line");
  return lease;
}

/** Takes and finishes all queued keys. */
export function takeAll<K>(queue: WorkQueue<K>): K[] {
  const keys: K[] = [];
  while (queue.len > 0) {
    using lease = take(queue);
    keys.push(lease.key);
  }
  return keys;
}
