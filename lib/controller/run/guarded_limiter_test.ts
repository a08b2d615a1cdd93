/** Tests of wrong answers of a user's rate limiter. */
import assert from "node:assert/strict";
import type { RateLimiter } from "@xca/apimachinery/workqueue";
import { ConfigMap } from "@xca/apimachinery/meta";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { GuardedLimiter } from "./guarded_limiter.ts";

/** Returns a guarded limiter with the wrong answers of a user's, and the names of the failed methods. */
function guarded(wrong: object): { limiter: GuardedLimiter<string>; failed: unknown[] } {
  const failed: unknown[] = [];
  const ignore = (): void => {};
  const log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (_message: string, properties?: Record<string, unknown>) =>
      void failed.push(properties?.method),
  };
  const own = { whenMs: () => 1, forget: ignore, numRequeues: () => 7, ...wrong };
  return { limiter: new GuardedLimiter(own as RateLimiter<string>, log), failed };
}

Deno.test("the default limiter is used for a delay that is no number, below 0, or beyond the longest timer", () => {
  for (const wrong of [NaN, -1, Infinity, 2 ** 31, 1e300, "5", null, undefined, {}]) {
    const { limiter, failed } = guarded({ whenMs: () => wrong });
    assert.equal(limiter.whenMs("a"), 5, String(wrong));
    assert.deepEqual(failed, wrong === undefined ? [] : ["whenMs"]);
  }
  assert.equal(guarded({ whenMs: () => 2 ** 31 - 1 }).limiter.whenMs("a"), 2 ** 31 - 1);
});

Deno.test("released keys that are none are dropped with a line, and a wrong count is not used", () => {
  const wrong = [null, [null], [{ key: "a", inMs: NaN }], [{ key: "a" }], [5], "a", {}];
  for (const released of wrong) {
    const { limiter, failed } = guarded({ takeReleased: () => released });
    assert.deepEqual(limiter.takeReleased(), []);
    assert.deepEqual(failed, released === null ? [] : ["takeReleased"], JSON.stringify(released));
  }
  const good = [{ key: "a", inMs: 0 }];
  assert.deepEqual(guarded({ takeReleased: () => good }).limiter.takeReleased(), good);
  assert.equal(guarded({ numRequeues: () => NaN }).limiter.numRequeues("a"), 0);
  assert.equal(guarded({}).limiter.numRequeues("a"), 7);
});

Deno.test("settled() resolves although a rate limiter delays a retry for ever, or for ten minutes", async () => {
  for (const ms of [Infinity, 600_000]) {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    const released = [null];
    const own = {
      whenMs: () => ms,
      forget() {},
      numRequeues: () => 0,
      takeReleased: () => released,
    };
    const handle = h.run(forMaps(() => {
      throw new Error("no");
    }, { rateLimiter: () => own as unknown as RateLimiter<string> }));
    const settled = handle.settled();
    await h.clock.advance(1_000);
    const { failed } = await settled;
    assert.deepEqual(failed.map(({ key }) => key), ["default/a"]);
  }
});
