/**
 * Plays random scenarios under this library's controllers on a virtual clock, and checks their
 * invariants. `deno task cluster:random` compares random scenarios with kube-controller-manager.
 *
 * @module
 */
import { virtualTheatre } from "./play.ts";
import { checkedScenario } from "./random/invariants.ts";
import { makeSteps } from "./random/make.ts";

/** The number of random scenarios per run. */
const SCENARIOS = 12;

/**
 * The default seed of the first scenario, so that each run without `XCA_SEED` plays the same
 * scenarios.
 */
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
