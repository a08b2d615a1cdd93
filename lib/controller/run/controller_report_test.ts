/** Tests of the report of a controller on its queue, runs and keys. */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { controllerFor } from "../definition/controller_builder.ts";
import { terminal } from "../definition/terminal_error.ts";
import type { ControllerReport, KeyReport } from "../ports/operator_report.ts";
import type { OperatorHandle } from "../ports/operator_progress.ts";
import { KeyHistories, MOST_HISTORIES } from "./key_histories.ts";

function reportOf(handle: OperatorHandle, key?: string): ControllerReport {
  return handle.report(key === undefined ? {} : { key }).controllers[0]!;
}

function keyOf(handle: OperatorHandle, key: string): KeyReport {
  return reportOf(handle, key).key!;
}

Deno.test("report: queue, runs and failures, with positions, priorities and the next try", async () => {
  await using h = harness();
  for (const name of ["runs", "fails", "ends", "x", "y"]) h.cluster.put(ConfigMap, configMap(name));
  const busy = Promise.withResolvers<void>();
  const rateLimiter = () => new ItemExponentialLimiter<string>({ baseMs: 60_000 });
  const handle = h.run(forMaps(async ({ name }) => {
    if (name === "fails") throw new Error("no route");
    if (name === "ends") throw terminal("spec.size is missing");
    if (name === "runs") await busy.promise;
  }, { rateLimiter, workers: 1 }));
  await h.clock.advance(2_000);
  h.cluster.put(ConfigMap, configMap("y", { data: { changed: "yes" } }));
  await h.clock.settle();
  const { stage, workers, counts, queue, runs, resource } = reportOf(handle);
  assert.deepEqual([stage, workers, resource.kind], ["working", 1, "ConfigMap"]);
  assert.deepEqual(queue.map(({ key, priority, position }) => [key, priority, position]), [
    ["default/y", 0, 0],
    ["default/fails", -100, 1],
    ["default/ends", -100, 2],
    ["default/x", -100, 3],
  ]);
  assert.deepEqual(runs.map(({ key, forMs, state }) => [key, forMs, state]), [
    ["default/runs", 2_000, "running"],
  ]);
  assert.deepEqual([counts.queued, counts.running, counts.failing], [4, 1, 0]);
  assert.equal(keyOf(handle, "default/runs").running?.attempt, 1);
  assert.equal(keyOf(handle, "default/x").queued?.position, 3);
  busy.resolve();
  await h.clock.advance(1_000);
  const fails = keyOf(handle, "default/fails");
  assert.equal(fails.failure?.error, "no route");
  assert.deepEqual([fails.failure?.terminal, fails.scheduledInMs], [false, 59_000]);
  assert.deepEqual(fails.lastEnqueued, { requeue: "retry", agoMs: 1_000 });
  const ends = keyOf(handle, "default/ends");
  assert.deepEqual([ends.failure?.terminal, ends.scheduledInMs], [true, undefined]);
  assert.deepEqual(ends.lastRun, { outcome: "terminal", forMs: 0, agoMs: 1_000 });
});

Deno.test("report: what last queued a key, and which predicate dropped its last event", async () => {
  await using h = harness();
  const onlyWanted = ({ object }: { object: { labels: Readonly<Record<string, string>> } }) =>
    object.labels.wanted !== "no";
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(
    controllerFor(ConfigMap).withPredicates(onlyWanted)
      .watches(Secret, () => ["default/a"]).reconcile(() => {}),
  );
  await h.clock.settle();
  const listed = keyOf(handle, "default/a").lastEnqueued;
  assert(listed && "event" in listed);
  assert.deepEqual([listed.event, listed.relation, listed.object], ["listed", "for", "default/a"]);
  h.cluster.put(Secret, configMap("child"));
  await h.clock.advance(5_000);
  const caused = keyOf(handle, "default/a").lastEnqueued;
  assert(caused && "event" in caused);
  assert.deepEqual([caused.event, caused.relation, caused.resource, caused.object, caused.agoMs], [
    "added",
    "watches",
    "secrets.v1",
    "default/child",
    5_000,
  ]);
  h.cluster.put(ConfigMap, configMap("b", { metadata: { labels: { wanted: "no" } } }));
  await h.clock.settle();
  const { lastDropped, lastRun, cached, watched } = keyOf(handle, "default/b");
  assert.deepEqual([lastDropped?.predicate, lastDropped?.event], ["onlyWanted", "added"]);
  assert.deepEqual([lastRun, cached, watched], [undefined, true, true]);
});

Deno.test("report: a key that waits for the cache to show its own write names that write", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  const handle = h.run(
    controllerFor(ConfigMap).owns(Secret).reconcile(async ({ client, cache }) => {
      if ((await cache.list(Secret)).length === 0) await client.create(Secret, configMap("child"));
    }),
  );
  await h.clock.settle();
  h.cluster.fakeInformer(ConfigMap).replace([
    configMap("a", { metadata: { resourceVersion: "50" } }),
  ], 50);
  await h.clock.settle();
  assert.deepEqual(keyOf(handle, "default/a").awaitedWrites, ["secrets.v1 default/child"]);
  assert.equal(reportOf(handle).counts.awaitingCache, 1);
  h.cluster.deliver();
  await h.clock.settle();
  assert.equal(keyOf(handle, "default/a").awaitedWrites, undefined);
});

Deno.test("report: a stuck run, a hot loop, and a namespace that is not watched", async () => {
  await using h = harness();
  for (const name of ["stuck", "loops"]) h.cluster.put(ConfigMap, configMap(name));
  const handle = h.run(
    forMaps(({ name }) => name === "stuck" ? new Promise(() => {}) : { requeueAfterMs: 0 }, {
      timeoutMs: 1_000,
      abortGraceMs: 1_000,
    }),
    { namespace: "default" },
  );
  await h.clock.advance(10_000);
  const stuck = keyOf(handle, "default/stuck");
  assert.deepEqual([stuck.running?.state, stuck.running?.forMs], ["stuck", 10_000]);
  const { hotLoop } = keyOf(handle, "default/loops");
  assert(hotLoop && hotLoop.runs >= 20 && hotLoop.fields.length === 0);
  assert.equal(keyOf(handle, "elsewhere/x").watched, false);
  assert.deepEqual(reportOf(handle).sources[0]!.namespaces, ["default"]);
});

Deno.test("report: lists have at most 100 entries beside the full counts", async () => {
  await using h = harness();
  for (let at = 0; at < 150; at++) h.cluster.put(ConfigMap, configMap(`m${at}`));
  const handle = h.run(forMaps(() => new Promise<void>(() => {}), { abortGraceMs: 0 }));
  await h.clock.settle();
  const { queue, counts } = reportOf(handle);
  assert.deepEqual([queue.length, counts.queued], [100, 149]);
  assert.equal(keyOf(handle, "default/m149").queued?.position, 148);
});

Deno.test("KeyHistories remembers the last events of a bounded number of keys", () => {
  const histories = new KeyHistories();
  for (let at = 0; at < MOST_HISTORIES + 10; at++) {
    histories.requeued(`default/k${at}`, "retry", at);
  }
  assert.equal(histories.size, MOST_HISTORIES);
  assert.equal(histories.get("default/k9"), undefined);
  histories.ran("default/k10", "done", 1, 2);
  histories.requeued("default/new", "retry", 3);
  assert.deepEqual(histories.get("default/k10")?.ran, { outcome: "done", forMs: 1, atMs: 2 });
});
