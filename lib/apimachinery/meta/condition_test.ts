import assert from "node:assert/strict";
import {
  type Condition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from "./condition.ts";
import { setSummary, summaryOf } from "./condition_summary.ts";

const first = new Date("2026-01-02T03:04:05.678Z");
const later = new Date("2026-01-02T04:00:00Z");
const ready = { type: "Ready", status: "True", reason: "Running" } as const;

Deno.test("setCondition() sets the time of the last transition only when the status changes", () => {
  const conditions = setCondition(undefined, ready, { now: first, generation: 1 });
  assert.deepEqual(conditions, [{
    type: "Ready",
    status: "True",
    reason: "Running",
    message: "",
    observedGeneration: 1,
    lastTransitionTime: "2026-01-02T03:04:05Z",
  }]);
  const told = setCondition(conditions, { ...ready, reason: "Serving", message: "3 of 3" }, {
    now: later,
    generation: 2,
  });
  assert.deepEqual(
    told.map(({ reason, observedGeneration, lastTransitionTime }) => [
      reason,
      observedGeneration,
      lastTransitionTime,
    ]),
    [["Serving", 2, "2026-01-02T03:04:05Z"]],
  );
  const failed = setCondition(told, { ...ready, status: "False", reason: "Stopped" }, {
    now: later,
  });
  assert.equal(failed[0]!.lastTransitionTime, "2026-01-02T04:00:00Z");
});

Deno.test("setCondition() returns the given list when nothing changes, and never changes it", () => {
  const other: Condition = {
    type: "Other",
    status: "Unknown",
    reason: "NotChecked",
    message: "",
    lastTransitionTime: "2020-01-01T00:00:00Z",
  };
  const conditions = Object.freeze([
    ...setCondition([other], ready, { now: first, generation: 1 }),
  ]);
  assert.equal(setCondition(conditions, ready, { now: later, generation: 1 }), conditions);
  const changed = setCondition(conditions, ready, { now: later, generation: 2 });
  assert.deepEqual(changed.map(({ type }) => type), ["Other", "Ready"]);
  assert.equal(changed[0], other);
  assert.equal(conditions[1]!.observedGeneration, 1);
});

Deno.test("setCondition() refuses what an API server would refuse, by name", () => {
  const set = (change: Record<string, unknown>) => () =>
    setCondition(undefined, { ...ready, ...change } as typeof ready, { now: first });
  assert.throws(set({ type: "" }), /without a type/);
  assert.throws(set({ status: "yes" }), /status must be "True", "False" or "Unknown", is "yes"/);
  for (const reason of ["", "two words", "Ends:", "1st", undefined]) {
    assert.throws(set({ reason }), /reason must be one word in CamelCase/);
  }
});

Deno.test("isConditionTrue() ignores a condition of an older generation when asked to", () => {
  const conditions = setCondition(undefined, ready, { now: first, generation: 3 });
  assert(isConditionTrue(conditions, "Ready", { generation: 3 }));
  assert(!isConditionTrue(conditions, "Ready", { generation: 4 }));
  assert(isConditionTrue(conditions, "Ready"));
  assert(!isConditionTrue(conditions, "Other"));
});

Deno.test("removeCondition() returns the given list when it has no such condition", () => {
  const conditions = setCondition(undefined, ready, { now: first });
  assert.equal(removeCondition(conditions, "Other"), conditions);
  assert.deepEqual(removeCondition(conditions, "Ready"), []);
  assert.deepEqual(removeCondition<Condition>(undefined, "Ready"), []);
});

Deno.test("setSummary() makes one of Ready, Progressing and Degraded true, and keeps other conditions", () => {
  const own = setCondition(undefined, { ...ready, type: "Own" }, { now: first });
  let conditions = setSummary(own, { state: "Progressing", reason: "Starting" }, { now: first });
  assert.equal(summaryOf(conditions), "Progressing");
  const again = setSummary(conditions, { state: "Progressing", reason: "Starting" }, {
    now: later,
  });
  assert.equal(again, conditions);
  conditions = setSummary(conditions, { state: "Ready", reason: "Running" }, { now: later });
  assert.equal(summaryOf(conditions), "Ready");
  assert.deepEqual(
    conditions.map(({ type, status, lastTransitionTime: at }) => [type, status, at.slice(11, 13)]),
    [
      ["Own", "True", "03"],
      ["Ready", "True", "04"],
      ["Progressing", "False", "04"],
      ["Degraded", "False", "03"],
    ],
  );
  assert.equal(findCondition(conditions, "Degraded")?.reason, "Running");
  assert.throws(
    () => setSummary([], { state: "Fine" as "Ready", reason: "Fine" }, { now: first }),
    /state must be one of Ready, Progressing, Degraded, is "Fine"/,
  );
});

Deno.test("setCondition() cuts a message that is too long, and finds it unchanged the next time", () => {
  for (const letter of ["x", "\u{1f600}"]) {
    const long = { ...ready, message: letter.repeat(40_000) };
    const conditions = setCondition(undefined, long, { now: first });
    const { message } = conditions[0]!;
    assert(message.length <= 32_768 && message.endsWith(`${letter}...`));
    assert(message.isWellFormed());
    assert.equal(setCondition(conditions, long, { now: later }), conditions);
  }
});
