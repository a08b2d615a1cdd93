/**
 * Tests that a change of the machine's clock has no effect, since no duration is measured by it.
 */
import assert from "node:assert/strict";
import { seededRandom } from "@xca/operator/base";
import { listWatchFrom, SharedInformer } from "@xca/operator/cache";
import { Pod } from "@xca/operator/meta";
import { FakeClock } from "@xca/operator/testing";
import { RateLimitingQueue } from "@xca/operator/workqueue";

const HOUR_MS = 3_600_000;

/** Thirty steps, with the wall clock set ahead or back by hours before each, if it is to jump. */
async function pass(clock: FakeClock, ms: number, jumps: boolean): Promise<void> {
  for (let step = 0; step < 30; step++) {
    const byMs = step % 2 === 0 ? HOUR_MS : -2 * HOUR_MS;
    if (jumps) clock.setWallClock(new Date(clock.now().getTime() + byMs));
    await clock.advance(ms / 30);
  }
}

/** When an informer called its server in an hour: one that fails, or one whose watches fall silent. */
async function calls(kind: "failing" | "silent", jumps: boolean): Promise<string[]> {
  const clock = new FakeClock();
  const told: string[] = [];
  const call = (verb: string): void => void told.push(`${verb} at ${clock.monotonicMs()}`);
  const informer = new SharedInformer({
    type: Pod,
    listerWatcher: listWatchFrom({
      list: () => {
        call("list");
        return kind === "failing"
          ? Promise.reject(new Error("nobody is there"))
          : Promise.resolve({ metadata: { resourceVersion: "1" }, items: [] });
      },
      watch: async function* (_query, { signal }) {
        call("watch");
        yield { type: "BOOKMARK", object: { metadata: { resourceVersion: "1" } } };
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    }, { clock }),
    clock,
    random: seededRandom(39),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await pass(clock, HOUR_MS, jumps);
  stop.abort();
  await running;
  return told;
}

Deno.test("F39 a wall clock that jumps by hours changes no back-off and no idle deadline of an informer", async () => {
  for (const kind of ["failing", "silent"] as const) {
    const told = await calls(kind, false);
    assert(told.length > 10, `${told.length} calls within an hour`);
    assert.deepEqual(await calls(kind, true), told);
  }
});

Deno.test("F39 a wall clock that jumps by hours releases no key of a queue early or late", async () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue<string>({ clock });
  queue.addAfter("key", 90_000);
  await pass(clock, 89_970, true);
  assert.equal(queue.len, 0);
  await pass(clock, 30, true);
  assert.equal(queue.len, 1);
  queue.shutDown();
});
