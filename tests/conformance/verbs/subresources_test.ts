import assert from "node:assert/strict";
import { encodeProtobuf } from "../../../lib/apiserver/decode/protobuf/encode_protobuf.ts";
import { ANY, withKind } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);
const APPS = "apps/v1";
const POLICY = "policy/v1";

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const workload = (replicas?: number) => ({
  metadata: { name: "a" },
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: { app: "a" } },
    template,
  },
});

async function makePod(t: Target, name = "a", spec: Record<string, unknown> = {}): Promise<void> {
  const { code } = await t.post(t.path("pods"), {
    metadata: { name, labels: { app: "a" } },
    spec: { ...template.spec, ...spec },
  });
  assert.equal(code, 201);
}

/** A pod that runs, and is ready or not. */
async function makeRunningPod(t: Target, ready: boolean): Promise<void> {
  await makePod(t);
  await t.patch("merge", t.path("pods/a/status"), {
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    },
  });
}

async function makeBudget(
  t: Target,
  status: Record<string, unknown>,
  spec: Record<string, unknown> = {},
  name = "b",
): Promise<void> {
  await t.post(t.path("poddisruptionbudgets", POLICY), {
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } }, ...spec },
  });
  const { code } = await t.patch("merge", t.path(`poddisruptionbudgets/${name}/status`, POLICY), {
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      ...status,
    },
  });
  assert.equal(code, 200);
}

const evict = (t: Target, more: Record<string, unknown> = {}, query = "") =>
  t.post(t.path(`pods/a/eviction${query}`), {
    apiVersion: POLICY,
    kind: "Eviction",
    metadata: { name: "a" },
    ...more,
  });

for (const generateName of ["other-", "", undefined, "Wrong_"]) {
  const name = `the prefix of the name of a resized pod: ${JSON.stringify(generateName)}`;
  conformance(name, async (t) => {
    const { spec } = template;
    const prefix = { generateName: "a-" };
    await t.post(t.path("pods"), { metadata: { name: "a", ...prefix }, spec });
    const metadata = { name: "a", ...generateName !== undefined && { generateName } };
    const resources = { requests: { cpu: "1" } };
    const containers = [{ name: "c", image: "i", resources }];
    await t.put(t.path("pods/a/resize"), { metadata, spec });
    await t.put(t.path("pods/a/resize"), { metadata, spec: { containers } });
    const more = [...spec.containers, { name: "d", image: "i" }];
    await t.put(t.path("pods/a/resize"), { metadata, spec: { containers: more } });
    await t.get(t.path("pods/a"));
  });
}

conformance("the scale of a deployment is read", async (t) => {
  await t.post(t.path("deployments", APPS), workload(3));
  const { body } = await t.get(t.path("deployments/a/scale", APPS));
  assert.equal(body.kind, "Scale");
  assert.equal(body.status.selector, "app=a");
});

conformance("the scale of each kind that has one is written", async (t) => {
  for (const plural of ["deployments", "replicasets", "statefulsets"]) {
    await t.post(t.path(plural, APPS), workload(1));
    const { body } = await t.get(t.path(`${plural}/a/scale`, APPS));
    const written = await t.put(t.path(`${plural}/a/scale`, APPS), {
      ...body,
      spec: { replicas: 0 },
    });
    assert.equal(written.body.spec.replicas, undefined);
    const { body: parent } = await t.get(t.path(`${plural}/a`, APPS));
    assert.equal(parent.spec.replicas, 0);
    assert.equal(parent.metadata.generation, 2);
  }
});

conformance("a replication controller is scaled", async (t) => {
  await t.post(t.path("replicationcontrollers"), {
    metadata: { name: "a" },
    spec: { replicas: 1, template },
  });
  const { body } = await t.patch("merge", t.path("replicationcontrollers/a/scale"), {
    spec: { replicas: 4 },
  });
  assert.equal(body.spec.replicas, 4);
  assert.equal(body.status.selector, "app=a");
});

