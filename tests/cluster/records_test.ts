/**
 * Plays all scenarios under the controllers of the library on a virtual clock, and compares what they
 * lead to with the records of kube-controller-manager.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Played, virtualTheatre } from "./play.ts";
import { readRecords } from "./records.ts";
import { AREAS, withKinds } from "./scenarios/mod.ts";

/** Returns the states of a run that no run under kube-controller-manager has visited. */
function unheardOf(actual: Played, expected: Played): string[] {
  return Object.entries(actual.visited).flatMap(([kind, facts]) =>
    facts.filter((each) => !expected.visited[kind]?.includes(each)).map((each) => `${kind} ${each}`)
  );
}

for (const area of AREAS) {
  Deno.test(`scenarios of ${area.name} end as under kube-controller-manager`, async (t) => {
    const records = await readRecords(area.name);
    await using theatre = await virtualTheatre();
    for (const scenario of withKinds(area)) {
      await t.step(scenario.name, async () => {
        const expected = records[scenario.name];
        assert(expected, "there is no record: run `deno task cluster:record`");
        const actual = await theatre.play(scenario);
        assert.deepEqual(actual.state, expected.state);
        assert.deepEqual(unheardOf(actual, expected), []);
      });
    }
  });
}
