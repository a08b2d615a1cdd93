import assert from "node:assert/strict";
import { PatientServer } from "../server_fakes_test.ts";

const DEFAULT = "/namespaces/default";
const PODS = `/api/v1${DEFAULT}/pods`;
const DEPLOYMENTS = `/apis/apps/v1${DEFAULT}/deployments`;
const BUDGETS = `/apis/policy/v1${DEFAULT}/poddisruptionbudgets`;
const labels = { app: "a" };
const pod = { metadata: { name: "a", labels }, spec: { containers: [{ name: "a", image: "a" }] } };

Deno.test("a binding assigns a pod once and sets its PodScheduled condition", async () => {
  using server = await PatientServer.start();
  await server.send("POST", PODS, { body: pod });
  const bind = (name: string) =>
    server.send("POST", `${PODS}/a/binding`, {
      body: { metadata: { name: "a" }, target: { kind: "Node", name } },
    });
  assert.equal((await bind("n")).code, 201);
  const { body } = await server.send("GET", `${PODS}/a`);
  assert.equal(body.spec.nodeName, "n");
  assert.equal(body.status.conditions[0].type, "PodScheduled");
  const again = await bind("other");
  assert.equal(again.code, 409);
  assert.match(again.body.message, /pod a is already assigned to node "n"/);
});

Deno.test("eviction deletes as many pods as the disruption budget allows", async () => {
  using server = await PatientServer.start();
  const evict = (name: string) =>
    server.send("POST", `${PODS}/${name}/eviction`, { body: { metadata: { name } } });
  for (const name of ["a", "b"]) {
    const metadata = { name, labels, finalizers: ["example.com/kept"] };
    await server.send("POST", PODS, { body: { ...pod, metadata } });
    const conditions = [{ type: "Ready", status: "True" }];
    const status = { status: { phase: "Running", conditions } };
    const merge = { type: "application/merge-patch+json", body: status };
    assert.equal((await server.send("PATCH", `${PODS}/${name}/status`, merge)).code, 200);
  }
  const spec = { minAvailable: 1, selector: { matchLabels: labels } };
  await server.send("POST", BUDGETS, { body: { metadata: { name: "a" }, spec } });
  const early = await evict("a");
  assert.equal(early.code, 429);
  assert.match(early.body.message, /Cannot evict pod as it would violate/);
  const counts = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  const status = { status: { observedGeneration: 1, ...counts } };
  const merge = { type: "application/merge-patch+json", body: status };
  assert.equal((await server.send("PATCH", `${BUDGETS}/a/status`, merge)).code, 200);
  assert.equal((await evict("a")).code, 201);
  const budget = await server.send("GET", `${BUDGETS}/a`);
  assert.equal(budget.body.status.disruptionsAllowed, 0);
  assert.deepEqual(Object.keys(budget.body.status.disruptedPods), ["a"]);
  assert.equal((await evict("b")).code, 429);
});

Deno.test("a scale reads and writes only the replicas of its object", async () => {
  using server = await PatientServer.start();
  const template = { metadata: { labels }, spec: pod.spec };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  const made = await server.send("POST", DEPLOYMENTS, { body: { metadata: { name: "a" }, spec } });
  const scale = await server.send("GET", `${DEPLOYMENTS}/a/scale`);
  assert.deepEqual([scale.body.kind, scale.body.spec], ["Scale", { replicas: 2 }]);
  assert.equal(scale.body.status.selector, "app=a");
  const body = { ...scale.body, spec: { replicas: 5 } };
  assert.equal((await server.send("PUT", `${DEPLOYMENTS}/a/scale`, { body })).code, 200);
  const { body: { spec: after } } = await server.send("GET", `${DEPLOYMENTS}/a`);
  assert.deepEqual(after, { ...made.body.spec, replicas: 5 });
  const stale = await server.send("PUT", `${DEPLOYMENTS}/a/scale`, { body });
  assert.equal(stale.code, 409);
});
