/** Tests that writes by `request` and `requestJson` of a run count as writes of its key. */
import assert from "node:assert/strict";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { configMap, harness } from "../../../tests/support/in_process/controller_harness.ts";
import type { FakeCluster } from "../../../tests/support/in_process/fake_cluster.ts";
import {
  ConfigMap,
  Deployment,
  type ObjectKey,
  type ResourceType,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import type { RestRequest } from "../../client/calls/rest.ts";
import { updateScale } from "../../client/subresources/scale.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";
import { RecordedRequest } from "./recorded_request.ts";
import type { WriteLedger } from "./write_ledger.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const APPS = "/apis/apps/v1/namespaces/default/deployments";

const WEB = configMap("web", { metadata: { labels: { app: "x" } } });
const SCALE = {
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { namespace: "default", name: "web" },
  spec: { replicas: 3 },
} as const;

/** Lets the client of a cluster scale the Deployment `web`; the response has no labels. */
function scales(cluster: FakeCluster): void {
  const { client } = cluster;
  const requestJson = client.requestJson.bind(client);
  client.requestJson = <T>(request: RestRequest): Promise<T> => {
    if (request.method !== "PUT") return requestJson<T>(request);
    assert.equal(request.path, `${APPS}/web/scale`);
    const metadata = { ...WEB.metadata, annotations: { replicas: "3" } };
    const { uid, resourceVersion } =
      cluster.put<UnstructuredObject>(Deployment, { ...WEB, metadata }).metadata;
    return Promise.resolve(
      { ...SCALE, metadata: { ...SCALE.metadata, uid, resourceVersion } } as T,
    );
  };
}

/** Returns a ledger of a controller that watches ConfigMaps and Deployments, and its record. */
function ledger(): { ledger: WriteLedger; recorded: string[] } {
  const recorded: string[] = [];
  const types = [ConfigMap, Deployment] as readonly ResourceType[];
  const fake: Partial<WriteLedger> = {
    typeOf: (id) => types.find((type) => type.id === id),
    begin: () => ({ deleted: new Set(), targets: new Map(), [Symbol.dispose]() {} }),
    wrote: (key, { kind }, { metadata }) => {
      recorded.push(`${key} wrote ${kind} ${metadata.name} ${metadata.resourceVersion}`);
    },
    deleted: (key, { kind }, objectKey) =>
      void recorded.push(`${key} deleted ${kind} ${objectKey}`),
  };
  return { ledger: fake as WriteLedger, recorded };
}

/** Records a request with its answer, and returns what the ledger recorded. */
function recordedOf(request: RestRequest, answer: unknown): string[] {
  const { ledger: of, recorded } = ledger();
  using record = RecordedRequest.begin(of, "default/key" as ObjectKey, request);
  record?.answered(answer);
  return recorded;
}

Deno.test("F26 a write by request() is recorded where it is one of a watched object", () => {
  const map = { kind: "ConfigMap", metadata: { name: "a", resourceVersion: "7" } };
  const scale = { kind: "Scale", metadata: { name: "web", resourceVersion: "8" } };
  const wrote = ["default/key wrote ConfigMap a 7"];
  const table: [RestRequest, unknown, string[]][] = [
    [{ method: "POST", path: MAPS }, map, wrote],
    [{ method: "PUT", path: `${MAPS}/a` }, map, wrote],
    [{ method: "patch", path: `${MAPS}/a` }, map, wrote],
    [{ method: "PUT", path: `${APPS}/web/scale` }, scale, ["default/key wrote Deployment web 8"]],
    [{ method: "DELETE", path: `${MAPS}/a` }, {}, ["default/key deleted ConfigMap default/a"]],
    [{ method: "DELETE", path: MAPS }, { metadata: {} }, []],
    [{ method: "POST", path: MAPS, query: { dryRun: "All" } }, map, []],
    [{ method: "POST", path: "/api/v1/namespaces/default/secrets" }, map, []],
    [{ method: "POST", path: `${MAPS}/a/proxy/x` }, map, []],
    [{ method: "POST", path: `${MAPS}/a/proxy` }, map, []],
    [{ method: "POST", path: "/version" }, map, []],
    [{ method: "POST", path: "no path" }, map, []],
    [{ method: "POST", path: MAPS }, { kind: "Status", metadata: {} }, []],
    [{ method: "POST", path: MAPS }, undefined, []],
  ];
  for (const [request, answer, expected] of table) {
    assert.deepEqual(recordedOf(request, answer), expected, `${request.method} ${request.path}`);
  }
});

Deno.test("F26 a response is recorded before the caller reads it, and is still whole for the caller", async () => {
  const { ledger: of, recorded } = ledger();
  using record = RecordedRequest.begin(of, "default/key" as ObjectKey, {
    method: "POST",
    path: MAPS,
  })!;
  const map = { metadata: { name: "a", resourceVersion: "7" } };
  const response = Response.json(map);
  await record.received(response);
  assert.deepEqual(recorded, ["default/key wrote ConfigMap a 7"]);
  assert.deepEqual(await response.json(), map);
  // A broken body is the caller's to find; another form of it is not read at all.
  const broken = new Response("{", { headers: { "content-type": "application/json" } });
  await record.received(broken);
  const table = new Response("a", { headers: { "content-type": "application/yaml" } });
  await record.received(table);
  assert.deepEqual([await broken.text(), await table.text()], ["{", "a"]);
  assert.equal(recorded.length, 1);
});

/** Writes a new value into an object by a request to its path, at each run. */
const FLAPS: Record<string, (context: ReconcileContext, body: unknown) => Promise<unknown>> = {
  "request()": async ({ client }, body) => {
    const response = await client.request({ method: "PUT", path: `${MAPS}/web`, body });
    await response.body?.cancel();
  },
  "requestJson()": ({ client }, body) =>
    client.requestJson({ method: "PUT", path: `${MAPS}/web`, body }),
};

for (const [how, flap] of Object.entries(FLAPS)) {
  Deno.test(`F38 a key that its own writes by ${how} drive is a hot loop, named by the field`, async () => {
    await using log = await CollectedLog.start();
    using server = await ApiServer.start();
    using client = clientOf(server);
    await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
    const found = Promise.withResolvers<void>();
    const controller = controllerFor(ConfigMap).options({ hotLoopRuns: 5 })
      .reconcile(async (context) => {
        const map = context.cache.get(ConfigMap, context.key);
        if (!map || context.name !== "web") return;
        const count = Number(map.data?.count ?? 0) + 1;
        if (count > 200) found.reject(new Error("no hot loop was found in 200 runs"));
        await flap(context, { ...map, data: { count: `${count}` } });
      });
    const operator = defineOperator({ name: "flapper", controllers: [controller] });
    await using _running = runOperator(operator, {
      client,
      metrics: {
        increment: (name) => name === "xca_hot_loops_total" && found.resolve(),
        set() {},
        observe() {},
      },
    });
    await found.promise;
    const [record] = log.records.filter(({ rawMessage }) => /Hot loop/.test(String(rawMessage)));
    assert.equal(record?.properties.fields, "ConfigMap default/web: data.count");
  });
}

for (const labelSelector of ["", "app=x"]) {
  Deno.test(`F26 a key waits for the scale of a workload that its run created, selector "${labelSelector}"`, async () => {
    await using h = harness();
    const seen: (string | undefined)[] = [];
    h.cluster.put(ConfigMap, configMap("a"));
    scales(h.cluster);
    const handle = h.run(
      controllerFor(ConfigMap).watches(Deployment, () => [], { labelSelector })
        .reconcile(async ({ cache, client }) => {
          seen.push(cache.get(Deployment, "default/web")?.metadata.annotations?.replicas);
          if (seen.length > 1) return;
          h.cluster.lagging = true;
          await client.create(Deployment, WEB);
          await updateScale(client, Deployment, SCALE);
          return { requeueAfterMs: 1 };
        }),
    );
    await h.clock.advance(1);
    h.cluster.deliver(1);
    await h.clock.advance(2_000);
    assert.deepEqual([seen.length, handle.progress().delayed], [1, 1]);
    h.cluster.deliver();
    await h.clock.settle();
    assert.deepEqual(seen, [undefined, "3"]);
  });
}

Deno.test("F26 a collection that a run deleted includes a workload that it created and scaled", async () => {
  await using h = harness();
  const seen: boolean[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  scales(h.cluster);
  const handle = h.run(
    controllerFor(ConfigMap).watches(Deployment, () => []).reconcile(async ({ cache, client }) => {
      seen.push(cache.get(Deployment, "default/web") !== undefined);
      if (seen.length > 1) return;
      h.cluster.lagging = true;
      await client.create(Deployment, WEB);
      await updateScale(client, Deployment, SCALE);
      await client.deleteCollection(Deployment, { namespace: "default", labelSelector: "app=x" });
      return { requeueAfterMs: 1 };
    }),
  );
  await h.clock.advance(1);
  h.cluster.deliver(2);
  await h.clock.advance(2_000);
  assert.deepEqual([seen.length, handle.progress().delayed], [1, 1]);
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual(seen, [false, false]);
});
