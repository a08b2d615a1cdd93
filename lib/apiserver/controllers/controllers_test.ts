import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { ApiServer } from "../server.ts";
import { call } from "../../../tests/support/in_process/call_server.ts";

type Body = Record<string, unknown> & { metadata: Record<string, unknown> };

/** Runs all pending microtasks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}

function start(controllers?: readonly string[]): Promise<ApiServer> {
  return ApiServer.start({
    clock: new FakeClock(),
    random: seededRandom(1),
    ...(controllers && { controllers }),
  });
}

const MAPS = "/api/v1/namespaces/default/configmaps";

/** Creates a grandparent, a parent and a child by owner references, and deletes the grandparent. */
async function bereave(server: ApiServer): Promise<void> {
  let ownerReferences: unknown[] = [];
  for (const name of ["a", "b", "c"]) {
    const { body } = await call(server, "POST", MAPS, { metadata: { name, ownerReferences } });
    ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid: body.metadata["uid"] }];
  }
  await call(server, "DELETE", `${MAPS}/a`);
  await settle();
}

Deno.test("an object without owners is collected without a timer", async () => {
  using server = await start();
  await bereave(server);
  const { body } = await call(server, "GET", MAPS);
  assert.deepEqual(body["items"], []);
});

Deno.test("equal requests are followed by equal work", async () => {
  const versions: unknown[] = [];
  for (let run = 0; run < 2; run++) {
    using server = await start();
    await bereave(server);
    const { body } = await call(server, "GET", MAPS);
    versions.push(body.metadata["resourceVersion"]);
  }
  assert.equal(versions[0], versions[1]);
});

Deno.test("a server without controllers collects nothing", async () => {
  using server = await start([]);
  await bereave(server);
  const { body } = await call(server, "GET", MAPS);
  assert.equal((body["items"] as unknown[]).length, 2);
});

Deno.test("custom objects with the plural events are collected", async () => {
  using server = await start();
  const schema = { openAPIV3Schema: { type: "object" } };
  await call(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "events.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "events", kind: "Event" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  await settle();
  const { body: { metadata: { uid } } } = await call(server, "POST", MAPS, {
    metadata: { name: "owner" },
  });
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid };
  const events = "/apis/example.com/v1/namespaces/default/events";
  await call(server, "POST", events, {
    apiVersion: "example.com/v1",
    kind: "Event",
    metadata: { name: "a", ownerReferences: [owner] },
  });
  await call(server, "DELETE", `${MAPS}/owner`);
  await settle();
  const { body } = await call(server, "GET", events);
  assert.deepEqual(body["items"], []);
});

Deno.test("a deleted system namespace is recreated", async () => {
  using server = await start();
  const path = "/api/v1/namespaces/kube-node-lease";
  const before = await call(server, "GET", path);
  await call(server, "DELETE", path);
  await settle();
  const after = await call(server, "GET", path);
  assert.equal(after.code, 200);
  assert.notEqual(after.body.metadata["uid"], before.body.metadata["uid"]);
});

Deno.test("every cluster has the Service kubernetes", async () => {
  using server = await start();
  const { body } = await call(server, "GET", "/api/v1/namespaces/default/services/kubernetes");
  assert.equal((body["spec"] as { clusterIP: string }).clusterIP, "10.0.0.1");
});
