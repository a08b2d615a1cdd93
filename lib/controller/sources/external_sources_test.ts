/** Tests of external sources: functions that queue keys for changes outside of the cluster. */
import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { configMap, harness } from "../../../tests/support/in_process/controller_harness.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ExternalSource, ExternalSourceContext } from "../definition/external_source.ts";

/** Resolves when a signal is aborted. */
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Returns a controller of ConfigMaps with an external source, which notes the keys of its runs. */
function controllerOn(run: ExternalSource, runs: string[]): ControllerDefinition {
  return controllerFor(ConfigMap).reconcilesOn("outside", run)
    .reconcile(({ key }) => void runs.push(key));
}

Deno.test("an external source starts on complete caches, and each key that it queues is reconciled", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const runs: string[] = [];
  let context: ExternalSourceContext | undefined;
  let cached: unknown;
  const source: ExternalSource = async (given) => {
    context = given;
    cached = given.cache.get(ConfigMap, "default/a")?.metadata.name;
    await ended(given.signal);
  };
  const handle = h.run(controllerOn(source, runs));
  await h.clock.settle();
  assert.equal(cached, "a");
  assert.deepEqual(runs, ["default/a"]);
  context!.enqueue("default/a");
  context!.enqueue("default/b");
  context!.enqueue("default/b");
  await h.clock.settle();
  assert.deepEqual(runs, ["default/a", "default/a", "default/b"]);
  const { key } = handle.report({ key: "default/b" }).controllers[0]!;
  assert.equal((key?.lastEnqueued as { requeue: string }).requeue, "externalSource");
  assert.throws(() => context!.enqueue("a/b/c"), TypeError);
  await handle.stop();
  assert(context!.signal.aborted);
  context!.enqueue("default/c");
  await h.clock.settle();
  assert.equal(runs.length, 3);
});

Deno.test("an external source starts on the replica that leads", async () => {
  await using h = harness();
  const leads = Promise.withResolvers<void>();
  const gate = { opened: () => leads.promise, admit() {}, closed: false, remainingMs: 1_000_000 };
  let starts = 0;
  h.run(controllerOn(({ signal }) => (starts++, ended(signal)), []), { gate });
  await h.clock.advance(10_000);
  assert.equal(starts, 0);
  leads.resolve();
  await h.clock.settle();
  assert.equal(starts, 1);
});

Deno.test("an external source that throws is logged and called again, later each time; one that returns is over", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  const calls: number[] = [];
  const source: ExternalSource = ({ clock }) => {
    calls.push(clock.monotonicMs());
    if (calls.length === 1) throw new Error("thrown at once");
    if (calls.length === 2) return Promise.reject("a text");
    if (calls.length === 3) return Promise.reject();
  };
  h.run(controllerOn(source, []));
  for (let second = 0; second < 60; second++) await h.clock.advance(1000);
  assert.equal(calls.length, 4);
  const pauses = calls.slice(1).map((at, index) => at - calls[index]!);
  for (const [index, least] of [1000, 2000, 4000].entries()) {
    assert(pauses[index]! >= least && pauses[index]! <= 2 * least + 1000, `${pauses}`);
  }
  const failures = log.records.filter(({ rawMessage }) => String(rawMessage).includes("failed"));
  assert.equal(failures.length, 3);
  assert.equal(failures[0]?.properties.source, "outside");
});

Deno.test("an external source that ignores its aborted signal does not hold up the stop of the operator", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  const handle = h.run(controllerOn(() => new Promise(() => {}), []));
  await h.clock.settle();
  const stopped = handle.stop();
  for (let second = 0; second < 6; second++) await h.clock.advance(1000);
  await stopped;
  assert(log.records.some(({ rawMessage }) => String(rawMessage).includes("is abandoned")));
});

Deno.test("runs of a key that an external source queues again and again are no hot loop", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let runs = 0;
  let context: ExternalSourceContext | undefined;
  h.run(
    controllerFor(ConfigMap)
      .reconcilesOn("outside", (given) => {
        context = given;
      })
      .reconcile(async ({ client, cache, key }) => {
        const map = cache.get(ConfigMap, key)!;
        if (++runs > 60) return;
        await client.update(ConfigMap, { ...map, data: { runs: `${runs}` } });
        context!.enqueue(key);
      }),
  );
  await h.clock.settle();
  context!.enqueue("default/a");
  await h.clock.settle();
  assert(runs > 60, `${runs} runs`);
  assert(!log.records.some(({ rawMessage }) => String(rawMessage).includes("Hot loop")));
});

Deno.test("an external source needs a name of its own and a function", () => {
  const builder = controllerFor(ConfigMap);
  assert.throws(() => builder.reconcilesOn("No Name", () => {}), RangeError);
  assert.throws(() => builder.reconcilesOn("outside", "no function" as never), TypeError);
  const once = builder.reconcilesOn("outside", () => {});
  assert.throws(() => once.reconcilesOn("outside", () => {}), /declared twice/);
});
