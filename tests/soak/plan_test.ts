import assert from "node:assert/strict";
import { seededRandom } from "../../lib/apimachinery/base/time/random.ts";
import { planRound, type Step } from "./plan.ts";

function rounds(seed: number, count: number): Step[][] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => planRound(random));
}

Deno.test("soak: a seed determines the rounds", () => {
  assert.deepEqual(rounds(7, 3), rounds(7, 3));
  assert.notDeepEqual(rounds(7, 3), rounds(8, 3));
});

Deno.test("soak: a plan of an hour has every fault and every write, and a fault in each round", () => {
  const all = rounds(1, 200);
  const types = (pick: (step: Step) => string | undefined): Set<string | undefined> =>
    new Set(all.flat().map(pick));
  assert.equal(types(({ fault }) => fault?.type).size, 1 + 11);
  assert.equal(types(({ write }) => write.type).size, 3);
  for (const round of all) assert(round.some(({ fault }) => fault), "a round without a fault");
});
