import assert from "node:assert/strict";
import { seededRandom } from "../../lib/apimachinery/base/time/random.ts";
import { type MemorySample, memoryTrend, memoryVerdict, slope } from "./memory.ts";

/**
 * Returns an hour of samples, one a minute: a warm-up, then a line with noise of a number of MiB.
 */
function hour(growth: { heap: number; rss: number }, noise = 4): MemorySample[] {
  const random = seededRandom(1);
  return Array.from({ length: 61 }, (_, minutes) => {
    const warmUp = Math.max(0, 12 - minutes) * -5;
    const jitter = (): number => noise * (random.next() - 0.5);
    const at = minutes / 60;
    return {
      minutes,
      heap: 30 + warmUp + growth.heap * at + jitter(),
      rss: 200 + 4 * warmUp + growth.rss * at + 10 * jitter(),
    };
  });
}

Deno.test("slope() of a straight line is its own, without error", () => {
  const { perHour, error } = slope([[0, 1], [1, 3], [2, 5], [4, 9]]);
  assert.equal(perHour, 2);
  assert.equal(error, 0);
});

Deno.test("slope() of noisy points has a standard error", () => {
  // By hand: mean (1, 2), sum of squares 2, slope 0.5, residual 1.5, error sqrt(1.5 / 1 / 2).
  const { perHour, error } = slope([[0, 1], [1, 3], [2, 2]]);
  assert.equal(perHour, 0.5);
  assert(Math.abs(error - Math.sqrt(0.75)) < 1e-12);
});

Deno.test("flat memory after a steep warm-up passes", () => {
  const trend = memoryTrend(hour({ heap: 0, rss: 0 }))!;
  assert.equal(memoryVerdict(trend), "");
  assert.equal(trend.samples, 46);
});

Deno.test("growing memory, of the heap or of the process, fails", () => {
  assert.match(
    memoryVerdict(memoryTrend(hour({ heap: 8, rss: 0 }))!),
    /^the heap grows by \d/,
  );
  assert.match(
    memoryVerdict(memoryTrend(hour({ heap: 0, rss: 90 }))!),
    /^the resident set grows by/,
  );
});

Deno.test("noise of any size does not fail", () => {
  const trend = memoryTrend(hour({ heap: 0, rss: 0 }, 40))!;
  assert.equal(memoryVerdict(trend), "");
});

Deno.test("a short run is measured without a verdict, a run of a few rounds not at all", () => {
  const samples = hour({ heap: 40, rss: 0 });
  const short = memoryTrend(samples.slice(0, 21))!;
  assert.equal(short.conclusive, false);
  assert(short.heap.perHour > 40);
  assert.equal(memoryVerdict(short), "");
  assert.equal(memoryTrend(samples.slice(0, 6)), undefined);
});
