/** Tests of keys that are reconciled again and again without a foreign change. */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import {
  ConfigMap,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  Secret,
} from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { clientOf } from "../../testing/embedded_client.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";
import type { ControllerMetrics } from "../ports/controller_metrics.ts";
import type { ReconcileContext, RequeueAfter } from "../definition/reconciler.ts";
import { changedPaths } from "./changed_paths.ts";
import { HotLoops } from "./hot_loops.ts";

/** Returns test metrics that count hot loops. */
function countLoops(): ControllerMetrics & { loops: number } {
  return {
    loops: 0,
    increment(name) {
      if (name === "xca_hot_loops_total") this.loops++;
    },
    set() {},
    observe() {},
  };
}

/** Reconciles an object by writing a new value into its data at each run. */
async function flap({ key, cache, client, clock }: ReconcileContext): Promise<void> {
  const map = cache.get(ConfigMap, key);
  if (!map) return;
  const at = `${clock.monotonicMs()} ${Number(map.data?.at?.split(" ")[1] ?? 0) + 1}`;
  await client.update(ConfigMap, { ...map, data: { ...map.data, at } });
}

const LOOP = /^"?Hot loop/;

async function loopsLogged(
  act: () => Promise<void>,
): Promise<{ messages: string[]; fields: unknown[] }> {
  await using log = await CollectedLog.start();
  await act();
  const records = log.records.filter(({ rawMessage }) => LOOP.test(String(rawMessage)));
  return {
    messages: records.map(({ message }) => message.map(String).join("")),
    fields: records.map(({ properties }) => properties.fields),
  };
}

Deno.test("F38 a key that its own writes drive is named once with the field, counted, and slowed", async () => {
  const metrics = countLoops();
  const at: number[] = [];
  const { messages, fields } = await loopsLogged(async () => {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a", { data: { keep: "x" } }));
    h.cluster.put(ConfigMap, configMap("quiet"));
    h.run(
      forMaps(async (context) => {
        if (context.name !== "a") return;
        at.push(h.clock.monotonicMs());
        await flap(context);
      }),
      { metrics },
    );
    await h.clock.advance(600_000);
  });
  assert.equal(messages.length, 1, messages.join("\n"));
  assert.match(messages[0]!, /default\/a was reconciled 20 times in 0 ms without a foreign change/);
  assert.deepEqual(fields, ["ConfigMap default/a: data.at"]);
  assert.equal(metrics.loops, 1);
  assert.deepEqual(at.slice(0, 21), Array(21).fill(0), "21 runs at once");
  const pauses = at.slice(20).map((ms, index, all) => ms - (all[index - 1] ?? 0)).slice(1);
  assert.deepEqual(pauses.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1_000));
});

Deno.test("F38 a foreign change runs a slowed key at once, and the loop is not named again", async () => {
  const metrics = countLoops();
  const at: number[] = [];
  const { messages } = await loopsLogged(async () => {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(
      forMaps(async (context) => {
        at.push(h.clock.monotonicMs());
        await flap(context);
      }),
      { metrics },
    );
    await h.clock.advance(100_000);
    const before = at.length;
    h.cluster.put(ConfigMap, configMap("a", { data: { foreign: "yes" } }));
    await h.clock.settle();
    assert.equal(at[before], 100_000, "the foreign change is not slowed");
    await h.clock.advance(1_000);
  });
  assert.deepEqual([messages.length, metrics.loops], [1, 1]);
});

Deno.test("F38 a key that requests each run at once is a loop; one with a delay is none", async () => {
  for (const [requeueAfterMs, expected] of [[0, 1], [50, 0]] as const) {
    const metrics = countLoops();
    let runs = 0;
    const { messages } = await loopsLogged(async () => {
      await using h = harness();
      h.cluster.put(ConfigMap, configMap("a"));
      h.run(
        forMaps((): RequeueAfter => {
          runs++;
          return { requeueAfterMs };
        }),
        { metrics },
      );
      await h.clock.advance(10_000);
    });
    assert.deepEqual([messages.length, metrics.loops], [expected, expected], `${requeueAfterMs}`);
    if (expected) assert(runs < 30, `${runs} runs`);
    else assert(runs > 100, `${runs} runs`);
    if (expected) assert.match(messages[0]!, /at the request of the one before/);
  }
});

