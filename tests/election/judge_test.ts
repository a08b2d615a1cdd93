/** The judge on runs that are written by hand: each rule, kept and broken. */
import assert from "node:assert/strict";
import type { AuditEvent } from "../../lib/testing/plane/audit_log.ts";
import { judge, type Judgement } from "./judge.ts";
import type { ReplicaRecord } from "./records.ts";

const LEASE = "leases/election";

/** An accepted write at a millisecond of the run. */
function write(process: string, verb: string, object: string, atMs: number): AuditEvent {
  const [resource, name] = object.split("/") as [string, string];
  const time = new Date(atMs).toISOString();
  return {
    auditID: `${process}-${atMs}`,
    stage: "ResponseComplete",
    requestURI: "/",
    verb,
    user: {},
    userAgent: process,
    objectRef: { resource, name, namespace: "n" },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
  };
}

function start(object: string, atMs: number): ReplicaRecord {
  return { kind: "start", verb: "update", object, checkedMs: atMs, startedMs: atMs };
}

function judged(events: AuditEvent[], records: Record<string, ReplicaRecord[]>): Judgement {
  return judge({
    events,
    records: new Map(Object.entries({ a: [], b: [], ...records })),
    namespace: "n",
    renewDeadlineMs: 2_000,
  });
}

/** A leads from 0 with a renewal at 1000, B from 5000. */
const TERMS = [
  write("a", "create", LEASE, 0),
  write("a", "update", LEASE, 1_000),
  write("b", "update", LEASE, 5_000),
];

Deno.test("judge: writes before the deadline of their leader are correct", () => {
  const events = [...TERMS, write("a", "update", "x/1", 2_510), write("b", "update", "x/1", 5_510)];
  const records = { a: [start("x/1", 2_500)], b: [start("x/1", 5_500)] };
  const { violations, late, writes, starts, terms } = judged(events, records);
  assert.deepEqual({ violations, late, writes, starts }, {
    violations: [],
    late: [],
    writes: 2,
    starts: 2,
  });
  assert.deepEqual(terms.map(({ process }) => process), ["a", "b"]);
});

Deno.test("judge: a write that starts after the renew deadline is a violation, accepted or not", () => {
  const { violations } = judged(TERMS, { a: [start("x/1", 3_100)] });
  assert.deepEqual(violations, ["a started update x/1 at 3100, 2100 ms after its last renewal"]);
});

Deno.test("judge: a write that starts in the term of another process, or in none, is a violation", () => {
  const { violations } = judged(TERMS, { a: [start("x/1", 5_100)], b: [start("x/1", 2_000)] });
  assert.deepEqual(violations, [
    "a started update x/1 at 5100, when b led",
    "b started update x/1 at 2000, when a led",
  ]);
});

Deno.test("judge: a write of a process that was paused between check and start is detected after its successor's", () => {
  const paused: ReplicaRecord = {
    kind: "start",
    verb: "update",
    object: "x/1",
    checkedMs: 2_900,
    startedMs: 5_100,
  };
  assert.deepEqual(judged(TERMS, { a: [paused] }).violations, [
    "a started update x/1 at 5100, after b had taken the lease",
  ]);
});

Deno.test("judge: an accepted write without a recorded start is a violation", () => {
  const { violations } = judged([...TERMS, write("a", "update", "x/1", 1_500)], {});
  assert.deepEqual(violations, ["update x/1 of a at 1500: no start of it was recorded"]);
});

Deno.test("judge: a late write is listed; it is a violation when another process had changed the object", () => {
  const late = write("a", "update", "x/1", 6_000);
  const records = { a: [start("x/1", 2_900)], b: [start("x/1", 5_500)] };
  const alone = judged([...TERMS, late], { a: records.a });
  assert.deepEqual(alone.violations, []);
  assert.deepEqual(alone.late, ["update x/1 of a at 6000, started 3100 ms before"]);
  for (const other of ["b", "writer"]) {
    const { violations } = judged([...TERMS, write(other, "update", "x/1", 5_510), late], records);
    assert.deepEqual(violations, [
      `late update x/1 of a at 6000 changed what update x/1 of ${other} at 5510 had changed`,
    ]);
  }
});