conformance("a selector of expressions is a text in the scale", async (t) => {
  await t.post(t.path("replicasets", APPS), {
    metadata: { name: "a" },
    spec: {
      selector: {
        matchLabels: { z: "1", app: "a" },
        matchExpressions: [
          { key: "tier", operator: "In", values: ["y", "x"] },
          { key: "gone", operator: "DoesNotExist" },
          { key: "here", operator: "Exists" },
          { key: "not", operator: "NotIn", values: ["q"] },
        ],
      },
      template: {
        ...template,
        metadata: { labels: { z: "1", app: "a", tier: "x", here: "" } },
      },
    },
  });
  const { code } = await t.get(t.path("replicasets/a/scale", APPS));
  assert.equal(code, 200);
});

conformance("replicas below zero are refused", async (t) => {
  await t.post(t.path("deployments", APPS), workload(1));
  const { code } = await t.patch("merge", t.path("deployments/a/scale", APPS), {
    spec: { replicas: -1 },
  });
  assert.equal(code, 422);
});

conformance("a scale of another version is a conflict", async (t) => {
  await t.post(t.path("deployments", APPS), workload(1));
  const { body } = await t.get(t.path("deployments/a/scale", APPS));
  await t.patch("merge", t.path("deployments/a", APPS), { metadata: { labels: { x: "y" } } });
  const { code } = await t.put(t.path("deployments/a/scale", APPS), {
    ...body,
    spec: { replicas: 2 },
  });
  assert.equal(code, 409);
});

conformance("a scale of another UID is a conflict", async (t) => {
  await t.post(t.path("deployments", APPS), workload(1));
  const { code } = await t.put(t.path("deployments/a/scale", APPS), {
    metadata: {
      name: "a",
      namespace: t.namespace,
      uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000",
    },
    spec: { replicas: 2 },
  });
  assert.equal(code, 409);
});

conformance("a scale without version is written", async (t) => {
  await t.post(t.path("deployments", APPS), workload(1));
  const { body } = await t.put(t.path("deployments/a/scale", APPS), {
    metadata: { name: "a", namespace: t.namespace },
    spec: { replicas: 2 },
  });
  assert.equal(body.spec.replicas, 2);
});

conformance("a JSON patch scales, on trial and in earnest", async (t) => {
  await t.post(t.path("deployments", APPS), workload(1));
  const patch = [{ op: "replace", path: "/spec/replicas", value: 5 }];
  await t.patch("json", t.path("deployments/a/scale?dryRun=All", APPS), patch);
  const { body } = await t.get(t.path("deployments/a/scale", APPS));
  assert.equal(body.spec.replicas, 1);
  await t.patch("json", t.path("deployments/a/scale", APPS), patch);
});

conformance("a scale without version is written to a custom object too", (t) => {
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
  const version = { subresources: { scale } };
  return withKind(t, { schema: ANY, version }, async (kind) => {
    await kind.create({ spec: { size: 2 } }, "", { unrecorded: true });
    const { body } = await t.put(kind.path("/a/scale"), {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a" },
      spec: { replicas: 3 },
    });
    assert.equal(body.spec.replicas, 3);
  });
});

conformance("the manager of the scale owns the replicas", async (t) => {
  t.managedFields = true;
  await t.post(t.path("deployments?fieldManager=maker", APPS), workload(1));
  await t.patch("merge", t.path("deployments/a/scale?fieldManager=scaler", APPS), {
    spec: { replicas: 2 },
  });
  const { body } = await t.get(t.path("deployments/a", APPS));
  assert(JSON.stringify(body.metadata.managedFields).includes("scaler"));
});

conformance("the scale of what is not there", async (t) => {
  await t.get(t.path("deployments/none/scale", APPS));
  const { code } = await t.patch("merge", t.path("deployments/none/scale", APPS), {
    spec: { replicas: 2 },
  });
  assert.equal(code, 404);
  await t.get(t.path("daemonsets/none/scale", APPS));
  await t.delete(t.path("deployments/none/scale", APPS));
});

conformance("a pod is bound to a node", async (t) => {
  await makePod(t);
  const bound = await t.post(t.path("pods/a/binding"), {
    metadata: { name: "a", annotations: { note: "n" }, labels: { more: "l" } },
    target: { kind: "Node", name: "node-1" },
  });
  assert.equal(bound.code, 201);
  const { body } = await t.get(t.path("pods/a"));
  assert.equal(body.spec.nodeName, "node-1");
});

