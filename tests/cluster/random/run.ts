/**
 * A program that plays random scenarios under this library's controllers, on a virtual clock, and
 * under kube-controller-manager and kube-scheduler, and compares the settled states, the events and
 * the intermediate states:
 *
 * ```sh
 * deno task cluster:random --seeds=100 --minutes=10 --seed=1
 * ```
 *
 * A scenario with a difference is shrunk and printed as JSON. Scenarios on which two runs of
 * kube-controller-manager differ are counted, but do not count as failures.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { realTheatre, virtualTheatre } from "../play.ts";
import { compare, shrink, type Verdict } from "./compare.ts";
import { makeSteps } from "./make.ts";
import type { RandomStep } from "./steps.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seeds: { type: "string", default: "50" },
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    /** The number of scenarios that are played concurrently. */
    "at-once": { type: "string", default: "12" },
    /** Sets whether to print random differences too. */
    verbose: { type: "boolean", default: false },
    /** Sets whether to leave differing scenarios unshrunk. */
    whole: { type: "boolean", default: false },
  },
});

const firstSeed = Number(values.seed);
const endMs = performance.now() + Number(values.minutes) * 60_000;
const counts = new Map<string, number>();
let taken = 0;
print(`random scenarios from seed=${firstSeed}`);
await using real = await realTheatre({ isAlone: true });
await Promise.all(Array.from({ length: Number(values["at-once"]) }, async () => {
  while (taken < Number(values.seeds) && performance.now() < endMs) {
    await playSeed(firstSeed + taken++);
  }
}));
print(`${taken} scenarios: ${[...counts].map(([is, count]) => `${count} ${is}`).join(", ")}`);
if (counts.has("different") || counts.has("failed")) Deno.exitCode = 1;

async function playSeed(seed: number): Promise<void> {
  const steps = makeSteps(seed);
  const verdict = await judge(steps);
  counts.set(verdict.is, (counts.get(verdict.is) ?? 0) + 1);
  if (verdict.is === "failed") {
    return print(`seed ${seed}: ${verdict.error}\n${JSON.stringify(steps)}`);
  }
  if (verdict.is === "by chance" && values.verbose) {
    print(`seed ${seed} by chance: ${JSON.stringify(steps)}`);
    print(JSON.stringify(verdict.difference, undefined, 2));
  }
  if (verdict.is !== "different") return;
  const isDifferent = async (some: readonly RandomStep[]): Promise<boolean> =>
    (await judge(some)).is === "different";
  const small = values.whole ? steps : await shrink(isDifferent, steps);
  const last = small === steps ? verdict : await judge(small);
  const shown = last.is === "different" ? last : verdict;
  print(`"seed ${seed}": ${JSON.stringify(small)}`);
  print(JSON.stringify(shown.difference, undefined, 2));
}

async function judge(
  steps: readonly RandomStep[],
): Promise<Verdict | { readonly is: "failed"; readonly error: unknown }> {
  try {
    return await compare(real, (seed) => virtualTheatre({}, seed), steps);
  } catch (error) {
    return { is: "failed", error };
  }
}

function print(line: string): void {
  // deno-lint-ignore no-console -- the output of a program
  console.log(line);
}
