import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";
import { call } from "../../../../tests/support/in_process/call_server.ts";

const CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const PODS = "/api/v1/namespaces/default/pods";

const pod = (name: string): unknown => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }] },
});

const byDefault = (name: string, value: number): unknown => ({
  metadata: { name },
  value,
  globalDefault: true,
});

Deno.test("a pod has the priority of the current default PriorityClass", async () => {
  await using server = await ApiServer.start({ controllers: false });
  const snapshot = server.snapshot();
  const priorityOf = async (name: string): Promise<unknown> =>
    (await call(server, "POST", PODS, pod(name))).body.spec.priority;
  assert.equal(await priorityOf("a"), 0);
  await call(server, "POST", CLASSES, byDefault("high", 20));
  assert.equal(await priorityOf("b"), 20);
  assert.equal((await call(server, "POST", CLASSES, byDefault("low", 10))).code, 403);
  await call(server, "PATCH", `${CLASSES}/high`, { globalDefault: false });
  await call(server, "POST", CLASSES, byDefault("low", 10));
  assert.equal(await priorityOf("c"), 10);
  server.restore(snapshot, "keep");
  assert.equal(await priorityOf("d"), 0);
});

Deno.test("objects are created only while their namespace exists and is not deleted", async () => {
  await using server = await ApiServer.start({ controllers: false });
  const create = async (name: string): Promise<number> =>
    (await call(server, "POST", "/api/v1/namespaces/n/configmaps", { metadata: { name } })).code;
  assert.equal(await create("a"), 404);
  await call(server, "POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  assert.equal(await create("a"), 201);
  await call(server, "DELETE", "/api/v1/namespaces/n");
  assert.equal(await create("b"), 403);
  const finalized = { metadata: { name: "n" }, spec: { finalizers: [] } };
  await call(server, "PUT", "/api/v1/namespaces/n/finalize", finalized);
  assert.equal(await create("b"), 404);
});
