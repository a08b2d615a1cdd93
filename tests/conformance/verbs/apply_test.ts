import assert from "node:assert/strict";
import { specSchema, withKind } from "../custom_resources/custom_kind.ts";
import { configMap, createDeployment, deployments, owners } from "./patch_fixtures.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

/** Applies a ConfigMap. */
function apply(
  t: Target,
  manager: string,
  data: Record<string, string | null> | undefined,
  query = "",
  metadata: Record<string, unknown> = {},
): Promise<Answer> {
  return t.patch("apply", t.path(`configmaps/a?fieldManager=${manager}${query}`), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", ...metadata },
    ...(data && { data }),
  });
}

/** Applies a Deployment; `spec` beside what it must have. */
function applyDeployment(
  t: Target,
  manager: string,
  spec: Record<string, unknown>,
  query = "",
): Promise<Answer> {
  return t.patch("apply", deployments(t, `/d?fieldManager=${manager}${query}`), {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec,
  });
}

const podTemplate = (containers: unknown[]) => ({
  selector: { matchLabels: { app: "d" } },
  template: { metadata: { labels: { app: "d" } }, spec: { containers } },
});

conformance("apply creates an object", async (t) => {
  t.managedFields = true;
  const { code, body } = await apply(t, "m", { x: "1" });
  assert.equal(code, 201);
  assert.equal(body.metadata.managedFields[0].operation, "Apply");
});

conformance(
  "an object that is applied first has no metadata of the server's from its client",
  async (t) => {
    t.managedFields = true;
    const { code, body } = await t.patch("apply", t.path("configmaps/a?fieldManager=m"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        deletionGracePeriodSeconds: 5,
        deletionTimestamp: "2020-01-01T00:00:00Z",
        selfLink: "/a",
      },
    });
    assert.equal(code, 201);
    assert.equal(body.metadata.deletionTimestamp, undefined);
  },
);

