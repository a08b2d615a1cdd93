/**
 * Plays all scenarios under this library's controllers on a virtual clock, and compares their
 * results with the records of kube-controller-manager.
 *
 * @module
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { CollectedLog } from "../support/faults/collected_log.ts";
import { virtualTheatre } from "./play.ts";
import { readEventSources, readOrders, readRecords } from "./records.ts";
import { AREAS, withKinds } from "./scenarios/mod.ts";
import { outOfOrder } from "./sequences.ts";
import { unheardOf } from "./visited.ts";

/** The least number of recorded scenarios. */
const LEAST_RECORDS = 300;

Deno.test("the records are those of all scenarios, and many", async () => {
  let count = 0;
  for (const area of AREAS) {
    const names = Object.keys(await readRecords(area.name));
    const known = area.scenarios.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), known.toSorted(), area.name);
    count += names.length;
  }
  assert(count >= LEAST_RECORDS, `${count} scenarios are recorded`);
});

Deno.test("docs/cluster.md has the number of compared scenarios of each area", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/cluster.md", import.meta.url));
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d+) +\| 0 +\|$/gm)];
  assert(rows.length > 0, "docs/cluster.md has no table of scenarios");
  for (const [, area = "", count] of rows) {
    const records = Object.keys(await readRecords(area)).length;
    assert(records >= Number(count), `${area}: ${count} in docs/cluster.md, ${records} recorded`);
  }
});

/**
 * Returns the stacks of logged errors that are not answer of the API server, but a fault of a
 * controller.
 */
function defects(log: CollectedLog): string[] {
  return log.records.map(({ properties: { stack = "" } }) => String(stack))
    .filter((stack) => /^(Type|Range|Reference)Error/.test(stack));
}

for (const area of AREAS) {
  Deno.test(`scenarios of ${area.name} end as under kube-controller-manager`, async (t) => {
    const records = await readRecords(area.name);
    const orders = await readOrders(area.name);
    const sources = await readEventSources();
    await using log = await CollectedLog.start();
    await using theatre = await virtualTheatre(area);
    for (const scenario of withKinds(area)) {
      const expected = records[scenario.name]!;
      await t.step(scenario.name, async () => {
        const actual = await theatre.play(scenario);
        const isOther = expected.others?.some((each) => isDeepStrictEqual(actual.state, each));
        if (!isOther) assert.deepEqual(actual.state, expected.state);
        assert.deepEqual(unheardOf(actual.visited, expected.visited), []);
        assert.deepEqual(outOfOrder(actual.sequences, orders[scenario.name] ?? {}), []);
        assert.deepEqual(actual.sources.filter((source) => !sources.has(source)), []);
        assert.deepEqual(defects(log), []);
      });
    }
  });
}
