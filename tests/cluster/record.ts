/**
 * A program that plays the scenarios under kube-controller-manager, and writes their settled states
 * and events as records. Arguments select areas, `--only=text` the scenarios whose name contains
 * the text, and `--missing` those without a record:
 *
 * ```sh
 * deno task cluster:record
 * deno task cluster:record job --only=backoff
 * deno task cluster:record --missing
 * ```
 *
 * Each scenario is played on two control planes, and the common result of both is recorded. A
 * scenario whose settled states differ is reported and not recorded. A scenario that is known to
 * vary is played several times, and each of its settled states is recorded.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the output of a program
import { parseArgs } from "node:util";
import { type Played, realTheatre, type Theatre, type TheatreNeeds } from "./play.ts";
import { readRecords, type Recorded, writeRecords } from "./records.ts";
import { AREAS, VARYING_SCENARIOS, withKinds } from "./scenarios/mod.ts";
import { united } from "./visited.ts";
import { namespaceOf, type Scenario } from "./world.ts";

/** The number of scenarios that are played concurrently. */
const AT_ONCE = 16;

/** The number of control planes on which each scenario is played. */
const RUNS = 2;

/** The number of runs of a varying scenario on each control plane. */
const VARYING_RUNS = 6;

/** Plays a varying scenario several times; returns all results. */
async function recordAll(theatres: readonly Theatre[], scenario: Scenario): Promise<Recorded> {
  const runs: Played[] = [];
  for (let run = 1; run <= VARYING_RUNS; run++) {
    const again = { ...scenario, name: `${scenario.name.slice(0, 50)} ${run}` };
    const played = await Promise.all(theatres.map((theatre) => theatre.play(again)));
    const text = JSON.stringify(played).replaceAll(namespaceOf(again), namespaceOf(scenario));
    runs.push(...JSON.parse(text) as Played[]);
  }
  const states = new Map(runs.map(({ state }) => [JSON.stringify(state), state]));
  const [state, ...others] = [...states].sort(([a], [b]) => a < b ? -1 : 1).map(([, each]) => each);
  console.log(`${scenario.name}: ${states.size} ends in ${runs.length} runs`);
  return { state: state!, others, visited: united(runs.map(({ visited }) => visited)) };
}

async function record(
  theatres: readonly Theatre[],
  scenario: Scenario,
): Promise<Recorded | undefined> {
  if (VARYING_SCENARIOS.has(scenario.name)) return await recordAll(theatres, scenario);
  const runs = await Promise.all(theatres.map((theatre) => theatre.play(scenario)));
  const [first, ...others] = runs;
  const text = JSON.stringify(first!.state);
  const differs = others.find(({ state }) => JSON.stringify(state) !== text);
  if (differs) {
    console.error(`${scenario.name}: two runs differ\n${text}\n${JSON.stringify(differs.state)}`);
    return undefined;
  }
  return { state: first!.state, visited: united(runs.map(({ visited }) => visited)) };
}

/** Starts the control planes. Areas that are played alone get kube-scheduler. */
async function startTheatres(
  needs: TheatreNeeds,
): Promise<AsyncDisposableStack & { all: Theatre[] }> {
  const stack = new AsyncDisposableStack();
  const all = await Promise.all(Array.from({ length: RUNS }, () => realTheatre(needs)));
  for (const theatre of all) stack.use(theatre);
  return Object.assign(stack, { all });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, missing: { type: "boolean", default: false } },
});
let missing = 0;
for (
  const area of AREAS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
) {
  const isAlone = area.isAlone ?? false;
  const recorded = await readRecords(area.name);
  const chosen = withKinds(area).filter(({ name }) =>
    name.includes(values.only) &&
    !(values.missing && Object.hasOwn(recorded, name))
  );
  if (chosen.length === 0) continue;
  await using theatres = await startTheatres(area);
  const old = values.only === "" && !values.missing ? {} : recorded;
  const records = new Map(Object.entries(old));
  const next = chosen.values();
  await Promise.all(Array.from({ length: isAlone ? 1 : AT_ONCE }, async () => {
    for (const scenario of next) {
      try {
        const played = await record(theatres.all, scenario);
        if (played) records.set(scenario.name, played);
        else missing++;
      } catch (error) {
        missing++;
        console.error(`${scenario.name}: ${error}`);
      }
    }
  }));
  await writeRecords(area.name, Object.fromEntries(records));
  console.log(`${area.name}: ${records.size} records`);
}
if (missing > 0) console.error(`${missing} scenarios were not recorded`);
