/**
 * A program that plays scenarios under kube-controller-manager and kube-scheduler, and writes the
 * sources of their events as a record. It plays scenarios until each kind of object and each reason
 * of the recorded events has occurred:
 *
 * ```sh
 * deno task cluster:sources
 * ```
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the output of a program
import { realTheatre } from "./play.ts";
import { readRecords, type Recorded, writeEventSources } from "./records.ts";
import { AREAS, withKinds } from "./scenarios/mod.ts";
import type { Scenario } from "./world.ts";

/** The number of scenarios that are played concurrently. */
const AT_ONCE = 16;

/** Returns the kinds and reasons of a scenario's events, such as `Pod Scheduled`. */
function reasonsOf({ state }: Recorded): string[] {
  return (state.events as readonly string[] ?? []).flatMap((event) => {
    const [, kind, reason] = /^(?:\d+ times )?(\w+) \w+ (\w+):/.exec(event) ?? [];
    return kind ? [`${kind} ${reason}`] : [];
  });
}

/** Returns few scenarios that have all reasons of events together. */
function covering(
  scenarios: readonly Scenario[],
  reasons: ReadonlyMap<string, readonly string[]>,
): Scenario[] {
  const open = new Set([...reasons.values()].flat());
  const chosen: Scenario[] = [];
  const gain = ({ name }: Scenario): number =>
    (reasons.get(name) ?? []).filter((reason) => open.has(reason)).length;
  while (open.size > 0) {
    const best = scenarios.reduce((a, b) => gain(b) > gain(a) ? b : a);
    chosen.push(best);
    for (const reason of reasons.get(best.name) ?? []) open.delete(reason);
  }
  return chosen;
}

const sources = new Set<string>();
for (const area of AREAS) {
  const records = Object.entries(await readRecords(area.name));
  const reasons = new Map(
    records.map(([name, record]) => [name, [...new Set(reasonsOf(record))]]),
  );
  const chosen = covering(withKinds(area), reasons);
  if (chosen.length === 0) continue;
  await using theatre = await realTheatre(area);
  const next = chosen.values();
  await Promise.all(Array.from({ length: area.isAlone ? 1 : AT_ONCE }, async () => {
    for (const scenario of next) {
      for (const source of (await theatre.play(scenario)).sources) sources.add(source);
    }
  }));
  console.log(`${area.name}: ${chosen.length} scenarios`);
}
await writeEventSources(sources);
console.log(`${sources.size} sources of events`);
