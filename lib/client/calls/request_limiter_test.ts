import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { refusal, scriptedFetch, type Step } from "../../../tests/client/scripted_fetch.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { isTooManyRequests } from "../errors/api_error.ts";
import { RateLimitedError, RequestLimiter } from "./request_limiter.ts";
import { HttpCalls } from "./http_calls.ts";
import { sendBy } from "../transport/send.ts";

function client(clock: FakeClock, script: Step[]): {
  rest: HttpCalls;
  sentAt: number[];
} {
  const sentAt: number[] = [];
  const { fetch } = scriptedFetch(...script);
  const rest = new HttpCalls({ server: "https://api.example" }, {
    send: sendBy((request) => {
      sentAt.push(clock.monotonicMs());
      return fetch(request);
    }),
    clock,
    random: seededRandom(1),
    rateLimit: { qps: 5, burst: 2 },
  });
  return { rest, sentAt };
}

Deno.test("rate limit: a burst is sent at once, later requests evenly spaced and in order", async () => {
  const clock = new FakeClock();
  const limiter = new RequestLimiter({ qps: 5, burst: 2 }, { clock });
  const passed: string[] = [];
  const all = Array.from("abcde", async (what) => {
    await limiter.turn({ what });
    passed.push(`${what} ${clock.monotonicMs()}`);
  });
  await clock.advance(1_000);
  await Promise.all(all);
  assert.deepEqual(passed, ["a 0", "b 0", "c 200", "d 400", "e 600"]);
});

Deno.test("rate limit: an aborted wait makes room for later requests", async () => {
  const clock = new FakeClock();
  const limiter = new RequestLimiter({ qps: 1, burst: 1 }, { clock });
  await limiter.turn({ what: "a" });
  const abort = new AbortController();
  const given = limiter.turn({ what: "b", signal: abort.signal });
  const reason = new Error("enough");
  abort.abort(reason);
  await assert.rejects(given, (error) => error === reason);
  const next = limiter.turn({ what: "c" });
  assert.equal(clock.nextInMs, 1_000);
  await clock.advance(1_000);
  await next;
  assert.equal(clock.pending, 0);
});

Deno.test("rate limit: a call whose turn comes after its deadline fails at once", async () => {
  const clock = new FakeClock();
  const { rest, sentAt } = client(clock, [Response.json({}), Response.json({})]);
  using _ = rest;
  await rest.requestJson({ path: "/a" });
  await rest.requestJson({ path: "/b" });
  await assert.rejects(rest.requestJson({ path: "/c", timeoutMs: 100 }), (error) => {
    assert(error instanceof RateLimitedError);
    assert.match(
      error.message,
      /Cannot send GET \/c: this client sends 5 requests a second \(burst 2\), and its turn comes in 200 ms, but its time is up in 100 ms/,
    );
    return true;
  });
  assert.equal(sentAt.length, 2);
  assert.equal(clock.pending, 0);
});

Deno.test("F18 retries pass the rate limit as first tries do, after the waiting requests", async () => {
  const clock = new FakeClock();
  const busy = (): Response => refusal(429, { retryAfter: 0 });
  const { rest, sentAt } = client(clock, [busy, busy, busy, busy, busy, busy]);
  using _ = rest;
  const outcome = assert.rejects(rest.requestJson({ path: "/a" }), isTooManyRequests);
  await clock.advance(2_000);
  await outcome;
  assert.equal(sentAt.length, 6);
  // Without the limit all six requests would be sent at once.
  for (let i = 3; i < sentAt.length; i++) assert(sentAt[i]! - sentAt[i - 1]! >= 199, `${sentAt}`);
});

Deno.test("F18 a storm of refusals: however many calls, no more tries than the limit allows", async () => {
  const clock = new FakeClock();
  const script = Array.from({ length: 500 }, () => () => refusal(503, { retryAfter: 1 }));
  const { rest, sentAt } = client(clock, script);
  using _ = rest;
  const calls = Array.from({ length: 20 }, () => rest.requestJson({ path: "/a" }).catch(() => {}));
  await clock.advance(60_000);
  await Promise.all(calls);
  for (const at of sentAt) {
    const within = sentAt.filter((each) => each >= at && each < at + 10_000).length;
    assert(within <= 52, `${within} tries within 10 s`);
  }
  assert(sentAt.length >= 20);
});
