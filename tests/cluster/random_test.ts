/**
 * Plays random scenarios under the controllers of the library on a virtual clock, and checks what holds
 * in all of them. `deno task cluster:random` compares random scenarios with kube-controller-manager.
 *
 * @module
 */
import { virtualTheatre } from "./play.ts";
import { checkedScenario } from "./random/invariants.ts";
import { makeSteps } from "./random/make.ts";

/** The number of scenarios of one run. */
const SCENARIOS = 12;

/** The seed of the first scenario, unless `XCA_SEED` has another: the same scenarios on each run. */
const FIRST_SEED = 1;

Deno.test("limits of rollouts, owners, ordinals and counts hold in random scenarios", async (t) => {
  const first = Number(Deno.env.get("XCA_SEED") ?? FIRST_SEED);
  for (let seed = first; seed < first + SCENARIOS; seed++) {
    const steps = makeSteps(seed);
    await t.step(`seed ${seed}: ${JSON.stringify(steps)}`, async () => {
      await using theatre = await virtualTheatre({}, seed);
      await theatre.play(checkedScenario(`random ${seed}`, steps));
    });
  }
});
