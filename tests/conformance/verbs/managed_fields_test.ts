import assert from "node:assert/strict";
import { specSchema, withKind } from "../custom_resources/custom_kind.ts";
import { configMap, createDeployment, deployment, deployments, owners } from "./patch_fixtures.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

/** Merges into the ConfigMap `a` as `manager`. */
function merge(t: Target, manager: string, patch: unknown, subpath = ""): Promise<Answer> {
  return t.patch("merge", t.path(`configmaps/a${subpath}?fieldManager=${manager}`), patch);
}

for (
  const [kind, path, apiVersion, body] of [
    ["ConfigMap", "configmaps", "v1", {
      metadata: {
        labels: { a: "b" },
        annotations: { c: "d" },
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }],
      },
      data: { x: "1" },
      binaryData: { y: "AA==" },
      immutable: false,
    }],
    ["Secret", "secrets", "v1", { data: { a: "QQ==" }, stringData: { b: "c" } }],
    ["Service", "services", "v1", {
      spec: { ports: [{ name: "a", port: 80 }, { name: "b", port: 81 }], selector: { a: "b" } },
    }],
    [
      "Deployment",
      "deployments",
      "apps/v1",
      deployment("o", {
        ports: [{ containerPort: 443 }, { containerPort: 80 }],
        env: [{ name: "A", value: "1" }],
        args: ["x"],
        resources: { limits: { cpu: "1" } },
      }),
    ],
    ["StatefulSet", "statefulsets", "apps/v1", {
      spec: {
        serviceName: "s",
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
        volumeClaimTemplates: [{
          metadata: { name: "v" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        }],
      },
    }],
    ["Lease", "leases", "coordination.k8s.io/v1", {
      spec: { holderIdentity: "x", renewTime: "2024-01-01T00:00:00.000000Z" },
    }],
    ["Event", "events", "v1", {
      involvedObject: { kind: "Pod", name: "x" },
      reason: "R",
      message: "m",
      type: "Normal",
    }],
    ["Role", "roles", "rbac.authorization.k8s.io/v1", {
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }],
    ["RoleBinding", "rolebindings", "rbac.authorization.k8s.io/v1", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "x" },
      subjects: [{ kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" }],
    }],
    ["ServiceAccount", "serviceaccounts", "v1", { imagePullSecrets: [{ name: "s" }] }],
    ["NetworkPolicy", "networkpolicies", "networking.k8s.io/v1", {
      spec: { podSelector: {}, ingress: [{}] },
    }],
    ["PodTemplate", "podtemplates", "v1", {
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    }],
  ] as const
) {
  conformance(`the creator of a ${kind} owns what it set and what was defaulted`, async (t) => {
    t.managedFields = true;
    const fields = body as { readonly metadata?: object };
    const metadata = { ...fields.metadata, name: "o" };
    // An event says where the object that it is about is.
    const about = kind === "Event"
      ? { involvedObject: { kind: "Pod", name: "x", namespace: t.namespace } }
      : {};
    const { code } = await t.post(t.path(`${path}?fieldManager=creator`, apiVersion), {
      ...fields,
      ...about,
      metadata,
    });
    assert.equal(code, 201);
    if (kind === "Deployment" || kind === "StatefulSet") return;
    const labels = { metadata: { labels: { later: "1" } } };
    await t.patch("merge", t.path(`${path}/o?fieldManager=labeller`, apiVersion), labels);
  });
}

conformance("the manager is the beginning of the User-Agent", async (t) => {
  t.managedFields = true;
  const headers = { "User-Agent": "my-tool/v1.2 (linux)" };
  const body = { metadata: { name: "a" }, data: { x: "1" } };
  const created = await t.post(t.path("configmaps"), body, { headers });
  assert.deepEqual(owners(created.body), ["my-tool Update"]);
});

conformance("a patch by another manager takes what it changes", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1", y: "1" });
  await merge(t, "second", { data: { x: "2" } });
  await merge(t, "third", { data: { y: "1" }, metadata: { labels: { a: "b" } } });
});

