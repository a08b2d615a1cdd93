import assert from "node:assert/strict";
import type { Random } from "@xca/apimachinery/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import { ApiError } from "../errors/api_error.ts";
import { retryAfterSeconds, RetryPolicy } from "./retry.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../errors/unreachable_error.ts";

function fixed(value: number): Random {
  return { next: () => value, uuid: () => "" };
}

function policy(jitter = 0): RetryPolicy {
  return new RetryPolicy({ clock: new FakeClock(), random: fixed(jitter) });
}

function refusal(code: number, seconds?: number): ApiError {
  return new ApiError({ status: { code }, retryAfterSeconds: seconds });
}

const lost = new UnreachableError("x", { server: "s" });
const refused = new UnreachableError("x", { server: "s", neverSent: true });
const hopeless = new UnreachableError("x", { server: "s", neverSent: true, mayPass: false });

const CASES: readonly [what: string, error: unknown, read: boolean, write: boolean][] = [
  ["429", refusal(429), true, true],
  ["429 with Retry-After", refusal(429, 1), true, true],
  ["503", refusal(503), true, false],
  ["503 with Retry-After", refusal(503, 1), true, true],
  ["504", refusal(504), true, false],
  ["504 with Retry-After (a write may have happened)", refusal(504, 1), true, false],
  ["500", refusal(500), false, false],
  ["500 with Retry-After", refusal(500, 1), true, false],
  ["404", refusal(404), false, false],
  ["409", refusal(409), false, false],
  ["a lost connection", lost, true, false],
  ["a refused connection", refused, true, true],
  ["a certificate of somebody else", hopeless, false, false],
  ["a body that was cut", new StreamBrokenError("x", "y"), true, false],
  ["a body that stalled", new IdleTimeoutError("x", 1), true, false],
  ["any other error", new Error("x"), false, false],
];

for (const [what, error, read, write] of CASES) {
  Deno.test(`F18 after ${what} a read is ${read ? "" : "not "}retried, a write ${write ? "is" : "is not"}`, () => {
    const may = (method: string): boolean =>
      policy().waitMs({ method, error, retries: 0 }) !== undefined;
    assert.equal(may("GET"), read);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) assert.equal(may(method), write);
  });
}

Deno.test("F18 retries are bounded", () => {
  const each = policy();
  const tries = (error: unknown): number =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((retries) =>
      each.waitMs({ method: "GET", error, retries }) !== undefined
    ).length;
  assert.equal(tries(refusal(429)), 5);
  assert.equal(tries(lost), 2);
});

Deno.test("F17 Retry-After is honoured, jittered upwards, and capped", () => {
  const wait = (seconds: number, jitter: number): number | undefined =>
    policy(jitter).waitMs({ method: "GET", error: refusal(429, seconds), retries: 0 });
  assert.equal(wait(1, 0), 1_000);
  assert.equal(wait(1, 1), 1_500);
  assert.equal(wait(100_000, 0), 30_000);
  assert.equal(wait(100_000, 1), 45_000);
});

Deno.test("F18 a storm of retries is spread by a token bucket of ten a second", () => {
  const each = policy();
  const waits = Array.from(
    { length: 1_000 },
    () => each.waitMs({ method: "GET", error: refusal(429, 1), retries: 0 }),
  );
  const retried = waits.filter((wait) => wait !== undefined);
  // 20 retries at once, then ten in each of 30 seconds; later turns fail at once.
  assert.equal(retried.length, 320);
  assert.equal(Math.round(retried.at(-1)!), 30_000);
  const perSecond = Map.groupBy(retried, (wait) => Math.floor(wait / 1000));
  for (const [second, calls] of perSecond) {
    assert.ok(calls.length <= (second === 1 ? 40 : 11), `${calls.length} in second ${second}`);
  }
});

Deno.test("retryAfterSeconds() reads seconds and dates, and nothing else", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const read = (text?: string): number | undefined =>
    retryAfterSeconds(new Headers(text === undefined ? {} : { "retry-after": text }), now);
  assert.equal(read("3"), 3);
  assert.equal(read("Thu, 01 Jan 2026 00:00:10 GMT"), 10);
  assert.equal(read("Thu, 01 Jan 2015 00:00:10 GMT"), 0);
  assert.equal(read("soon"), undefined);
  assert.equal(read(), undefined);
});
