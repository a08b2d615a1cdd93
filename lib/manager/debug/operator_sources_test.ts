import assert from "node:assert/strict";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { runOperator } from "../../controller/operator/run_operator.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { createManager } from "../manager.ts";
import { debugEndpoint } from "./debug_endpoint.ts";
import { operatorDebugSources } from "./operator_sources.ts";

Deno.test("/debug reports queues, caches with budget and advice, and the lease", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const data = { text: "x".repeat(2_000) };
  for (const name of ["a", "b"]) {
    await client.create(ConfigMap, { metadata: { namespace: "default", name }, data });
  }
  const controller = controllerFor(ConfigMap).reconcile(({ name }) => {
    if (name === "b") throw new Error("no");
  });
  const operators = [
    runOperator(defineOperator({ name: "one", controllers: [controller] }), { client }),
  ];
  await operators[0]!.ready;
  const elector = { lease: "default/one", leader: "other", isLeader: false };
  const sources = operatorDebugSources({
    operators: () => operators,
    elector,
    cacheBudgetBytes: 1_000,
  });
  const endpoint = debugEndpoint(sources);
  const get = async (path: string): Promise<Record<string, unknown>> =>
    await (await endpoint(new Request(`https://localhost/debug${path}`))).json();
  const { controllers, caches, lease } = await get("?key=default/b") as {
    controllers: { controller: string; key: { cached: boolean } }[];
    caches: {
      objects: number;
      bytes: number;
      budget: { used: number; advice: string[] };
      caches: { resource: string; shares: Record<string, number>; advice: string[] }[];
    };
    lease: unknown;
  };
  assert.deepEqual(controllers.map(({ controller, key }) => [controller, key.cached]), [
    ["configmap", true],
  ]);
  assert.deepEqual(lease, { elects: true, leads: false, lease: "default/one", leader: "other" });
  assert(caches.objects >= 2 && caches.bytes > 4_000, JSON.stringify(caches));
  assert(caches.budget.used > 1);
  assert.match(caches.budget.advice[0]!, /more than the budget/);
  const [cache] = caches.caches;
  assert.equal(cache!.resource, "configmaps.v1");
  assert(cache!.shares.data! > 0.4, JSON.stringify(cache!.shares));
  assert.match(cache!.advice.at(-1)!, /^data is \d+ % of configmaps/);
  await operators[0]!.stop();
});

Deno.test("/debug of a manager counts the caches of its readers too, and advises on none that is empty", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "a" } });
  const manager = createManager({
    client,
    metricsServer: { bindAddress: "127.0.0.1:0", secure: false, cacheBudgetBytes: 10 },
  });
  await using log = await CollectedLog.start();
  await using running = manager.start();
  await running.ready;
  const url = /http:\S+/.exec(log.messages("info").join("\n"))![0];
  const held = await manager.cache.list(ConfigMap);
  assert.deepEqual(await manager.cache.list(Secret), []);
  const caches = await (await fetch(`${url}/debug/caches`)).json();
  assert.equal(caches.objects, held.length);
  assert(caches.bytes > 100);
  assert.match(caches.budget.advice[1], /^configmaps\.v1 takes \d+ bytes/);
  assert(!caches.budget.advice.some((text: string) => text.includes("secrets")));
});

Deno.test("/debug advises to drop managedFields and annotations, and to narrow, above the budget alone", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const data = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key-${n}`, "x"]));
  const annotations = { note: "x".repeat(800) };
  const map = { metadata: { namespace: "default", name: "a", annotations }, data };
  await client.apply(ConfigMap, map, { fieldManager: "tester" });
  const controller = controllerFor(ConfigMap).reconcile(() => {});
  const adviceOf = async (dropManagedFields: boolean, budget: number): Promise<string[]> => {
    const manager = createManager({
      client,
      caches: [{
        type: ConfigMap,
        namespaces: ["default"],
        labelSelector: "!x",
        dropManagedFields,
      }],
    });
    const handle = manager.add(defineOperator({ name: "one", controllers: [controller] }));
    await using running = manager.start();
    await running.ready;
    const sources = operatorDebugSources({ operators: () => [handle], cacheBudgetBytes: budget });
    const endpoint = debugEndpoint(sources);
    const answer = await endpoint(new Request("https://localhost/debug/caches"));
    const { budget: { advice } } = await answer.json() as { budget: { advice: string[] } };
    return advice;
  };
  const said = await adviceOf(false, 1_000);
  assert.match(said[0]!, /^the caches hold \d+ bytes, which is \d+ more than the budget$/);
  assert.match(said[1]!, /^configmaps\.v1 takes \d+ bytes: narrow .* or set compress$/);
  assert.match(said[2]!, /^metadata\.managedFields is \d+ % of configmaps: .*dropManagedFields/);
  assert.match(said[3]!, /^annotations are \d+ % of configmaps: drop those that are not read/);
  const dropped = await adviceOf(true, 1_000);
  assert.doesNotMatch(dropped.join("\n"), /managedFields/);
  assert.match(dropped.join("\n"), /annotations are/);
  assert.deepEqual(await adviceOf(false, 1e9), []);
});

Deno.test("a memory budget that is not a positive number is refused", () => {
  for (const cacheBudgetBytes of [0, -1, NaN]) {
    assert.throws(
      () => operatorDebugSources({ operators: () => [], cacheBudgetBytes }),
      RangeError,
    );
  }
});
