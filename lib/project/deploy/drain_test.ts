import assert from "node:assert/strict";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CustomResourceDefinition } from "@xca/apimachinery/meta";
import { intercept } from "../../client/scoped/scoped_interceptor.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
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

Deno.test("drainObjects() with force names the objects whose finalizers another program keeps", async () => {
  await using server = await ApiServer.start();
  await server.seed(CRD);
  using client = clientOf(server);
  const kept = intercept(client, {
    around: (call, next) =>
      next(call.verb === "patch" ? { ...call, options: { ...call.options, dryRun: true } } : call),
  });
  const crd = await client.get(CustomResourceDefinition, "locks.example.org");
  const clock = new FakeClock();
  const steps: string[] = [];
  const drained = drainObjects(
    {
      client: kept,
      clock,
      signal: new AbortController().signal,
      onStep: ({ object, action }) => steps.push(`${object} ${action}`),
    },
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