Deno.test("F38 foreign writes, retries, and a reconciler that ends by itself are no loops", async () => {
  const metrics = countLoops();
  const { messages } = await loopsLogged(async () => {
    await using h = harness();
    for (const name of ["foreign", "fails", "steps"]) h.cluster.put(ConfigMap, configMap(name));
    let failures = 0;
    let writes = 0;
    const running = h.run(
      forMaps(async (context) => {
        const { name, key, cache, client } = context;
        const map = cache.get(ConfigMap, key)!;
        if (name === "fails" && failures++ < 40) {
          await flap(context);
          throw new Error("no");
        }
        const step = Number(map.data?.step ?? 0);
        if (name === "steps" && step < 15) {
          await client.update(ConfigMap, { ...map, data: { step: `${step + 1}` } });
        }
        if (name !== "foreign" || writes > 100) return;
        // Another controller answers each write with one of its own.
        await client.update(ConfigMap, { ...map, data: { owner: "us" } });
        writes++;
        h.cluster.put(ConfigMap, configMap(name, { data: { owner: "them" } }));
      }),
      { metrics },
    );
    await h.clock.advance(200_000);
    assert.equal(running.progress().failing.length, 0);
    assert(writes > 100, `${writes} writes`);
  });
  assert.deepEqual([messages, metrics.loops], [[], 0]);
});

Deno.test("F38 a key that creates and deletes its child again and again is a loop", async () => {
  const metrics = countLoops();
  const { messages, fields } = await loopsLogged(async () => {
    await using h = harness();
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(
      controllerFor(ConfigMap)
        .watches(Secret, () => ["default/a"])
        .reconcile(async ({ cache, client }) => {
          const child = cache.get(Secret, "default/child");
          if (child) await client.delete(Secret, "default/child");
          else await client.create(Secret, configMap("child"));
        }),
      { metrics },
    );
    await h.clock.advance(10_000);
  });
  assert.deepEqual([messages.length, metrics.loops], [1, 1]);
  assert.match(String(fields[0]), /Secret default\/child/);
});

Deno.test("F38 hotLoopRuns: Infinity slows nothing, and a value below 2 is refused", async () => {
  const metrics = countLoops();
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let runs = 0;
  h.run(
    forMaps(async (context) => {
      if (runs++ < 200) await flap(context);
    }, { hotLoopRuns: Infinity }),
    { metrics },
  );
  await h.clock.settle();
  assert.deepEqual([runs, metrics.loops], [201, 0]);
  assert.throws(
    () => h.run(forMaps(() => {}, { hotLoopRuns: 1 })),
    /hotLoopRuns must be at least 2/,
  );
});

/** Runs a controller on an API server with one ConfigMap until a loop is found; returns its fields. */
async function loopOnServer(controller: ControllerDefinition): Promise<unknown[]> {
  const metrics = countLoops();
  const { fields } = await loopsLogged(async () => {
    using server = await ApiServer.start();
    using client = clientOf(server);
    await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
    const found = Promise.withResolvers<void>();
    const increment = metrics.increment.bind(metrics);
    metrics.increment = (name, labels) => {
      increment(name, labels);
      if (metrics.loops > 0) found.resolve();
    };
    const operator = defineOperator({ name: "flapper", controllers: [controller] });
    await using _running = runOperator(operator, { client, metrics });
    await found.promise;
  });
  return fields;
}

