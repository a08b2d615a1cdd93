import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url, {
  controllers: [
    "clusterrole-aggregation-controller",
    "garbage-collector-controller",
    "namespace-controller",
  ],
});

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const gone = ({ code }: Answer): boolean => code === 404;

/** Waits until an object is as it should be, then reads it for the record. */
async function settled(
  t: Target,
  path: string,
  enough: (answer: Answer) => boolean = gone,
): Promise<Answer> {
  await until(
    async () => enough(await t.get(path, { unrecorded: true })),
    `that ${path} is as it should be`,
  );
  return await t.get(path);
}

interface Owned {
  readonly block?: boolean;
  readonly finalizers?: string[];
}

/** Creates a ConfigMap with owners. */
async function make(
  t: Target,
  name: string,
  owners: readonly Answer[] = [],
  { block = false, finalizers = [] }: Owned = {},
): Promise<Answer> {
  const ownerReferences = owners.map(({ body }) => ({
    apiVersion: body.apiVersion,
    kind: body.kind,
    name: body.metadata.name,
    uid: body.metadata.uid,
    ...(block && { blockOwnerDeletion: true }),
  }));
  const created = await t.post(t.path("configmaps"), {
    metadata: { name, ownerReferences, finalizers },
  });
  assert.equal(created.code, 201);
  return created;
}

const release = (t: Target, name: string): Promise<Answer> =>
  t.patch("merge", t.path(`configmaps/${name}`), { metadata: { finalizers: null } });

const remove = (t: Target, name: string, propagationPolicy?: string): Promise<Answer> =>
  t.delete(t.path(`configmaps/${name}`), propagationPolicy && { propagationPolicy });

conformance("what nobody owns any more is deleted", async (t) => {
  const owner = await make(t, "owner");
  const child = await make(t, "child", [owner]);
  await make(t, "grandchild", [child]);
  const { body } = await remove(t, "owner");
  assert.equal(body.status, "Success");
  await settled(t, t.path("configmaps/child"));
  await settled(t, t.path("configmaps/grandchild"));
});

conformance("an owner deleted in the foreground waits for those that block it", async (t) => {
  const owner = await make(t, "owner");
  await make(t, "child", [owner], { block: true, finalizers: ["example.com/hold"] });
  const { body } = await remove(t, "owner", "Foreground");
  assert.deepEqual(body.metadata.finalizers, ["foregroundDeletion"]);
  await settled(t, t.path("configmaps/child"), ({ body }) => body.metadata.deletionTimestamp);
  await t.get(t.path("configmaps/owner"));
  await release(t, "child");
  await settled(t, t.path("configmaps/owner"));
});

conformance("an owner deleted in the foreground waits for nobody else", async (t) => {
  const owner = await make(t, "owner");
  await make(t, "child", [owner], { finalizers: ["example.com/hold"] });
  await remove(t, "owner", "Foreground");
  await settled(t, t.path("configmaps/owner"));
  await settled(t, t.path("configmaps/child"), ({ body }) => body.metadata.deletionTimestamp);
});

conformance("a deletion in the foreground goes down the generations", async (t) => {
  const owner = await make(t, "owner");
  const child = await make(t, "child", [owner], { block: true });
  await make(t, "grandchild", [child], { block: true, finalizers: ["example.com/hold"] });
  await remove(t, "owner", "Foreground");
  await settled(t, t.path("configmaps/grandchild"), ({ body }) => body.metadata.deletionTimestamp);
  const { body } = await t.get(t.path("configmaps/child"));
  assert.deepEqual(body.metadata.finalizers, ["foregroundDeletion"]);
  await release(t, "grandchild");
  await settled(t, t.path("configmaps/owner"));
  await settled(t, t.path("configmaps/child"));
});

