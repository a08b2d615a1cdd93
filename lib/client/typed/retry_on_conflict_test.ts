import assert from "node:assert/strict";
import { type Clock, seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import { ApiError } from "../errors/api_error.ts";
import { retryOnConflict } from "./retry_on_conflict.ts";

function conflict(): ApiError {
  return new ApiError({ status: { code: 409, reason: "Conflict", message: "it changed" } });
}

/** Returns a fake clock that ends each wait at once and records it. */
function impatient(): { clock: Clock; waits: number[] } {
  const fake = new FakeClock();
  const waits: number[] = [];
  return {
    waits,
    clock: {
      now: () => fake.now(),
      monotonicMs: () => fake.monotonicMs(),
      after: (delayMs, callback) => {
        waits.push(delayMs);
        const timer = fake.after(delayMs, callback);
        queueMicrotask(() => fake.step(delayMs));
        return timer;
      },
    },
  };
}

Deno.test("retryOnConflict() retries until there is no conflict, about every 10 ms", async () => {
  const { clock, waits } = impatient();
  let tries = 0;
  const result = await retryOnConflict(() => {
    if (++tries < 5) throw conflict();
    return "written";
  }, { clock, random: seededRandom(1) });
  assert.equal(result, "written");
  assert.equal(tries, 5);
  assert.equal(waits.length, 4);
  for (const wait of waits) assert(wait >= 10 && wait < 11, `waited ${wait} ms`);
  assert(new Set(waits).size > 1, "the waits have jitter");
});

Deno.test("retryOnConflict() gives up after five tries with the last conflict", async () => {
  const { clock, waits } = impatient();
  const thrown: ApiError[] = [];
  const running = retryOnConflict(() => {
    thrown.push(conflict());
    throw thrown.at(-1)!;
  }, { clock });
  await assert.rejects(running, (error) => error === thrown[4]);
  assert.equal(thrown.length, 5);
  assert.equal(waits.length, 4);
});

Deno.test("retryOnConflict() increases the wait by its factor", async () => {
  const { clock, waits } = impatient();
  const options = { clock, steps: 4, initialMs: 10, factor: 5, jitter: 0 };
  await assert.rejects(retryOnConflict(() => Promise.reject(conflict()), options), ApiError);
  assert.deepEqual(waits, [10, 50, 250]);
});

Deno.test("retryOnConflict() does not retry after another error", async () => {
  for (
    const error of [
      new Error("no network"),
      new ApiError({ status: { code: 404, reason: "NotFound" } }),
      new ApiError({ status: { code: 409, reason: "AlreadyExists" } }),
    ]
  ) {
    const { clock, waits } = impatient();
    await assert.rejects(
      retryOnConflict(() => Promise.reject(error), { clock }),
      (thrown) => thrown === error,
    );
    assert.deepEqual(waits, []);
  }
});

Deno.test("retryOnConflict() ends its wait when its signal is aborted, and leaves no timer", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  let tries = 0;
  const running = retryOnConflict(() => {
    tries++;
    throw conflict();
  }, { clock, signal: stop.signal });
  await clock.settle();
  assert.equal(clock.pending, 1);
  stop.abort(new Error("enough"));
  await assert.rejects(running, /enough/);
  assert.equal(tries, 1);
  assert.equal(clock.pending, 0);
});

Deno.test("retryOnConflict() makes no try when its signal is aborted", async () => {
  let tries = 0;
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(retryOnConflict(() => tries++, { signal }), /enough/);
  assert.equal(tries, 0);
});

Deno.test("retryOnConflict() refuses an invalid number of steps", async () => {
  for (const steps of [0, -1, 1.5, NaN]) {
    await assert.rejects(retryOnConflict(() => 1, { steps }), RangeError);
  }
});