conformance("what changes nothing keeps times and owners", async (t) => {
  t.managedFields = true;
  const created = await configMap(t, "a", { x: "1" });
  const { body } = await merge(t, "second", { data: { x: "1" } });
  assert.deepEqual(body, created.body);
});

conformance("what is removed is nobody's", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1", y: "1" });
  await merge(t, "second", { data: { x: null } });
  await merge(t, "second", { data: null });
});

conformance("entries of one manager are merged", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  for (const key of ["p", "q", "r"]) await merge(t, "second", { data: { [key]: "1" } });
  const { body } = await t.get(t.path("configmaps/a"));
  assert.deepEqual(owners(body), ["creator Update", "second Update"]);
});

conformance("a PUT owns what it changes", async (t) => {
  t.managedFields = true;
  const { body } = await configMap(t, "a", { x: "1", y: "1" });
  await t.put(t.path("configmaps/a?fieldManager=putter"), {
    ...body,
    data: { x: "2", z: "1" },
  });
});

conformance("a PUT without managedFields keeps the managers", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  const { body } = await t.put(t.path("configmaps/a?fieldManager=putter"), {
    metadata: { name: "a" },
    data: { x: "1", y: "2" },
  });
  assert.deepEqual(owners(body), ["creator Update", "putter Update"]);
});

conformance("an empty list of managers resets them", async (t) => {
  t.managedFields = true;
  const { body } = await configMap(t, "a", { x: "1" });
  const reset = { ...body, metadata: { ...body.metadata, managedFields: [] } };
  const answer = await t.put(t.path("configmaps/a?fieldManager=putter"), reset);
  assert.deepEqual(owners(answer.body), []);
  await merge(t, "second", { data: { y: "1" } });
});

conformance("one empty manager resets them", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  const answer = await merge(t, "second", { metadata: { managedFields: [{}] } });
  assert.deepEqual(owners(answer.body), []);
});

conformance("a JSON patch removes one manager", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  await merge(t, "second", { data: { y: "1" } });
  const path = t.path("configmaps/a?fieldManager=third");
  await t.patch("json", path, [{ op: "replace", path: "/metadata/managedFields", value: [{}] }]);
});

conformance("a client may say who owns what", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  await merge(t, "second", {
    metadata: {
      managedFields: [{
        manager: "somebody",
        operation: "Apply",
        apiVersion: "v1",
        time: "2024-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:x": {} } },
      }],
    },
  });
});

conformance("elements of managedFields are put in order", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1" });
  await merge(t, "second", {
    metadata: {
      managedFields: [{
        manager: "somebody",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "x:unknown": {},
          "f:metadata": { "f:labels": { "f:b": {}, ".": {} } },
          "f:data": { "f:y": {}, "f:x": {} },
        },
      }],
    },
  });
});

for (
  const [what, entry] of [
    ["an unknown operation", { operation: "Bogus" }],
    ["no apiVersion", { apiVersion: "" }],
    ["an unknown type of fields", { fieldsType: "FieldsV2" }],
    ["a path without a colon", { fieldsV1: { bogus: {} } }],
    ["a key that is no JSON", { fieldsV1: { "k:{": {} } }],
    ["a version that is not served", { apiVersion: "v9" }],
    ["a version of another group", { apiVersion: "apps/v1" }],
  ] as const
) {
  conformance(`a manager with ${what}`, async (t) => {
    t.managedFields = true;
    await configMap(t, "a", { x: "1" });
    await merge(t, "second", {
      data: { y: "1" },
      metadata: {
        managedFields: [{
          manager: "somebody",
          operation: "Update",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:x": {} } },
          ...entry,
        }],
      },
    });
  });
}

conformance("managedFields of a new object count", async (t) => {
  t.managedFields = true;
  const managedFields = [{
    manager: "somebody",
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:x": {} } },
  }];
  await t.post(t.path("configmaps?fieldManager=creator"), {
    metadata: { name: "a", managedFields },
    data: { x: "1", y: "2" },
  });
});