Deno.test("F38 on an API server, a status that changes at each run is a loop, named by its path", async () => {
  const controller = controllerFor(ConfigMap).options({ staleCacheTimeoutMs: 60_000 })
    .reconcile(async ({ key, cache, client }) => {
      const map = cache.get(ConfigMap, key);
      if (!map || map.metadata.name !== "web") return;
      const count = Number(map.data?.count ?? 0) + 1;
      await client.apply(ConfigMap, {
        metadata: { namespace: "default", name: "web" },
        data: { count: `${count}` },
      }, { fieldManager: "flapper" });
    });
  assert.deepEqual(await loopOnServer(controller), ["ConfigMap default/web: data.count"]);
});

Deno.test("F38 on an API server, writes by another version than the watched one are a loop", async () => {
  let runs = 0;
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const controller = controllerFor(ConfigMap)
    .watches(HorizontalPodAutoscalerV1, ({ key }) => [key])
    .reconcile(async ({ name, client }) => {
      if (name !== "web") return;
      await client.apply(HorizontalPodAutoscaler, {
        metadata: { namespace: "default", name: "web" },
        spec: { maxReplicas: ++runs, scaleTargetRef },
      }, { fieldManager: "flapper" });
    });
  assert.deepEqual(await loopOnServer(controller), [
    "HorizontalPodAutoscaler default/web: spec.maxReplicas",
  ]);
});

Deno.test("HotLoops keeps the state of at most 1 000 keys, and of the running ones", () => {
  const clock = new FakeClock();
  const loops = new HotLoops({ runs: 2, clock });
  const write = (key: string, version: string): void => {
    const metadata = { namespace: "default", name: key.split("/")[1]!, resourceVersion: version };
    loops.wrote(key, ConfigMap, { metadata });
  };
  for (let at = 0; at < 3_000; at++) {
    const key = `default/k${at}`;
    loops.began(key);
    write(key, `${at}`);
    loops.ended(key);
    assert.equal(loops.loop(key), undefined);
  }
  assert.equal(loops.size, 1_000);
  loops.began("default/idle");
  loops.ended("default/idle");
  assert.equal(loops.size, 1_000, "a key that wrote nothing is forgotten when its run ends");
  const all = Array.from({ length: 1_500 }, (_, at) => `default/r${at}`);
  for (const key of all) loops.began(key);
  assert.equal(loops.size, 2_500, "all that run, and 1 000 others");
  for (const key of all) {
    write(key, "1");
    loops.ended(key);
  }
  assert.equal(loops.size, 1_000);
});

Deno.test("HotLoops finds a hot loop among more than 1 000 keys that run at once", () => {
  const loops = new HotLoops({ runs: 3, clock: new FakeClock() });
  const others = Array.from({ length: 1_500 }, (_, at) => `default/k${at}`);
  const found: boolean[] = [];
  for (let run = 0; run < 4; run++) {
    found.push(loops.began("default/loop") !== undefined);
    for (const key of others) loops.began(key);
    loops.requeued("default/loop", 0);
    loops.ended("default/loop");
    for (const key of others) loops.ended(key);
  }
  assert.deepEqual(found, [false, false, false, true]);
});

Deno.test("changedPaths() names the fields that differ, and no values", () => {
  const old = {
    metadata: { resourceVersion: "1", labels: { a: "1", "x.y/z": "1" } },
    spec: { list: [1, { deep: true }], same: [1] },
  };
  const current = {
    metadata: { resourceVersion: "2", generation: 3, labels: { a: "2", "x.y/z": "2" } },
    spec: { list: [1, { deep: false }, 3], same: [1] },
    status: "secret",
  };
  assert.deepEqual(changedPaths(old, current), [
    "metadata.labels.a",
    'metadata.labels["x.y/z"]',
    "spec.list[1].deep",
    "spec.list[2]",
    "status",
  ]);
  assert.deepEqual(changedPaths(old, structuredClone(old)), []);
  assert.deepEqual(changedPaths(1, 2), ["the object"]);
});
