import assert from "node:assert/strict";
import type { CacheReport, ControllerReport, KeyReport } from "../../lib/controller/mod.ts";
import { durationText } from "./durations.ts";
import { verdict, type WhyFacts } from "./verdict.ts";

const OWN = "xcas.v1beta1.apps.xca.k8s.kb.cx";

interface Changes {
  readonly key?: Partial<KeyReport>;
  readonly controller?: Partial<ControllerReport>;
  readonly cache?: Partial<CacheReport>;
  readonly facts?: Partial<WhyFacts>;
}

/** Returns the facts of an object that is cached, and of which nothing else is known. */
function factsOf({ key, controller, cache, facts }: Changes): WhyFacts {
  const report: ControllerReport = {
    controller: "xca",
    resource: {
      id: OWN,
      group: "apps.xca.k8s.kb.cx",
      version: "v1beta1",
      kind: "Xca",
      plural: "xcas",
      namespaced: true,
    },
    stage: "working",
    workers: 1,
    sources: [{
      relation: "for",
      resource: OWN,
      namespaces: [],
      labelSelector: "",
      fieldSelector: "",
      predicates: [],
    }],
    counts: {
      queued: 0,
      scheduled: 0,
      awaitingCache: 0,
      running: 0,
      failing: 0,
      remembered: 7,
    },
    queue: [],
    scheduled: [],
    runs: [],
    failing: [],
    ...controller,
  };
  return {
    object: "Xca default/mars",
    target: "xcas.apps.xca.k8s.kb.cx mars -n default",
    controller: { ...report, key: { key: "default/mars", cached: true, watched: true, ...key } },
    caches: [{
      resource: OWN,
      namespace: "",
      labelSelector: "",
      fieldSelector: "",
      synced: true,
      objects: 3,
      watch: {},
      shares: {},
      advice: [],
      ...cache,
    }],
    lease: { elects: false, leads: true },
    server: { exists: true },
    logs: "kubectl logs -n operators xca-0",
    ...facts,
  };
}

const broken = { watch: { failing: { kind: "refused", message: "xcas is forbidden" } } };

const CASES: readonly [name: string, changes: Changes, sentence: RegExp, next: RegExp][] = [
  [
    "a broken watch, also of a cached object",
    { cache: broken, key: { lastRun: { outcome: "done", forMs: 1, agoMs: 1 } } },
    /^the watch of xcas\.v1beta1\.\S+ is broken, so changes are not seen: xcas is forbidden$/,
    /^kubectl auth can-i watch xcas\.apps\.xca\.k8s\.kb\.cx$/,
  ],
  [
    "a first list that has not ended",
    { controller: { stage: "syncing" }, cache: { synced: false } },
    /waits for its cache of xcas.*: its first list has not ended; it holds 3 objects so far$/,
    /^kubectl logs -n operators xca-0$/,
  ],
  ["a standby", { controller: { stage: "standby" } }, /waits until its process leads$/, /logs/],
  ["an operator that stops", { controller: { stage: "stopping" } }, /xca is stopping$/, /logs/],
  [
    "a Lease that no process holds",
    { facts: { lease: { elects: true, leads: false, lease: "ops/xca", leader: "" } } },
    /does not lead: no process holds the Lease ops\/xca/,
    /^kubectl get lease xca -n ops$/,
  ],
  [
    "a hot loop with its field",
    {
      key: {
        scheduledInMs: 900,
        hotLoop: { runs: 30, delayMs: 8_000, fields: ["Xca default/mars: status.at"] },
      },
    },
    /hot loop of 30 runs and slowed to one in 8 s: its own runs change Xca .*status\.at each time/,
    /Hot loop/,
  ],
  [
    "a cache behind the server",
    { key: { cached: false } },
    /^the cache of xcas\S+ does not show Xca default\/mars yet$/,
    /logs/,
  ],
  [
    "several watched namespaces",
    {
      key: { watched: false },
      controller: {
        sources: [{
          relation: "for",
          resource: OWN,
          namespaces: ["a", "b"],
          labelSelector: "",
          fieldSelector: "",
          predicates: [],
        }],
      },
    },
    /watches only the namespaces a, b$/,
    /--namespace/,
  ],
  [
    "an object that is long quiet",
    {},
    /forgotten \(controller xca remembers 7 objects\)/,
    /annotate/,
  ],
  [
    "a retry that is due",
    {
      key: {
        failure: {
          controller: "xca",
          key: "default/mars",
          error: "no",
          attempts: 3,
          nextTryInMs: undefined,
          terminal: false,
        },
      },
    },
    /failed 3 times in a row, and the next try is due: no$/,
    /logs/,
  ],
  [
    "the busy workers that a retry waits for",
    {
      controller: {
        runs: [{
          key: "default/venus",
          reconcileID: "1",
          forMs: 5_000,
          attempt: 1,
          state: "running",
        }],
      },
      key: {
        queued: { key: "default/mars", position: 0, priority: 0 },
        failure: {
          controller: "xca",
          key: "default/mars",
          error: "no",
          attempts: 3,
          nextTryInMs: undefined,
          terminal: false,
        },
      },
    },
    /the next try waits for a worker \(1 of 1 workers are busy, with default\/venus for 5 s\): no$/,
    /logs/,
  ],
];

for (const [name, changes, sentence, next] of CASES) {
  Deno.test(`verdict() names ${name}`, () => {
    const answer = verdict(factsOf(changes));
    assert.equal(answer.isFine, false);
    assert.match(answer.sentence, sentence);
    assert.match(answer.next, next);
  });
}

Deno.test("verdict() is fine with a run that follows at the reconciler's request", () => {
  const key = {
    lastRun: { outcome: "requeueAfter", forMs: 1, agoMs: 5_000 },
    scheduledInMs: 3_600_000,
  };
  const { isFine, sentence } = verdict(factsOf({ key }));
  assert(isFine);
  assert.match(
    sentence,
    /reconciled 5 s ago, and it runs again in 1 h, as its reconciler requested/,
  );
});

Deno.test("verdict() names an external source as the reason of the last run", () => {
  const key = {
    lastRun: { outcome: "done", forMs: 1, agoMs: 5_000 },
    lastEnqueued: { requeue: "externalSource", agoMs: 5_001 },
  };
  const { isFine, sentence } = verdict(factsOf({ key }));
  assert(isFine);
  assert.match(sentence, /reconciled 5 s ago because an external source queued it, and there/);
});

Deno.test("verdict() does not blame a predicate that dropped an event before the last run", () => {
  const event = {
    relation: "for" as const,
    resource: OWN,
    event: "updated" as const,
    object: "default/mars",
    resourceVersion: "5",
  };
  const lastRun = { outcome: "done", forMs: 1, agoMs: 1_000 };
  const dropped = (agoMs: number) =>
    verdict(factsOf({ key: { lastRun, lastDropped: { ...event, predicate: "mine", agoMs } } }));
  assert(dropped(2_000).isFine);
  assert.match(dropped(500).sentence, /was dropped by predicate mine/);
});

Deno.test("durationText() rounds to what a person reads", () => {
  const texts = [0, 999, 1_000, 59_940, 90_000, 7_300_000].map(durationText);
  assert.deepEqual(texts, ["0 ms", "999 ms", "1 s", "59.9 s", "2 min", "2 h"]);
});
