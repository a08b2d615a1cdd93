import assert from "node:assert/strict";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CustomResourceDefinition, resourceType } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/mod.ts";
import { intercept } from "../../client/scoped/scoped_interceptor.ts";
import { recordedRun } from "../../../tests/support/in_process/recorded_run.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { ClusterError } from "./cluster_run.ts";
import { drainObjects } from "./drain.ts";

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: locks.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { plural: locks, kind: Lock }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
---
apiVersion: example.org/v1
kind: Lock
metadata: { name: a, namespace: default, finalizers: [example.org/held] }
`;

const Lock = resourceType({ group: "example.org", version: "v1", kind: "Lock", plural: "locks" });

Deno.test("drainObjects() with force names the objects whose finalizers another program keeps", async () => {
  await using server = await ApiServer.start();
  await server.seed(CRD);
  using client = clientOf(server);
  const kept = intercept(client, {
    around: (call, next) =>
      next(call.verb === "patch" ? { ...call, options: { ...call.options, dryRun: true } } : call),
  });
  const crd = await client.get(CustomResourceDefinition, "locks.example.org");
  const { run, clock, steps } = recordedRun(kept);
  const drained = drainObjects(
    run,
    [crd as V1CustomResourceDefinition],
    { running: undefined, force: true, timeoutMs: 1_000 },
  );
  let error: unknown;
  drained.then(() => error = "resolved", (reason) => error = reason);
  while (error === undefined) await clock.advance(1_000);
  assert(error instanceof ClusterError);
  assert.match(
    error.message,
    /^Cannot delete Lock default\/a .* within \d+ s after the removal of their finalizers: the/,
  );
  assert.deepEqual(steps, [
    "lock.example.org/a deleted",
    "lock.example.org/a finalizers removed",
  ]);
});

Deno.test("drainObjects() with force keeps the finalizers of an object that takes the name of another", async () => {
  await using server = await ApiServer.start();
  await server.seed(CRD);
  using admin = clientOf(server);
  const metadata = { name: "a", namespace: "default" };
  let removals = 0;
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      const isRemoval = request.method === "PATCH" && request.url.includes("/locks/a");
      if (isRemoval && removals++ === 0) {
        await admin.patch(
          Lock,
          "default/a",
          mergePatch({ metadata: { finalizers: null } } as never),
        );
        await admin.create(Lock, { metadata: { ...metadata, finalizers: ["example.org/new"] } });
      }
      return await fetch(request);
    },
  });
  const crd = await client.get(CustomResourceDefinition, "locks.example.org");
  const stop = new AbortController();
  const drained = drainObjects(
    {
      ...recordedRun(client).run,
      signal: stop.signal,
      onStep: () => {
        if (removals > 0) stop.abort(); // the new object is deleted next
      },
    },
    [crd as V1CustomResourceDefinition],
    { running: undefined, force: true, timeoutMs: 1_000 },
  );
  await assert.rejects(drained);
  assert.equal(removals, 1);
  const { finalizers } = (await admin.get(Lock, "default/a")).metadata;
  assert.deepEqual(finalizers, ["example.org/new"]);
});

for (const isEstablished of [true, false]) {
  const what = isEstablished
    ? "is one error, without a read"
    : "has no objects if it never was served";
  Deno.test(`a definition that serves no version ${what}`, async () => {
    await using server = await ApiServer.start();
    await server.seed(CRD);
    let lists = 0;
    using client = clientOf(server, {
      through: (fetch) => async (request) => {
        if (request.url.includes("/locks")) lists++;
        return await fetch(request);
      },
    });
    const crd = await client.get(
      CustomResourceDefinition,
      "locks.example.org",
    ) as V1CustomResourceDefinition;
    crd.spec.versions[0]!.served = false;
    if (!isEstablished) crd.status!.conditions = [];
    lists = 0;
    const { run, steps } = recordedRun(client);
    const drained = drainObjects(run, [crd], { running: undefined, force: true, timeoutMs: 1_000 });
    if (isEstablished) {
      await assert.rejects(drained, {
        name: "ClusterError",
        message: "Cannot tell which objects locks.example.org has: the definition serves none of " +
          "its versions (v1); nothing was deleted. Set served: true for one of them, and repeat " +
          "the command",
      });
    } else await drained;
    assert.deepEqual([lists, steps], [0, []]);
  });
}