conformance("orphans lose their owner and stay", async (t) => {
  const owner = await make(t, "owner");
  const other = await make(t, "other");
  await make(t, "child", [owner, other]);
  const { body } = await remove(t, "owner", "Orphan");
  assert.deepEqual(body.metadata.finalizers, ["orphan"]);
  await settled(t, t.path("configmaps/owner"));
  const child = await t.get(t.path("configmaps/child"));
  assert.equal(child.body.metadata.ownerReferences.length, 1);
});

conformance("an object with another owner stays without the deleted one", async (t) => {
  const first = await make(t, "first");
  const second = await make(t, "second");
  await make(t, "child", [first, second]);
  await remove(t, "first");
  const { body } = await settled(
    t,
    t.path("configmaps/child"),
    ({ body }) => body.metadata.ownerReferences.length === 1,
  );
  assert.equal(body.metadata.ownerReferences[0].name, "second");
});

conformance(
  "an object with another owner does not hold a deletion in the foreground",
  async (t) => {
    const first = await make(t, "first");
    const second = await make(t, "second");
    await make(t, "child", [first, second], { block: true });
    await remove(t, "first", "Foreground");
    await settled(t, t.path("configmaps/first"));
    const { body } = await t.get(t.path("configmaps/child"));
    assert.equal(body.metadata.ownerReferences.length, 1);
  },
);

conformance("an owner that was never there", async (t) => {
  await t.post(t.path("configmaps"), {
    metadata: {
      name: "child",
      ownerReferences: [{
        apiVersion: "v1",
        kind: "ConfigMap",
        name: "never",
        uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000",
      }],
    },
  }, { unrecorded: true });
  await settled(t, t.path("configmaps/child"));
});

conformance("an owner of another UID is not the owner", async (t) => {
  const { body } = await make(t, "owner");
  await t.post(t.path("configmaps"), {
    metadata: {
      name: "child",
      ownerReferences: [{
        apiVersion: "v1",
        kind: "ConfigMap",
        name: "owner",
        uid: body.metadata.uid.replace(/^.{8}/, "00000000"),
      }],
    },
  }, { unrecorded: true });
  await settled(t, t.path("configmaps/child"));
});

conformance("an owner of the cluster owns objects in namespaces", async (t) => {
  const name = t.unique("e", "name");
  const owner = await t.post(`${RBAC}/clusterroles`, { metadata: { name }, rules: [] });
  await make(t, "child", [owner]);
  await t.delete(`${RBAC}/clusterroles/${name}`);
  await settled(t, t.path("configmaps/child"));
});

conformance("an owner in a namespace owns nothing of the cluster", async (t) => {
  const name = t.unique("e", "name");
  const owner = await make(t, "owner");
  const { apiVersion, kind, metadata: { uid } } = owner.body;
  await t.post(`${RBAC}/clusterroles`, {
    metadata: { name, ownerReferences: [{ apiVersion, kind, name: "owner", uid }] },
    rules: [],
  });
  await make(t, "child", [owner]);
  await remove(t, "owner");
  await settled(t, t.path("configmaps/child"));
  const { code } = await t.get(`${RBAC}/clusterroles/${name}`);
  assert.equal(code, 200);
  await t.delete(`${RBAC}/clusterroles/${name}`);
});

conformance("an owner of an unknown kind keeps what it owns", async (t) => {
  t.mask(/0c8ae8a1-9d3a-4a9b-8f0e-000000000000/g, "<no uid>");
  const owner = await make(t, "owner");
  await t.post(t.path("configmaps"), {
    metadata: {
      name: "kept",
      ownerReferences: [{
        apiVersion: "unknown.example.com/v1",
        kind: "Unknown",
        name: "u",
        uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000",
      }],
    },
  });
  await make(t, "child", [owner]);
  await remove(t, "owner");
  await settled(t, t.path("configmaps/child"));
  const { code } = await t.get(t.path("configmaps/kept"));
  assert.equal(code, 200);
});

