/**
 * A program that plays the scenarios under kube-controller-manager, and records the order in which
 * a watch observes the states of each object. Arguments select areas, `--missing` the scenarios
 * without a recorded order:
 *
 * ```sh
 * deno task cluster:order
 * deno task cluster:order job --runs=4
 * ```
 *
 * An order that holds in all runs is recorded; other states are recorded without an order.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the output of a program
import { parseArgs } from "node:util";
import { realTheatre } from "./play.ts";
import { readOrders, readRecords, writeOrders } from "./records.ts";
import { AREAS, withKinds } from "./scenarios/mod.ts";
import { type Order, orderOf, type Sequences } from "./sequences.ts";
import type { ScenarioArea } from "./world.ts";

/** The number of scenarios that are played concurrently. */
const AT_ONCE = 16;

/** The number of control planes that run concurrently. */
const PLANES = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "4" }, missing: { type: "boolean", default: false } },
});

/** Plays the scenarios of an area on one control plane, and adds their sequences to the result. */
async function play(
  area: ScenarioArea,
  names: readonly string[],
  sequences: ReadonlyMap<string, Sequences[]>,
): Promise<void> {
  await using theatre = await realTheatre(area);
  const next = withKinds(area).filter(({ name }) => names.includes(name)).values();
  await Promise.all(Array.from({ length: area.isAlone ? 1 : AT_ONCE }, async () => {
    for (const scenario of next) {
      try {
        sequences.get(scenario.name)!.push((await theatre.play(scenario)).sequences);
      } catch (error) {
        console.error(`${scenario.name}: ${error}`);
      }
    }
  }));
}

for (
  const area of AREAS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
) {
  const old = values.missing ? await readOrders(area.name) : {};
  const names = Object.keys(await readRecords(area.name)).filter((name) =>
    !Object.hasOwn(old, name)
  );
  if (names.length === 0) continue;
  const sequences = new Map(names.map((name): [string, Sequences[]] => [name, []]));
  for (let left = Number(values.runs); left > 0; left -= PLANES) {
    const count = Math.min(left, PLANES);
    await Promise.all(Array.from({ length: count }, () => play(area, names, sequences)));
  }
  const orders = [...sequences].filter(([, runs]) => runs.length > 1)
    .map(([name, runs]): [string, Order] => [name, orderOf(runs)]);
  await writeOrders(area.name, { ...old, ...Object.fromEntries(orders) });
  console.log(`${area.name}: the order of ${orders.length} scenarios`);
}