conformance("apply of YAML creates a Deployment", async (t) => {
  t.managedFields = true;
  const yaml = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec:
      containers:
      - name: c
        image: i
        ports:
        - containerPort: 80
`;
  const { code } = await t.patch("apply", deployments(t, "/d?fieldManager=m"), yaml);
  assert.equal(code, 201);
});

conformance("apply again changes nothing", async (t) => {
  t.managedFields = true;
  const first = await apply(t, "m", { x: "1" });
  const second = await apply(t, "m", { x: "1" });
  assert.equal(second.code, 200);
  assert.equal(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
});

conformance("apply of a Deployment again changes nothing", async (t) => {
  t.managedFields = true;
  const spec = podTemplate([{ name: "c", image: "i", resources: { limits: { cpu: "1000m" } } }]);
  await applyDeployment(t, "m", spec);
  assert.equal((await applyDeployment(t, "m", spec)).code, 200);
});

conformance("what is not applied any more goes", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1", y: "2" });
  const { body } = await apply(t, "m", { x: "1" });
  assert.deepEqual(body.data, { x: "1" });
});

conformance("the last field of a map goes with the map", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1" });
  const { body } = await apply(t, "m", undefined);
  assert.equal(body.data, undefined);
});

conformance("what another applier owns stays", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1", y: "2" });
  await apply(t, "other", { y: "2" });
  const { body } = await apply(t, "m", { x: "1" });
  assert.deepEqual(body.data, { x: "1", y: "2" });
});

conformance("a value that another applier has conflicts", async (t) => {
  await apply(t, "m", { x: "1" });
  const { code, body } = await apply(t, "other", { x: "2" });
  assert.equal(code, 409);
  assert.equal(body.details.causes[0].reason, "FieldManagerConflict");
});

conformance("several conflicts with one manager", async (t) => {
  await apply(t, "m", { x: "1", y: "1", z: "1" });
  const { code, body } = await apply(t, "other", { x: "2", y: "2", z: "1" });
  assert.equal(code, 409);
  assert.equal(body.details.causes.length, 2);
});

conformance("a value that an updater has conflicts", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { code, body } = await apply(t, "m", { x: "2" });
  assert.equal(code, 409);
  assert.match(body.message, /"creator" using v1/);
});

conformance("force takes what others have", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1", y: "1" });
  const { code } = await apply(t, "other", { x: "2" }, "&force=true");
  assert.equal(code, 200);
});

conformance("force takes what an updater has", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1", y: "1" });
  const { code } = await apply(t, "m", { x: "2", z: "3" }, "&force=true");
  assert.equal(code, 200);
});

conformance("the same value is owned by both", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1" });
  const { body } = await apply(t, "other", { x: "1" });
  assert.equal(body.metadata.managedFields.length, 2);
});

conformance("an applier gives up what it shares", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1", y: "1" });
  await apply(t, "other", { x: "1", z: "1" });
  const { body } = await apply(t, "other", { z: "1" });
  assert.equal(body.data.x, "1");
});

conformance("what an updater added stays", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1" });
  await t.patch("merge", t.path("configmaps/a?fieldManager=u"), { data: { y: "2" } });
  const { body } = await apply(t, "m", { z: "3" });
  assert.deepEqual(body.data, { y: "2", z: "3" });
});

conformance("an update takes ownership from an applier", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1", y: "1" });
  await t.patch("merge", t.path("configmaps/a?fieldManager=u"), { data: { x: "2" } });
  const { code } = await apply(t, "m", { x: "1", y: "1" });
  assert.equal(code, 409);
});

conformance("apply of null owns the field", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1" });
  const { code } = await apply(t, "m", { x: null });
  assert.equal(code, 200);
});

conformance("an empty map is owned as such", async (t) => {
  t.managedFields = true;
  const { code } = await apply(t, "m", {}, "", { labels: {}, annotations: { a: "" } });
  assert.equal(code, 201);
});

conformance("apply merges containers by name and keeps the order", async (t) => {
  t.managedFields = true;
  await applyDeployment(
    t,
    "m",
    podTemplate([{ name: "a", image: "1" }, { name: "b", image: "1" }]),
  );
  const { body } = await applyDeployment(t, "other", {
    template: { spec: { containers: [{ name: "z", image: "1" }, { name: "b", tty: true }] } },
  });
  const names = body.spec.template.spec.containers.map(({ name }: { name: string }) => name);
  assert.deepEqual([...names].sort(), ["a", "b", "z"]);
});

conformance("apply reorders what it names", async (t) => {
  const spec = (names: string[]) => podTemplate(names.map((name) => ({ name, image: "i" })));
  await applyDeployment(t, "m", spec(["a", "b", "c"]));
  const { body } = await applyDeployment(t, "m", spec(["c", "new", "a", "b"]));
  const names = body.spec.template.spec.containers.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["c", "new", "a", "b"]);
});

conformance("a container that is not applied any more goes", async (t) => {
  t.managedFields = true;
  await applyDeployment(
    t,
    "m",
    podTemplate([{ name: "a", image: "1" }, { name: "b", image: "1" }]),
  );
  const { body } = await applyDeployment(t, "m", podTemplate([{ name: "b", image: "1" }]));
  assert.equal(body.spec.template.spec.containers.length, 1);
});

conformance("ports are told apart by number and protocol", async (t) => {
  t.managedFields = true;
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }];
  const { code } = await applyDeployment(t, "m", podTemplate([{ name: "a", image: "1", ports }]));
  assert.equal(code, 201);
});

conformance("atomic lists and maps are applied as a whole", async (t) => {
  t.managedFields = true;
  const container = { name: "a", image: "1", args: ["x", "y"] };
  await applyDeployment(t, "m", podTemplate([container]));
  const conflicting = await applyDeployment(t, "other", {
    template: { spec: { containers: [{ name: "a", args: ["z"] }] } },
  });
  assert.equal(conflicting.code, 409);
});

conformance("conflicts name the items of lists", async (t) => {
  const ports = [{ containerPort: 80, name: "x" }];
  await applyDeployment(t, "m", podTemplate([{ name: "a", image: "1", ports }]));
  const { code, body } = await applyDeployment(t, "other", {
    replicas: 1,
    template: {
      spec: {
        containers: [{
          name: "a",
          image: "2",
          ports: [{ containerPort: 80, protocol: "TCP", name: "y" }],
        }],
      },
    },
  });
  assert.equal(code, 409);
  assert.equal(body.details.causes.length, 2);
});

conformance("conflicts in a set name the value", async (t) => {
  t.managedFields = true;
  await apply(t, "m", { x: "1" }, "", { finalizers: ["example.com/a"] });
  await apply(t, "other", undefined, "", { finalizers: ["example.com/b", "example.com/a"] });
  const { body } = await apply(t, "m", { x: "1" });
  assert.deepEqual(body.metadata.finalizers, ["example.com/b", "example.com/a"]);
  await apply(t, "other", undefined);
});

conformance("an applier of replicas conflicts with who scaled by update", async (t) => {
  await applyDeployment(t, "m", { replicas: 1, ...podTemplate([{ name: "a", image: "1" }]) });
  await t.patch("merge", deployments(t, "/d?fieldManager=scaler"), { spec: { replicas: 3 } });
  const { code, body } = await applyDeployment(t, "m", {
    replicas: 1,
    ...podTemplate([{ name: "a", image: "1" }]),
  });
  assert.equal(code, 409);
  assert.match(body.message, /\.spec\.replicas$/);
});

conformance("conflicts with two managers", async (t) => {
  await apply(t, "m1", { x: "1" });
  await apply(t, "m2", { y: "1" });
  const { code, body } = await t.patch(
    "apply",
    t.path("configmaps/a?fieldManager=m3"),
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "2", y: "2" } },
    { unrecorded: true },
  );
  assert.equal(code, 409);
  assert.equal(
    body.message,
    'Apply failed with 2 conflicts: conflicts with "m1":\n- .data.x\nconflicts with "m2":\n- .data.y',
  );
});

for (
  const [what, patch] of [
    ["of another kind", { apiVersion: "v1", kind: "Secret" }],
    ["of another version", { apiVersion: "apps/v1", kind: "ConfigMap" }],
    ["without kind", { apiVersion: "v1" }],
    ["without anything", {}],
    ["without a name", { apiVersion: "v1", kind: "ConfigMap" }],
    ["of another name", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } }],
    [
      "of another namespace",
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "other" } },
    ],
    [
      "with managedFields",
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", managedFields: [] } },
    ],
  ] as const
) {
  conformance(`apply ${what} answers 400`, async (t) => {
    const { code } = await t.patch("apply", t.path("configmaps/a?fieldManager=m"), patch);
    assert.equal(code, 400);
  });
}

for (
  const [what, fields] of [
    ["an unknown field", { foo: 1 }],
    ["a number for a text", { data: { a: 1 } }],
    ["a list for a map", { data: [1] }],
    ["a text for a boolean", { immutable: "yes" }],
    ["a text for an object", { metadata: "x" }],
    ["a number for the name", { metadata: { name: 5 } }],
    ["a repeated item of a set", { metadata: { name: "a", finalizers: ["a.b/c", "a.b/c"] } }],
  ] as const
) {
  conformance(`apply with ${what} answers 500`, async (t) => {
    const { code } = await t.patch("apply", t.path("configmaps/a?fieldManager=m"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
      ...fields,
    });
    assert.equal(code, 500);
  });
}

for (
  const [what, spec] of [
    ["a repeated item", { containers: [{ name: "a" }, { name: "a" }] }],
    ["a null item", { containers: [null] }],
    ["a text as item", { containers: ["a"] }],
    ["an object for a list", { containers: {} }],
    ["a text for a number", { priority: "x" }],
    ["an object for a number", { priority: { a: "b" } }],
    ["an object for a text", { nodeName: { a: [1, "x"] } }],
    ["repeated ports", {
      containers: [{
        name: "a",
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }],
      }],
    }],
  ] as const
) {
  conformance(`apply of a Pod with ${what} answers 500`, async (t) => {
    const { code } = await t.patch("apply", t.path("pods/p?fieldManager=m"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec,
    });
    assert.equal(code, 500);
  });
}

for (
  const [what, body] of [
    ["no YAML", "a: b: c"],
    ["a list", "[]"],
    ["a text", "a"],
    ["a number", "1"],
    ["empty", ""],
  ] as const
) {
  conformance(`apply of a body that is ${what} answers 400`, async (t) => {
    const { code } = await t.patch("apply", t.path("configmaps/a?fieldManager=m"), body);
    assert.equal(code, 400);
  });
}

conformance("apply needs a field manager", async (t) => {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  assert.equal((await t.patch("apply", t.path("configmaps/a"), body)).code, 422);
});

conformance("repeated keys of applied YAML are warned of, or refused", async (t) => {
  const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "1"\n  a: "2"\n';
  const path = t.path("configmaps/a?fieldManager=m&fieldValidation=");
  assert.equal((await t.patch("apply", `${path}Strict`, yaml)).code, 400);
  assert.equal((await t.patch("apply", `${path}Warn`, yaml)).code, 201);
  assert.equal((await t.patch("apply", `${path}Ignore`, yaml)).code, 200);
});

conformance("apply as a dry run stores nothing", async (t) => {
  t.managedFields = true;
  assert.equal((await apply(t, "m", { x: "1" }, "&dryRun=All")).code, 201);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("apply with a uid creates nothing", async (t) => {
  const { code } = await apply(t, "m", { x: "1" }, "", { uid: "x" });
  assert.equal(code, 409);
});

conformance("apply with another resourceVersion conflicts", async (t) => {
  await apply(t, "m", { x: "1" });
  const { code } = await apply(t, "m", { x: "2" }, "", { resourceVersion: "1" });
  assert.equal(code, 409);
});

conformance("apply with a resourceVersion creates an object that is not there", async (t) => {
  const { code } = await apply(t, "m", { x: "1" }, "", { resourceVersion: "1" });
  assert.equal(code, 201);
});

conformance("apply that validation refuses", async (t) => {
  const { code } = await apply(t, "m", { "a b": "1" });
  assert.equal(code, 422);
});

conformance("apply of a status owns the status alone", async (t) => {
  t.managedFields = true;
  await createDeployment(t, "d");
  const { code } = await t.patch("apply", deployments(t, "/d/status?fieldManager=m"), {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d", annotations: { a: "b" } },
    spec: { replicas: 7 },
    status: { replicas: 2, conditions: [{ type: "Available", status: "True" }] },
  });
  assert.equal(code, 200);
});

conformance("apply of an object's own endpoint does not own the status", async (t) => {
  t.managedFields = true;
  const spec = podTemplate([{ name: "a", image: "1" }]);
  const { code } = await t.patch("apply", deployments(t, "/d?fieldManager=m"), {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec,
    status: { replicas: 2 },
  });
  assert.equal(code, 201);
});

conformance("client-side apply is taken over by kubectl without conflicts", async (t) => {
  t.managedFields = true;
  const lastApplied = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", annotations: {} },
    data: { x: "1", y: "1" },
  });
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": lastApplied };
  await t.post(t.path("configmaps?fieldManager=kubectl-client-side-apply"), {
    metadata: { name: "a", annotations },
    data: { x: "1", y: "1" },
  });
  const { code } = await apply(t, "kubectl", { x: "2" });
  assert.equal(code, 200);
  assert.equal((await apply(t, "other", { y: "3" })).code, 409);
});

conformance("what client-side apply did not set conflicts for kubectl", async (t) => {
  const lastApplied = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { x: "1" },
  });
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": lastApplied };
  await t.post(t.path("configmaps?fieldManager=kubectl-client-side-apply"), {
    metadata: { name: "a", annotations },
    data: { x: "1", y: "1" },
  });
  assert.equal((await apply(t, "kubectl", { x: "2", y: "2" })).code, 409);
});

conformance("an object without managers has its fields owned before the first apply", async (t) => {
  t.managedFields = true;
  await configMap(t, "a", { x: "1", y: "1" });
  await t.patch("merge", t.path("configmaps/a"), { metadata: { managedFields: [{}] } });
  const { body } = await apply(t, "m", { x: "1", z: "1" });
  assert.deepEqual(owners(body), ["before-first-apply Update", "m Apply"]);
});

conformance("apply of a custom resource merges by its list types", async (t) => {
  t.managedFields = true;
  const schema = specSchema({
    tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["key"],
        properties: { key: { type: "string" }, value: { type: "integer" } },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["key"],
    },
    whole: { type: "array", items: { type: "string" } },
    atom: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: { type: "string" } },
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    map: { type: "object", additionalProperties: { type: "string" } },
  });
  await withKind(t, { schema }, async (kind) => {
    const apply = (manager: string, spec: unknown) =>
      t.patch("apply", kind.path(`/a?fieldManager=${manager}`), kind.object({ spec }));
    const first = {
      tags: ["a", "b"],
      items: [{ key: "x", value: 1 }],
      whole: ["p"],
      atom: { a: "1" },
      free: { any: { thing: [1, { deep: true }] } },
      map: { k: "v" },
    };
    assert.equal((await apply("m", first)).code, 201);
    const merged = await apply("other", {
      tags: ["c"],
      items: [{ key: "y", value: 2 }],
      free: { other: 1 },
      map: { l: "w" },
    });
    assert.equal(merged.code, 200);
    assert.equal(merged.body.spec.tags.length, 3);
    assert.equal((await apply("other", { whole: ["q"] })).code, 409);
    assert.equal((await apply("other", { unknown: 1 })).code, 500);
    assert.equal((await apply("m", { tags: ["a"] })).code, 200);
  });
});

conformance("a custom resource's status has its own owner", async (t) => {
  t.managedFields = true;
  const { properties } = specSchema({ size: { type: "integer" } });
  const status = { type: "object", properties: { phase: { type: "string" } } };
  const schema = { type: "object", properties: { ...properties as object, status } };
  await withKind(t, { schema, version: { subresources: { status: {} } } }, async (kind) => {
    await kind.create({ spec: { size: 1 }, status: { phase: "x" } }, "?fieldManager=creator");
    await t.patch("merge", kind.path("/a/status?fieldManager=controller"), {
      metadata: { labels: { a: "b" } },
      spec: { size: 2 },
      status: { phase: "Ready" },
    });
    const applied = await t.patch(
      "apply",
      kind.path("/a/status?fieldManager=applier"),
      kind.object({ status: { phase: "Ready" } }),
    );
    assert.deepEqual(owners(applied.body), [
      "applier Apply status",
      "controller Update status",
      "creator Update",
    ]);
  });
});

for (
  const [kind, plural, apiVersion, fields] of [
    ["Secret", "secrets", "v1", { stringData: { a: "b" }, type: "Opaque" }],
    ["Service", "services", "v1", {
      spec: { selector: { a: "b" }, ports: [{ port: 80, name: "a" }, { port: 81, name: "b" }] },
    }],
    ["ServiceAccount", "serviceaccounts", "v1", { imagePullSecrets: [{ name: "s" }] }],
    ["Role", "roles", "rbac.authorization.k8s.io/v1", {
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }],
    ["Lease", "leases", "coordination.k8s.io/v1", {
      spec: { holderIdentity: "x", leaseDurationSeconds: 10 },
    }],
    ["StatefulSet", "statefulsets", "apps/v1", {
      spec: { serviceName: "s", ...podTemplate([{ name: "c", image: "i" }]) },
    }],
    ["DaemonSet", "daemonsets", "apps/v1", {
      spec: podTemplate([{
        name: "c",
        image: "i",
        env: [{ name: "A", value: "1" }],
        ports: [{ containerPort: 80 }],
      }]),
    }],
    ["Job", "jobs", "batch/v1", {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    }],
    ["Ingress", "ingresses", "networking.k8s.io/v1", {
      spec: {
        rules: [{
          host: "a.example.com",
          http: {
            paths: [{
              path: "/",
              pathType: "Prefix",
              backend: { service: { name: "s", port: { number: 80 } } },
            }],
          },
        }],
      },
    }],
    ["PersistentVolumeClaim", "persistentvolumeclaims", "v1", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }],
    ["PodDisruptionBudget", "poddisruptionbudgets", "policy/v1", {
      spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } },
    }],
  ] as const
) {
  conformance(`apply of a ${kind}, and of less of it`, async (t) => {
    t.managedFields = true;
    const path = t.path(`${plural}/o?fieldManager=m`, apiVersion);
    const object = { apiVersion, kind, metadata: { name: "o" } };
    const first = { ...object, metadata: { name: "o", labels: { a: "b" } }, ...fields };
    assert.equal((await t.patch("apply", path, first)).code, 201);
    assert.equal((await t.patch("apply", path, { ...object, ...fields })).code, 200);
    const annotated = { ...object, metadata: { name: "o", annotations: { c: "d" } } };
    const other = t.path(`${plural}/o?fieldManager=other`, apiVersion);
    assert.equal((await t.patch("apply", other, annotated)).code, 200);
  });
}
