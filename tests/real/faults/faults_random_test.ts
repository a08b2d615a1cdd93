/** All faults at once, by chance, under the Xca operator on a real API server. */
import assert from "node:assert/strict";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import type { Random } from "../../../lib/apimachinery/base/time/random.ts";
import { ignoreNotFound } from "../../../lib/client/errors/api_error.ts";
import type { Fetch } from "../../../lib/client/transport/fetch.ts";
import { printedRandom } from "../../support/seed.ts";
import { FaultRig } from "../../support/faults/fault_rig.ts";
import { FastClock } from "../../support/faults/fast_clock.ts";
import { isStatusWrite, isWatch, refusal, throughBody } from "../../support/faults/faulty_fetch.ts";
import { ClearGateway } from "../../support/faults/gateway.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
const ROUNDS = 8;
/** On the embedded server, where a restart is the loss of history too. */
const EMBEDDED_ROUNDS = 3;
const STEPS = 40;
/** The number of damaged requests until which a round lasts: a slow operator sends few. */
const SPOILED = 4;
const MOST_STEPS = 50 * STEPS;

/** Spoils every second request, while it is on. */
class Spoiler {
  on = false;
  /** The number of damaged requests. */
  count = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  around(fetch: Fetch, rival: (name: string) => Promise<void>): Fetch {
    return async (request) => {
      if (!this.on || this.#random.next() > 0.5) return await fetch(request);
      const faults = isStatusWrite(request)
        ? ["refused", "throttled", "unsent", "unheard", "rivalled"] as const
        : ["refused", "throttled", "unsent", "unheard", "broken"] as const;
      const fault = faults[Math.floor(this.#random.next() * faults.length)]!;
      this.count++;
      switch (fault) {
        case "refused":
          return refusal(503, { reason: "ServiceUnavailable", message: "not now" });
        case "throttled": {
          const headers = { "retry-after": "1" };
          return refusal(429, { reason: "TooManyRequests", message: "not so fast", headers });
        }
        case "unsent":
          throw new TypeError("the connection was reset before the request");
        case "unheard":
          await (await fetch(request)).body?.cancel();
          throw new TypeError("the connection was reset before the answer");
        case "rivalled":
          await rival(new URL(request.url).pathname.split("/").at(-2)!);
          return await fetch(request);
        case "broken":
          return await this.#broken(fetch(request), isWatch(request));
      }
    };
  }

  #broken(answer: Promise<Response>, watch: boolean): Promise<Response> {
    let left = Math.floor(this.#random.next() * (watch ? 20_000 : 2_000));
    return throughBody(answer, (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) controller.error(new TypeError("the connection was reset within the body"));
    });
  }
}

suite.test("F14 random faults (F01 F05 F07 F17 F18 F24 F25 F27 F28): caches and objects are correct at every pause", async (plane) => {
  const { seed, random } = printedRandom();
  const spoiler = new Spoiler(random);
  await using gateway = ClearGateway.start(plane);
  await using rig: FaultRig = await FaultRig.start(plane, {
    config: { server: gateway.url },
    wrap: (fetch) =>
      spoiler.around(fetch, async (name) => {
        await ignoreNotFound(rig.change(name, "a rival's"));
      }),
    clock: new FastClock(50),
    reflector: { backoff: { initialMs: 250, maxMs: 2_500 }, idleTimeoutMs: 50_000 },
  });
  const names = new Set<string>();
  const anyName = (): string | undefined => [...names][Math.floor(random.next() * names.size)];
  const create = async (name = `n${Math.floor(random.next() * 25)}`): Promise<void> => {
    if (names.has(name)) return;
    names.add(name);
    await rig.create(name, "ü€😀".repeat(random.next() * 300));
  };
  const remove = async (): Promise<void> => {
    const name = anyName();
    if (name && names.delete(name)) await rig.delete(name);
  };
  const change = async (): Promise<void> => {
    const name = anyName();
    if (name) await rig.change(name, `${random.next()}`);
  };
  const recreate = async (): Promise<void> => {
    const name = anyName();
    if (!name) return;
    await rig.delete(name);
    await rig.create(name, "again");
  };
  const steps: readonly (() => void | Promise<void>)[] = [
    () => create(),
    () => create(),
    remove,
    change,
    change,
    recreate,
    () => gateway.cutWatches(),
    () => gateway.cutNextWatch({ plus: Math.floor(random.next() * 4_000) }),
    () => random.next() < 0.3 ? gateway.silence() : delay(20),
  ];
  const rounds = plane.embedded ? EMBEDDED_ROUNDS : ROUNDS;
  for (let round = 0; round < rounds; round++) {
    spoiler.on = true;
    const enough = spoiler.count + SPOILED;
    for (let at = 0; at < STEPS || spoiler.count < enough; at++) {
      assert(at < MOST_STEPS, `seed=${seed}, round ${round}: too few requests were spoiled`);
      await steps[Math.floor(random.next() * steps.length)]!();
      await delay(random.next() * 20);
    }
    if (round === 2) await plane.restartApiserver();
    if (round === 5) await plane.expireHistory();
    spoiler.on = false;
    await rig.converges().catch((cause) => {
      throw new Error(`seed=${seed}, round ${round}: ${cause.message}`, { cause });
    });
  }
  assert.equal(rig.informer.health.undecodable, 0);
});
