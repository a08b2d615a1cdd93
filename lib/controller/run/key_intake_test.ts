import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { withCluster } from "../../../tests/support/in_process/helper_cluster.ts";
import { delay } from "@xca/apimachinery/base";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";
import type { WriteGate } from "../ports/write_gate.ts";

const MINUTE_MS = 60_000;

/** Returns a write gate that opens once `open` is called. */
function closedGate(): WriteGate & { open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    open: () => resolve(),
    opened: async (signal) => {
      const aborted = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
      await Promise.race([promise, aborted.promise]);
    },
    admit: () => {},
    closed: false,
    remainingMs: Infinity,
  };
}

Deno.test("B68 a standby queues no key, and at take-over each stored object and each recently deleted one", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("first"));
  const runs: string[] = [];
  const gate = closedGate();
  const handle = h.run(forMaps(({ name }) => void runs.push(name)), { gate });
  await h.clock.settle();
  for (let n = 0; n < 100; n++) {
    h.cluster.put(ConfigMap, configMap(`old-${n}`));
    await h.clock.advance(1_000);
    h.cluster.remove(ConfigMap, `default/old-${n}`);
  }
  await h.clock.advance(10 * MINUTE_MS);
  h.cluster.put(ConfigMap, configMap("second"));
  h.cluster.put(ConfigMap, configMap("gone"));
  h.cluster.remove(ConfigMap, "default/gone");
  await h.clock.advance(MINUTE_MS);
  assert.equal(handle.report().controllers[0]!.stage, "standby");
  assert.equal(handle.progress().queued, 0);
  assert.equal(handle.report({ key: "default/gone" }).controllers[0]!.key?.lastEnqueued, undefined);
  gate.open();
  await h.clock.settle();
  assert.deepEqual(runs.sort(), ["first", "gone", "second"]);
  assert.equal(handle.report().controllers[0]!.stage, "working");
  const { initialKeys, ran } = handle.progress();
  assert.deepEqual({ initialKeys, ran }, { initialKeys: 2, ran: 2 });
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 1);
});

Deno.test("B68 at take-over recent changes run before the other stored objects", async () => {
  await using h = harness();
  for (const name of ["a", "b", "c"]) h.cluster.put(ConfigMap, configMap(name));
  const runs: string[] = [];
  const gate = closedGate();
  h.run(forMaps(({ name }) => void runs.push(name), { workers: 1 }), { gate });
  await h.clock.advance(10 * MINUTE_MS);
  h.cluster.put(ConfigMap, configMap("c"));
  await h.clock.settle();
  gate.open();
  await h.clock.settle();
  assert.deepEqual(runs, ["c", "a", "b"]);
});

Deno.test("B68 a deletion that is still being mapped at take-over is queued", async () => {
  await using h = harness();
  h.cluster.put(Secret, configMap("s"));
  const mapped = Promise.withResolvers<string[]>();
  const runs: string[] = [];
  const gate = closedGate();
  h.run(
    controllerFor(ConfigMap).watches(Secret, () => mapped.promise)
      .reconcile(({ key }) => void runs.push(key)),
    { gate },
  );
  await h.clock.settle();
  h.cluster.remove(Secret, "default/s");
  gate.open();
  await h.clock.settle();
  assert.deepEqual(runs, []);
  mapped.resolve(["default/b"]);
  await h.clock.settle();
  assert.deepEqual(runs, ["default/b"]);
});

Deno.test("B68 a standby maps objects to keys at take-over, also to keys without an object", async () => {
  await using h = harness();
  h.cluster.put(Secret, configMap("s"));
  let calls = 0;
  const runs: string[] = [];
  const gate = closedGate();
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => (calls++, ["default/b"]))
      .reconcile(({ key }) => void runs.push(key)),
    { gate },
  );
  await h.clock.advance(10 * MINUTE_MS);
  assert.equal(calls, 0);
  gate.open();
  await handle.ready;
  await h.clock.settle();
  assert.deepEqual([calls, runs], [1, ["default/b"]]);
});

Deno.test("B68 no run starts before the stored objects are mapped at take-over, and a stop ends the wait", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, configMap("s"));
  const runs: string[] = [];
  const gate = closedGate();
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => new Promise<string[]>(() => {}))
      .options({ timeoutMs: Infinity })
      .reconcile(({ key }) => void runs.push(key)),
    { gate },
  );
  await h.clock.settle();
  gate.open();
  await h.clock.advance(MINUTE_MS);
  assert.deepEqual([handle.report().controllers[0]!.stage, runs], ["syncing", []]);
  await handle.stop();
  assert.deepEqual(runs, []);
  assert.equal(h.cluster.fakeInformer(Secret).listeners, 0);
});

Deno.test("B68 no stored object and no recent deletion is missed, whenever the gate opens", async () => {
  for (let opens = 0; opens <= 24; opens++) {
    await using h = harness();
    h.cluster.lagging = true;
    const gate = closedGate();
    const runs = new Set<string>();
    h.run(
      controllerFor(ConfigMap).owns(Secret)
        .watches(Secret, async ({ name }) => {
          for (let turn = 0; turn < opens % 5; turn++) await undefined;
          return [`default/of-${name}`];
        })
        .reconcile(({ key }) => void runs.add(key)),
      { gate },
    );
    for (let n = 0; n < 8; n++) {
      h.cluster.put(ConfigMap, configMap(`${n}`));
      h.cluster.put(Secret, configMap(`${n}`));
      if (n % 2 === 0) h.cluster.remove(n % 4 === 0 ? ConfigMap : Secret, `default/${n}`);
    }
    for (let step = 0; step < 24; step++) {
      if (step === opens) gate.open();
      h.cluster.deliver(1);
      for (let turn = 0; turn < step % 4; turn++) await undefined;
    }
    gate.open();
    await h.clock.settle();
    const expected = Array.from({ length: 8 }, (_, n) => [`default/${n}`, `default/of-${n}`]);
    assert.deepEqual([...runs].sort(), expected.flat().sort(), `the gate opens at ${opens}`);
  }
});

Deno.test("B68 a take-over amid changes misses no object that comes or goes, with real informers", async () => {
  await withCluster(async ({ client }) => {
    const put = (name: string) => client.create(ConfigMap, { metadata: { name } });
    const runs = new Set<string>();
    const gate = closedGate();
    for (let n = 0; n < 50; n++) await put(`early-${n}`);
    const controller = forMaps(({ name }) => void runs.add(name));
    await using operator = runOperator(
      defineOperator({ name: "test", controllers: [controller] }),
      {
        client,
        gate,
      },
    );
    while (operator.report().controllers[0]!.stage !== "standby") await delay(1);
    for (let n = 0; n < 50; n++) {
      await put(`late-${n}`);
      if (n === 25) gate.open();
      if (n % 2 === 0) await client.delete(ConfigMap, `default/late-${n}`);
      else await client.delete(ConfigMap, `default/early-${n}`);
    }
    await operator.idle();
    const { items } = await client.list(ConfigMap, { namespace: "default" });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name).filter((each) => !runs.has(each!)),
      [],
    );
    const deleted = Array.from({ length: 50 }, (_, n) => n % 2 === 0 ? `late-${n}` : `early-${n}`);
    assert.deepEqual(deleted.filter((each) => !runs.has(each)), []);
  });
});