conformance("more than ten updaters become ancient changes", async (t) => {
  t.managedFields = true;
  const indices = Array.from({ length: 10 }, (_, index) => index);
  await configMap(t, "a", Object.fromEntries(indices.map((index) => [`k${index}`, "1"])));
  // The times are given, so that who is oldest does not depend on when the case runs.
  const entry = (index: number) => ({
    manager: `m${index}`,
    operation: "Update",
    apiVersion: "v1",
    time: `2024-01-01T00:00:${10 + index}Z`,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { [`f:k${index}`]: {} } },
  });
  await merge(t, "y", { metadata: { managedFields: indices.map(entry) } });
  const { body } = await merge(t, "z", { data: { last: "1" } });
  assert.ok(owners(body).includes("ancient-changes Update"), JSON.stringify(owners(body)));
});

conformance("a writer of the status owns the status alone", async (t) => {
  t.managedFields = true;
  await createDeployment(t, "d");
  await t.patch("merge", deployments(t, "/d/status?fieldManager=controller"), {
    metadata: { labels: { a: "b" }, annotations: { c: "d" } },
    spec: { replicas: 9 },
    status: { replicas: 2, conditions: [{ type: "Available", status: "True" }] },
  });
});

conformance("a status that is posted is not owned", async (t) => {
  t.managedFields = true;
  const body = { ...deployment("d") as object, status: { replicas: 3 } };
  await t.post(deployments(t, "?fieldManager=creator"), body);
  await t.patch("merge", deployments(t, "/d?fieldManager=second"), { status: { replicas: 4 } });
});

conformance("the writer of a pod's status", async (t) => {
  t.managedFields = true;
  await t.post(t.path("pods?fieldManager=creator"), {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await t.patch("strategic", t.path("pods/p/status?fieldManager=kubelet"), {
    status: {
      phase: "Running",
      podIPs: [{ ip: "10.1.2.3" }],
      conditions: [{ type: "Ready", status: "True", lastProbeTime: null }],
    },
  });
});

conformance("a deleted item of a list is nobody's", async (t) => {
  t.managedFields = true;
  await createDeployment(t, "d", { ports: [{ containerPort: 80 }, { containerPort: 81 }] });
  await t.patch("strategic", deployments(t, "/d?fieldManager=second"), {
    spec: {
      template: {
        spec: {
          containers: [
            { name: "c", ports: [{ containerPort: 80, $patch: "delete" }] },
            { name: "e", image: "x" },
          ],
        },
      },
    },
  });
});

conformance("repeated items of a list are owned together", async (t) => {
  t.managedFields = true;
  const env = [{ name: "A", value: "1" }, { name: "A", value: "2" }, { name: "B", value: "3" }];
  await createDeployment(t, "d", { env });
  await t.patch("json", deployments(t, "/d?fieldManager=second"), [
    { op: "remove", path: "/spec/template/spec/containers/0/env/1" },
  ]);
});

conformance("a finalizer is owned by its value", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", {}, { finalizers: ["example.com/a"] });
  await merge(t, "second", { metadata: { finalizers: ["example.com/a", "example.com/b"] } });
  await merge(t, "third", { metadata: { finalizers: null } });
});

conformance("scaling gives replicas to the scaler", async (t) => {
  t.managedFields = true;
  await createDeployment(t, "d");
  const scale = deployments(t, "/d/scale?fieldManager=scaler");
  await t.patch("merge", scale, { spec: { replicas: 3 } });
  await t.get(deployments(t, "/d"));
  await t.patch("merge", scale, { spec: { replicas: 4 } });
  await t.get(deployments(t, "/d"));
});

conformance("an applier of a scale conflicts with the applier of the object", async (t) => {
  t.managedFields = true;
  await t.patch("apply", deployments(t, "/d?fieldManager=m"), {
    apiVersion: "apps/v1",
    kind: "Deployment",
    ...deployment("d") as object,
    spec: { ...(deployment("d") as { spec: object }).spec, replicas: 2 },
  });
  const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "d" } };
  const path = deployments(t, "/d/scale?fieldManager=scaler");
  const refused = await t.patch("apply", path, { ...scale, spec: { replicas: 3 } });
  assert.equal(refused.code, 409);
  await t.patch("apply", `${path}&force=true`, { ...scale, spec: { replicas: 3 } });
  await t.get(deployments(t, "/d"));
});