conformance("a pod is bound once", async (t) => {
  await makePod(t, "a", { nodeName: "node-1" });
  const { code } = await t.post(t.path("pods/a/binding"), {
    metadata: { name: "a" },
    target: { name: "node-2" },
  });
  assert.equal(code, 409);
});

conformance("a pod behind a gate is not bound", async (t) => {
  await makePod(t, "a", { schedulingGates: [{ name: "example.com/gate" }] });
  const { code } = await t.post(t.path("pods/a/binding"), {
    metadata: { name: "a" },
    target: { name: "node-1" },
  });
  assert.equal(code, 409);
});

conformance("a pod that is going is not bound", async (t) => {
  await t.post(t.path("pods"), {
    metadata: { name: "a", finalizers: ["example.com/hold"] },
    spec: template.spec,
  });
  await t.delete(t.path("pods/a"));
  const { code } = await t.post(t.path("pods/a/binding"), {
    metadata: { name: "a" },
    target: { name: "node-1" },
  });
  assert.equal(code, 409);
});

conformance("a binding names its pod and a node", async (t) => {
  await makePod(t);
  const bindings = [
    { metadata: { name: "b" }, target: { name: "node-1" } },
    { metadata: { name: "a" }, target: {} },
    { metadata: { name: "a" }, target: { kind: "Pod", name: "node-1" } },
    { metadata: { name: "a", uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000" }, target: { name: "n" } },
    { target: { name: "node-1" } },
  ];
  for (const binding of bindings) await t.post(t.path("pods/a/binding"), binding);
  const { code } = await t.post(t.path("pods/none/binding"), {
    metadata: { name: "none" },
    target: { name: "node-1" },
  });
  assert.equal(code, 404);
});

conformance("a binding is created on its own", async (t) => {
  await makePod(t);
  await t.post(t.path("bindings?dryRun=All"), {
    metadata: { name: "a" },
    target: { name: "node-1" },
  });
  const { code } = await t.post(t.path("bindings"), {
    metadata: { name: "a" },
    target: { name: "node-1" },
  });
  assert.equal(code, 201);
  await t.get(t.path("pods/a"));
  await t.get(t.path("bindings"));
});

conformance("a pod that waits is evicted whatever its budget", async (t) => {
  await makePod(t);
  await makeBudget(t, {});
  const { code, body } = await evict(t);
  assert.equal(code, 201);
  assert.equal(body.status, "Success");
  await t.get(t.path("pods/a"));
});

conformance("a pod without budget is evicted", async (t) => {
  await makeRunningPod(t, true);
  const { code } = await evict(t);
  assert.equal(code, 201);
});

conformance("a budget without room refuses, and says why", async (t) => {
  await makeRunningPod(t, true);
  await makeBudget(t, {});
  const { code, body } = await evict(t);
  assert.equal(code, 429);
  assert.equal(body.reason, "TooManyRequests");
});

conformance("a budget with healthy pods to spare and no room says so", async (t) => {
  await makeRunningPod(t, true);
  await makeBudget(t, { currentHealthy: 3 });
  await evict(t);
  await t.patch("merge", t.path("poddisruptionbudgets/b/status", POLICY), {
    status: {
      conditions: [{
        type: "DisruptionAllowed",
        status: "False",
        reason: "SyncFailed",
        message: "no controllers",
        lastTransitionTime: "2026-01-02T03:04:05Z",
      }],
    },
  });
  const { code } = await evict(t);
  assert.equal(code, 429);
});

conformance("a budget that its controller has not seen refuses for a while", async (t) => {
  await makeRunningPod(t, true);
  await makeBudget(t, { observedGeneration: 0, disruptionsAllowed: 1 });
  const { code, headers } = await evict(t);
  assert.equal(code, 429);
  assert.equal(headers.get("retry-after"), "10");
});

conformance("a budget with room counts the eviction", async (t) => {
  await makeRunningPod(t, true);
  await makeBudget(t, { disruptionsAllowed: 2 });
  await evict(t, {}, "?dryRun=All");
  await evict(t, { deleteOptions: { dryRun: ["All"] } });
  const { code } = await evict(t);
  assert.equal(code, 201);
  const { body } = await t.get(t.path("poddisruptionbudgets/b", POLICY));
  assert.equal(body.status.disruptionsAllowed, 1);
  assert.deepEqual(Object.keys(body.status.disruptedPods), ["a"]);
});

conformance("two budgets are too many", async (t) => {
  await makeRunningPod(t, true);
  await makeBudget(t, { disruptionsAllowed: 2 });
  await makeBudget(t, { disruptionsAllowed: 2 }, {}, "c");
  await evict(t);
  const { code } = await t.get(t.path("pods/a"));
  assert.equal(code, 200);
});

conformance("a pod that is not ready is evicted where the healthy ones suffice", async (t) => {
  await makeRunningPod(t, false);
  await makeBudget(t, { currentHealthy: 0 });
  const refused = await evict(t);
  assert.equal(refused.code, 429);
  await t.patch("merge", t.path("poddisruptionbudgets/b/status", POLICY), {
    status: { currentHealthy: 1 },
  });
  const { code } = await evict(t);
  assert.equal(code, 201);
});

conformance("a pod that is not ready is evicted where the policy always allows", async (t) => {
  await makeRunningPod(t, false);
  await makeBudget(t, { currentHealthy: 0 }, { unhealthyPodEvictionPolicy: "AlwaysAllow" });
  const { code } = await evict(t);
  assert.equal(code, 201);
});

conformance("an evicted pod that stays says why it goes", async (t) => {
  await t.post(t.path("pods"), {
    metadata: { name: "a", finalizers: ["example.com/hold"] },
    spec: template.spec,
  });
  await evict(t);
  const { body } = await t.get(t.path("pods/a"));
  assert.equal(body.status.conditions.at(-1).type, "DisruptionTarget");
});

conformance("an eviction has preconditions", async (t) => {
  await makeRunningPod(t, true);
  const uid = "0c8ae8a1-9d3a-4a9b-8f0e-000000000000";
  await evict(t, { deleteOptions: { preconditions: { uid } } });
  const { code } = await evict(t, { deleteOptions: { preconditions: { resourceVersion: "1" } } });
  assert.equal(code, 409);
});

conformance("an eviction is of the pod of its path", async (t) => {
  await makePod(t);
  await evict(t, { metadata: { name: "b" } });
  await evict(t, { metadata: {} });
  const { code } = await t.post(t.path("pods/none/eviction"), {
    apiVersion: POLICY,
    kind: "Eviction",
    metadata: { name: "none" },
  });
  assert.equal(code, 404);
  await t.get(t.path("pods/a/eviction"));
});

conformance("an eviction may name the version that is no longer served", async (t) => {
  const apiVersion = "policy/v1beta1";
  await makeRunningPod(t, true);
  await makeBudget(t, { disruptionsAllowed: 1 });
  await evict(t, { apiVersion, spec: {} }, "?fieldValidation=Strict");
  for (const other of ["policy/v1beta2", "policy/v2", "v1", "apps/v1"]) {
    await evict(t, { apiVersion: other });
  }
  await evict(t, { apiVersion, metadata: { name: "b" } });
  await evict(t, { apiVersion, deleteOptions: { dryRun: ["All"] } });
  const { code } = await evict(t, { apiVersion });
  assert.equal(code, 201);
  await t.post(t.path("pods/none/eviction"), {
    apiVersion,
    kind: "Eviction",
    metadata: { name: "none" },
  });
  await t.get(t.path("poddisruptionbudgets/b", POLICY));
});

conformance("an eviction in protobuf may name the version that is no longer served", async (t) => {
  await makePod(t);
  const kind = { apiVersion: "policy/v1beta1", kind: "Eviction" };
  const body = encodeProtobuf({ ...kind, metadata: { name: "a" } });
  const type = "application/vnd.kubernetes.protobuf";
  const { code } = await t.post(t.path("pods/a/eviction"), body, { type });
  assert.equal(code, 201);
});

conformance("a token is issued for a service account", async (t) => {
  t.mask(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>");
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  const { code, body } = await t.post(t.path("serviceaccounts/a/token"), {
    spec: { audiences: ["example.com"], expirationSeconds: 600 },
  });
  assert.equal(code, 201);
  const [, claims] = body.status.token.split(".");
  const { aud, sub } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  assert.deepEqual(aud, ["example.com"]);
  assert.equal(sub, `system:serviceaccount:${t.namespace}:a`);
});

conformance("a token has an audience and an hour unless told", async (t) => {
  t.mask(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>");
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  const { body } = await t.post(t.path("serviceaccounts/a/token"), {});
  assert.equal(body.spec.expirationSeconds, 3600);
  assert.equal(body.spec.audiences.length, 1);
});

conformance("a token lives ten minutes at least", async (t) => {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  for (const expirationSeconds of [599, 2 ** 32 + 1]) {
    const { code } = await t.post(t.path("serviceaccounts/a/token"), {
      spec: { expirationSeconds },
    });
    assert.equal(code, 422);
  }
});

conformance("a token is bound to what is there", async (t) => {
  t.mask(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>");
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  await t.post(t.path("secrets"), { metadata: { name: "s" } });
  await makePod(t, "other");
  await makePod(t, "own", { serviceAccountName: "a" });
  const refs = [
    { apiVersion: "v1", kind: "Pod", name: "none" },
    { apiVersion: "v1", kind: "Pod", name: "other" },
    { apiVersion: "v1", kind: "Pod", name: "own" },
    { apiVersion: "v1", kind: "Secret", name: "s" },
    { apiVersion: "v1", kind: "Secret", name: "s", uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000" },
    { apiVersion: "v1", kind: "ConfigMap", name: "s" },
  ];
  for (const boundObjectRef of refs) {
    await t.post(t.path("serviceaccounts/a/token"), { spec: { boundObjectRef } });
  }
});

conformance("a token names the account of its path", async (t) => {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  const path = t.path("serviceaccounts/a/token");
  await t.post(path, { metadata: { name: "b" } });
  await t.post(path, { metadata: { uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000" } });
  const { code } = await t.post(t.path("serviceaccounts/none/token"), {});
  assert.equal(code, 404);
});

conformance("the log of a pod without node is empty", async (t) => {
  await makePod(t);
  const { code } = await t.get(t.path("pods/a/log"));
  assert.equal(code, 204);
});

conformance("the log of a container that is not there", async (t) => {
  await makePod(t, "a", {
    containers: [{ name: "c", image: "i" }, { name: "d", image: "i" }],
    initContainers: [{ name: "e", image: "i" }],
  });
  await t.get(t.path("pods/a/log"));
  await t.get(t.path("pods/a/log?container=x"));
  const { code } = await t.get(t.path("pods/none/log"));
  assert.equal(code, 404);
});

conformance("options of a log are checked", async (t) => {
  await makePod(t);
  const queries = [
    "tailLines=-1",
    "limitBytes=0",
    "sinceSeconds=0",
    "sinceSeconds=1&sinceTime=2026-01-02T03:04:05Z",
    "stream=Other",
    "stream=Stdout&tailLines=1",
  ];
  for (const query of queries) {
    const { code } = await t.get(t.path(`pods/a/log?${query}`));
    assert.equal(code, 422);
  }
});

conformance("the log of a pod on a node that is not there", async (t) => {
  await makePod(t, "a", { nodeName: t.unique("node") });
  const { code } = await t.get(t.path("pods/a/log"));
  assert.equal(code, 404);
});

conformance("nothing is executed in a pod without node", async (t) => {
  await makePod(t);
  await t.post(t.path("pods/a/exec?command=ls&stdout=true"), undefined);
  await t.post(t.path("pods/a/attach?stdout=true"), undefined);
  const { code } = await t.post(t.path("pods/a/portforward?ports=80"), undefined);
  assert.equal(code, 400);
  await t.post(t.path("pods/a/exec?command=ls&stdout=true&container=x"), undefined);
});

conformance("a proxy leads nowhere without addresses", async (t) => {
  await makePod(t);
  await t.get(t.path("pods/a/proxy/"));
  await t.get(t.path("services/none/proxy/"));
  const { code } = await t.get(`/api/v1/nodes/${t.unique("node")}/proxy/`);
  assert.equal(code, 404);
});
