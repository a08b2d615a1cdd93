import assert from "node:assert/strict";
import {
  type Order,
  orderOf,
  outOfOrder,
  type Sequence,
  SequenceRecorder,
  type Sequences,
} from "./sequences.ts";

/**
 * Returns the sequences of a run with one object of kind `Job`, whose facts begin in the given
 * order.
 */
function run(...facts: readonly string[]): Sequences {
  return { Job: [new Map(facts.map((fact, index) => [fact, index]))] };
}

Deno.test("orderOf() keeps the pairs that come in one order in all runs", () => {
  assert.deepEqual(orderOf([run("a", "b", "c"), run("a", "b", "c")]), { Job: ["a < b < c"] });
  assert.deepEqual(orderOf([run("a", "b", "c"), run("a", "c", "b")]), { Job: ["a < b", "a < c"] });
  assert.deepEqual(orderOf([run("a", "b"), run("b", "a")]), { Job: ["a", "b"] });
});

Deno.test("orderOf() keeps no pair that only one of several runs has", () => {
  assert.deepEqual(orderOf([run("a", "b"), run("a")]), { Job: ["a", "b"] });
});

Deno.test("orderOf() keeps a pair whose middle is not always there", () => {
  const runs = [run("a", "b", "c"), run("a", "b", "c"), run("a", "c")];
  assert.deepEqual(orderOf(runs), { Job: ["a < b < c", "a < c"] });
});

Deno.test("outOfOrder() names facts that come the other way round, and counts that never changed so", () => {
  const order: Order = { Job: ["active rises < active falls", "active falls < Complete=True"] };
  const expected = (facts: readonly string[], found: readonly string[]): void =>
    assert.deepEqual(outOfOrder(run(...facts), order), found);
  expected(["active rises", "active falls", "Complete=True"], []);
  expected(["active rises", "Complete=True"], []);
  expected(["active rises", "Complete=True", "active falls"], [
    "Job: Complete=True before active falls",
  ]);
  expected(["active rises", "ready rises"], ["Job: ready rises"]);
});

Deno.test("outOfOrder() allows two facts that begin together", () => {
  const together: Sequence = new Map([["a", 1], ["b", 1]]);
  assert.deepEqual(outOfOrder({ Job: [together] }, { Job: ["b < a"] }), []);
});

Deno.test("a recorder notes conditions, phases, and how counts change", () => {
  const recorder = new SequenceRecorder();
  const versions = [
    { observedGeneration: 1 },
    { active: 2, conditions: [{ type: "Suspended", status: "False", reason: "JobResumed" }] },
    { active: 1, succeeded: 1 },
    { succeeded: 2 },
  ];
  for (const status of versions) recorder.add({ metadata: {}, status } as never);
  assert.deepEqual([...recorder.sequence], [
    ["Suspended=False JobResumed", 1],
    ["active rises", 1],
    ["active falls", 2],
    ["succeeded rises", 2],
  ]);
});
