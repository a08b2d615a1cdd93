/** What the tests of this folder share; the name keeps it out of the published package. */
import assert from "node:assert/strict";
import type { Lease } from "./lease.ts";
import type { WorkQueue } from "./work_queue.ts";

/** The lease that a queue with a key in line gives at once. */
export function take<K>(queue: WorkQueue<K>): Lease<K> {
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

/** The seed of a randomised test: from XCA_SEED, else the given one; printed for a replay. */
export function testSeed(otherwise: number): number {
  const seed = Number(Deno.env.get("XCA_SEED") ?? otherwise);
  // deno-lint-ignore no-console
  console.log(`seed=${seed}`);
  return seed;
}
