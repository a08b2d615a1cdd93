import assert from "node:assert/strict";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { JobBackoff } from "./job_backoff.ts";

Deno.test("a job back-off forgets Jobs that were deleted or replaced while they ran", () => {
  const backoff = new JobBackoff();
  const row = { failures: 3, lastMs: 1_000 };
  const none = { succeeded: [], failed: [], ignored: [] } as never;
  for (const [key, uid] of [["a/job" as ObjectKey, "1"], ["a/other" as ObjectKey, "2"]] as const) {
    backoff.follow(key, uid);
    backoff.keep(uid, row);
  }
  backoff.follow("a/job" as ObjectKey, "1");
  assert.deepEqual(backoff.next("1", none), row);
  backoff.follow("a/job" as ObjectKey, "3");
  assert.equal(backoff.next("1", none).failures, 0);
  backoff.follow("a/other" as ObjectKey, undefined);
  assert.equal(backoff.size, 0);
});