conformance("an owner that becomes its own dependent's dependent goes all the same", async (t) => {
  const first = await make(t, "first");
  const second = await make(t, "second", [first], { block: true });
  const { apiVersion, kind, metadata: { uid } } = second.body;
  await t.patch("merge", t.path("configmaps/first"), {
    metadata: {
      ownerReferences: [{ apiVersion, kind, name: "second", uid, blockOwnerDeletion: true }],
    },
  });
  await remove(t, "first", "Foreground");
  await settled(t, t.path("configmaps/first"));
  await settled(t, t.path("configmaps/second"));
});

conformance("a dependent that is released lets its owner go", async (t) => {
  const owner = await make(t, "owner");
  await make(t, "child", [owner], { block: true, finalizers: ["example.com/hold"] });
  await remove(t, "owner", "Foreground");
  await settled(t, t.path("configmaps/child"), ({ body }) => body.metadata.deletionTimestamp);
  await t.patch("merge", t.path("configmaps/child"), { metadata: { ownerReferences: null } });
  await settled(t, t.path("configmaps/owner"));
  await release(t, "child");
  await settled(t, t.path("configmaps/child"));
});

conformance("a deleted namespace takes its content along", async (t) => {
  await make(t, "a");
  await t.delete(`/api/v1/namespaces/${t.namespace}`);
  await settled(t, `/api/v1/namespaces/${t.namespace}`);
  await t.get(t.path("configmaps/a"));
});

conformance("a namespace says what holds it", async (t) => {
  await make(t, "a", [], { finalizers: ["example.com/hold"] });
  const path = `/api/v1/namespaces/${t.namespace}`;
  await t.delete(path);
  const { body } = await settled(
    t,
    path,
    ({ body }) =>
      body.status.conditions?.some((each: { status: string }) => each.status === "True"),
  );
  assert.equal(body.status.conditions.length, 5);
  await release(t, "a");
  await settled(t, path);
});

conformance("a namespace with another finalizer waits for it", async (t) => {
  const name = t.unique("e", "name");
  await t.post("/api/v1/namespaces", {
    metadata: { name },
    spec: { finalizers: ["example.com/a"] },
  });
  await t.delete(`/api/v1/namespaces/${name}`);
  const { body } = await settled(
    t,
    `/api/v1/namespaces/${name}`,
    ({ body }) => body.spec.finalizers.length === 1,
  );
  assert.deepEqual(body.spec.finalizers, ["example.com/a"]);
  await t.put(`/api/v1/namespaces/${name}/finalize`, { ...body, spec: {} });
  await settled(t, `/api/v1/namespaces/${name}`);
});

conformance("a role of the cluster is made of those that it selects", async (t) => {
  const roles = ["a", "b", "whole"].map((prefix) => t.unique(prefix, prefix));
  const [a, b, whole] = roles;
  const label = { [`example.com/${t.unique("label")}`]: "true" };
  const rule = (resource: string) => ({ apiGroups: [""], resources: [resource], verbs: ["get"] });
  await t.post(`${RBAC}/clusterroles`, {
    metadata: { name: a, labels: label },
    rules: [rule("pods"), rule("secrets")],
  });
  await t.post(`${RBAC}/clusterroles`, {
    metadata: { name: whole },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: label }] },
    rules: [rule("nodes")],
  }, { unrecorded: true });
  const count = (wanted: number) => ({ body }: Answer) => body.rules?.length === wanted;
  await settled(t, `${RBAC}/clusterroles/${whole}`, count(2));
  await t.post(`${RBAC}/clusterroles`, {
    metadata: { name: b, labels: label },
    rules: [rule("pods"), rule("services")],
  });
  await settled(t, `${RBAC}/clusterroles/${whole}`, count(3));
  for (const name of roles) {
    await t.delete(`${RBAC}/clusterroles/${name}`, undefined, { unrecorded: true });
  }
});

conformance("the roles for users are filled", async (t) => {
  for (const name of ["view", "edit", "admin"]) {
    const { code } = await settled(
      t,
      `${RBAC}/clusterroles/${name}`,
      ({ body }) => body.rules?.length > 10,
    );
    assert.equal(code, 200);
  }
});
