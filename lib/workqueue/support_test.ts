/** What the tests of this folder share; the name keeps it out of the published package. */
import assert from "node:assert/strict";
import type { KeyLease } from "./key_lease.ts";
import type { WorkQueue } from "./work_queue.ts";

/** The lease that a queue with a key in line gives at once. */
export function take<K>(queue: WorkQueue<K>): KeyLease<K> {
  const lease = queue.get();
  assert(lease && !(lease instanceof Promise), "a key must be in line");
  return lease;
}

/** All keys in line, each taken and finished. */
export function takeAll<K>(queue: WorkQueue<K>): K[] {
  const keys: K[] = [];
  while (queue.len > 0) {
    using lease = take(queue);
    keys.push(lease.key);
  }
  return keys;
}
