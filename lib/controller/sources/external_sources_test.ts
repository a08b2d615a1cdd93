/** Tests of external sources: functions that queue keys for changes outside of the cluster. */
import assert from "node:assert/strict";
import { type Clock, delay } from "@xca/apimachinery/base";
import { ConfigMap } from "@xca/apimachinery/meta";
import { configMap, harness } from "../../../tests/support/in_process/controller_harness.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ExternalSource, ExternalSourceContext } from "../definition/external_source.ts";
import type { OnceReport } from "../ports/operator_progress.ts";

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

/** Sources that fail: at once, by a rejection, and after they have waited for something. */
const FAILING: Record<string, (clock: Clock) => void | Promise<void>> = {
  throws: () => {
    throw new Error("no registry");
  },
  rejects: () => Promise.reject(new Error("no registry")),
  "rejects later": async (clock) => {
    await delay(3, { clock });
    throw new Error("no registry");
  },
};

for (const [how, fail] of Object.entries(FAILING)) {
  Deno.test(`settled() counts an external source that ${how} each time as failed, after its retries`, async () => {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    const runs: string[] = [];
    let calls = 0;
    const source: ExternalSource = ({ clock }) => (calls++, fail(clock));
    const first = Promise.withResolvers<void>();
    const handle = h.run(
      controllerFor(ConfigMap).reconcilesOn("outside", source).reconcile(async ({ key }) => {
        runs.push(key);
        await first.promise;
      }),
    );
    const settling = handle.settled();
    let report: OnceReport | undefined;
    void settling.then((each) => report = each);
    await h.clock.advance(100);
    first.resolve();
    await h.clock.settle();
    assert.equal(report, undefined);
    const [failing] = handle.progress().failing;
    assert.deepEqual([failing?.externalSource, failing?.attempts], ["outside", 1]);
    for (let second = 0; second < 60 && !report; second++) await h.clock.advance(1000);
    assert.equal(calls, 3);
    assert.deepEqual(runs, ["default/a"]);
    const { nextTryInMs, ...failed } = report!.failed[0]!;
    assert(nextTryInMs! > 0);
    assert.deepEqual(failed, {
      controller: "configmap",
      key: "external source outside",
      externalSource: "outside",
      error: "no registry",
      attempts: 3,
    });
    assert.equal(report!.failed.length, 1);
    assert.equal(handle.report({ key: "default/a" }).controllers[0]!.key?.failure, undefined);
  });
}

Deno.test("settled() waits for a failed external source until a call goes on for a second, and then for its keys", async () => {
  await using h = harness();
  const runs: string[] = [];
  let calls = 0;
  const handle = h.run(controllerOn(async ({ signal, enqueue }) => {
    if (++calls <= 2) throw new Error("no registry yet");
    enqueue("default/a");
    await ended(signal);
  }, runs));
  const reports: OnceReport[] = [];
  void handle.settled().then((each) => reports.push(each));
  for (let second = 0; second < 60 && calls < 3; second++) await h.clock.advance(1000);
  assert.deepEqual(reports, []);
  await h.clock.advance(1000);
  assert.deepEqual(reports.map(({ failed }) => failed), [[]]);
  assert.deepEqual([runs, handle.progress().failing], [["default/a"], []]);
});

Deno.test("settled() waits neither for an external source that works nor for the time", async () => {
  await using h = harness();
  const idle = h.run(controllerOn(({ signal }) => ended(signal), []));
  const over = h.run(controllerOn(() => {}, []));
  const beganMs = h.clock.monotonicMs();
  await h.clock.settle();
  for (const handle of [idle, over]) assert.deepEqual((await handle.settled()).failed, []);
  assert.equal(h.clock.monotonicMs(), beganMs);
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

Deno.test("an external source that stops the operator in its first step and waits for the abort is abandoned", async () => {
  await using h = harness();
  let stopped: Promise<void> | undefined;
  const handle = h.run(controllerOn(({ signal }) => {
    stopped = handle.stop();
    return ended(signal);
  }, []));
  await h.clock.advance(60_000);
  await stopped;
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 0);
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
