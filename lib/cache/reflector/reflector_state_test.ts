/** The state machine alone: transitions, and that no sequence of failures runs without a pause. */
import assert from "node:assert/strict";
import {
  type Machine,
  type Outcome,
  type ReflectorState,
  START,
  step,
  WATCH_ATTEMPTS,
  WATCH_LIST_ATTEMPTS,
} from "./reflector_state.ts";
import type { FailureKind, WatchFailure } from "../watch/watch_failure.ts";

const KINDS: Record<FailureKind, true> = {
  network: true,
  cut: true,
  throttled: true,
  server: true,
  expired: true,
  tooLarge: true,
  missing: true,
  unauthorized: true,
  refused: true,
  internal: true,
  storeRead: true,
  idle: true,
  shortWatch: true,
  noInitialEventsEnd: true,
  undecodable: true,
  timeTravel: true,
};
const kinds = Object.keys(KINDS) as FailureKind[];

function failed(kind: FailureKind): Outcome {
  return { kind: "failed", failure: { kind, error: new Error(kind) } };
}

function machine(state: ReflectorState, more: Partial<Machine> = {}): Machine {
  return { ...START, resourceVersion: "7", ...more, state };
}

const ACTING: readonly ReflectorState[] = [
  { kind: "watchListing", resourceVersion: "", attempt: 1 },
  { kind: "watchListing", resourceVersion: "7", attempt: 1 },
  { kind: "watchListing", resourceVersion: "7", attempt: WATCH_LIST_ATTEMPTS },
  { kind: "listing", resourceVersion: "0" },
  { kind: "listing", resourceVersion: "" },
  { kind: "listing", resourceVersion: "7" },
  { kind: "watching", resourceVersion: "7" },
  { kind: "probing", resourceVersion: "7" },
];

Deno.test("step() reaches a pause within three requests, whatever fails in any state", () => {
  for (const watchList of [true, false]) {
    for (const start of ACTING) {
      const paths: [Machine, FailureKind[]][] = [[machine(start), []]];
      for (let path = paths.pop(); path; path = paths.pop()) {
        const [at, taken] = path;
        if (at.state.kind === "backingOff") continue;
        assert.ok(taken.length < 4, `no pause after ${taken} from ${start.kind}`);
        for (const kind of kinds) paths.push([step(at, failed(kind), watchList), [...taken, kind]]);
      }
    }
  }
});

Deno.test("step() never forgets the version of the sink, and only a sync makes it trusted again", () => {
  for (const state of ACTING) {
    for (const kind of kinds) {
      const after = step(machine(state, { versionUnavailable: true }), failed(kind), true);
      assert.equal(after.resourceVersion, "7");
      assert.equal(after.versionUnavailable, true);
    }
  }
  const synced = step(
    machine({ kind: "listing", resourceVersion: "" }, { versionUnavailable: true }),
    { kind: "synced", resourceVersion: "9" },
    true,
  );
  assert.equal(synced.versionUnavailable, false);
  assert.deepEqual(synced.state, { kind: "watching", resourceVersion: "9", stream: undefined });
});

Deno.test("step() resumes a watch after failures that do not concern the version, and reads the whole state after others", () => {
  const resumes = kinds.filter((kind) => {
    const { state } = step(machine({ kind: "watching", resourceVersion: "7" }), failed(kind), true);
    return state.kind === "backingOff" && state.next.kind === "watching";
  });
  assert.deepEqual(resumes.sort(), [
    "cut",
    "idle",
    "internal",
    "network",
    "server",
    "throttled",
    "unauthorized",
  ]);
});

Deno.test("step() lists once several watches failed in a row, with any failure but 429 and refused connections", () => {
  const watchingAgain: ReflectorState = { kind: "watching", resourceVersion: "7" };
  const fails = (at: Machine, failure: Partial<WatchFailure>): Machine =>
    step(
      step(
        at,
        { kind: "failed", failure: { kind: "network", error: undefined, ...failure } },
        true,
      ),
      { kind: "ready" },
      true,
    );
  const kept: string[] = [];
  const lists: string[] = [];
  for (const kind of kinds) {
    for (const tolerated of [false, true]) {
      let at = machine(watchingAgain);
      for (let n = 1; n < WATCH_ATTEMPTS; n++) {
        if (at.state.kind === "watching") at = fails(at, { kind, tolerated });
      }
      if (at.state.kind !== "watching") continue;
      (fails(at, { kind, tolerated }).state.kind === "listing" ? lists : kept)
        .push(tolerated ? `${kind}, tolerated` : kind);
    }
  }
  assert.deepEqual(lists, ["network", "cut", "server", "unauthorized", "internal", "idle"]);
  assert.deepEqual(kept, [
    "network, tolerated",
    "cut, tolerated",
    "throttled",
    "throttled, tolerated",
    "server, tolerated",
    "unauthorized, tolerated",
    "internal, tolerated",
    "idle, tolerated",
  ]);
});

Deno.test("step() resets the number of failed watches after one that worked, and after a list", () => {
  const failing = machine({ kind: "watching", resourceVersion: "7" }, {
    failedWatches: WATCH_ATTEMPTS - 1,
  });
  const ended: Outcome = { kind: "ended", resourceVersion: "8", doubtful: false };
  assert.equal(step(failing, ended, true).failedWatches, 0);
  const listing = { ...failing, state: { kind: "listing", resourceVersion: "7" } } as const;
  assert.equal(step(listing, { kind: "synced", resourceVersion: "9" }, true).failedWatches, 0);
});

Deno.test("step() keeps the version that a watch reached before it failed", () => {
  const after = step(
    machine({ kind: "watching", resourceVersion: "7" }),
    { ...failed("throttled"), resourceVersion: "12" } as Outcome,
    true,
  );
  assert.ok(after.state.kind === "backingOff");
  assert.deepEqual(step(after, { kind: "ready" }, true).state, {
    kind: "watching",
    resourceVersion: "12",
  });
});

Deno.test("step() stops from every state, permanently", () => {
  for (const state of [...ACTING, START.state]) {
    const stopped = step(machine(state), { kind: "stopped" }, true);
    assert.equal(stopped.state.kind, "stopped");
    assert.equal(step(stopped, { kind: "ready" }, true).state.kind, "stopped");
  }
});

Deno.test("step() refuses an outcome that a state cannot have", () => {
  assert.throws(
    () =>
      step(machine({ kind: "listing", resourceVersion: "0" }), {
        kind: "incomplete",
        resourceVersion: "1",
      }, true),
    /Cannot step the reflector: listing does not end in incomplete/,
  );
});