conformance("the creator of a custom resource owns its spec as well", async (t) => {
  t.managedFields = true;
  const schema = specSchema({
    size: { type: "integer", default: 3 },
    list: { type: "array", items: { type: "string" } },
    nested: { type: "object", properties: { a: { type: "string" } } },
  });
  await withKind(t, { schema }, async (kind) => {
    await kind.create({
      metadata: { labels: { a: "b" } },
      spec: { list: ["x"], nested: { a: "1" } },
    }, "?fieldManager=creator");
    const patch = (manager: string, spec: unknown) =>
      t.patch("merge", kind.path(`/a?fieldManager=${manager}`), { spec });
    await patch("second", { nested: { a: "2" }, list: [] });
    await patch("third", { nested: null });
  });
});

conformance("managers in two versions of a custom resource", async (t) => {
  t.managedFields = true;
  const schema = {
    openAPIV3Schema: specSchema({ size: { type: "integer" }, color: { type: "string" } }),
  };
  const versions = [
    { name: "v1", served: true, storage: true, schema },
    { name: "v2", served: true, storage: false, schema },
  ];
  await withKind(t, { versions }, async (kind) => {
    await kind.waitUntilServed("v2");
    await kind.create({ spec: { size: 1, color: "red" } }, "?fieldManager=creator");
    const path = (manager: string) => kind.path(`/a?fieldManager=${manager}`, "v2");
    await t.patch("merge", path("second"), { spec: { size: 2 } });
    const applied = await t.patch(
      "apply",
      path("third"),
      kind.object({ spec: { color: "blue" } }, "v2"),
    );
    assert.equal(applied.code, 409);
  });
});

conformance("managers in two versions of a HorizontalPodAutoscaler", async (t) => {
  t.managedFields = true;
  const path = (version: string, manager: string, name = "") =>
    t.path(`horizontalpodautoscalers${name}?fieldManager=${manager}`, `autoscaling/${version}`);
  await t.post(path("v2", "creator"), {
    metadata: { name: "h" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      }],
    },
  });
  await t.patch("merge", path("v1", "second", "/h"), { spec: { maxReplicas: 5 } });
  await t.patch("merge", path("v2", "third", "/h"), { spec: { minReplicas: 2 } });
  const applied = await t.patch("apply", path("v1", "fourth", "/h"), {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "h" },
    spec: { maxReplicas: 7 },
  });
  assert.equal(applied.code, 409);
});

conformance("managers of an event in both its groups", async (t) => {
  t.managedFields = true;
  await t.post(t.path("events?fieldManager=creator"), {
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "x", namespace: t.namespace },
    reason: "R",
    message: "m",
    type: "Normal",
    count: 1,
  });
  const path = t.path("events/e?fieldManager=second", "events.k8s.io/v1");
  await t.patch("merge", path, { metadata: { labels: { a: "b" } } });
  await t.patch("merge", t.path("events/e?fieldManager=third"), { count: 2 });
});

conformance("the writer of ephemeral containers owns them alone", async (t) => {
  t.managedFields = true;
  await t.post(t.path("pods?fieldManager=creator"), {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  const path = t.path("pods/p/ephemeralcontainers?fieldManager=debugger");
  const { code } = await t.patch("strategic", path, {
    metadata: { labels: { a: "b" } },
    spec: { ephemeralContainers: [{ name: "debug", image: "d" }] },
  });
  assert.equal(code, 200);
});

conformance("the writer of a pod's size owns the resources alone", async (t) => {
  t.managedFields = true;
  const resources = { requests: { cpu: "1" } };
  await t.post(t.path("pods?fieldManager=creator"), {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i", resources }] },
  });
  const path = t.path("pods/p/resize?fieldManager=resizer");
  await t.patch("strategic", path, {
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] },
  });
  await t.patch("apply", t.path("pods/p/resize?fieldManager=applier&force=true"), {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "3" } } }] },
  });
});
