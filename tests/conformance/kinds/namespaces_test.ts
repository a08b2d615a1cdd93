import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);
const NAMESPACES = "/api/v1/namespaces";

conformance(
  "a namespace is active, finalized by the server and labelled by its name",
  async (t) => {
    const { body } = await t.get(`${NAMESPACES}/${t.namespace}`);
    assert.deepEqual(body.spec.finalizers, ["kubernetes"]);
    assert.equal(body.status.phase, "Active");
    assert.equal(body.metadata.labels["kubernetes.io/metadata.name"], t.namespace);
  },
);

conformance("the namespaces of the system are there", async (t) => {
  for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
    const { code } = await t.get(`${NAMESPACES}/${name}`, { unrecorded: true });
    assert.equal(code, 200, name);
  }
});

conformance("the namespaces that every cluster needs stay", async (t) => {
  for (const name of ["default", "kube-system", "kube-public"]) {
    const { code } = await t.delete(`${NAMESPACES}/${name}`);
    assert.equal(code, 403);
  }
});

conformance("a namespace's name is a label", async (t) => {
  const { code } = await t.post(NAMESPACES, { metadata: { name: "a.b" } });
  assert.equal(code, 422);
});

conformance("a generated name stands in the label", async (t) => {
  const { body } = await t.post(NAMESPACES, { metadata: { generateName: "e-" } }, {
    unrecorded: true,
  });
  assert.equal(body.metadata.labels["kubernetes.io/metadata.name"], body.metadata.name);
});

conformance("the label of the name cannot be taken away", async (t) => {
  const { body } = await t.patch("merge", `${NAMESPACES}/${t.namespace}`, {
    metadata: { labels: { "kubernetes.io/metadata.name": "other", more: "x" } },
  });
  assert.equal(body.metadata.labels["kubernetes.io/metadata.name"], t.namespace);
});

conformance("more finalizers stand before the server's own", async (t) => {
  const name = t.unique("e", "name");
  const { body } = await t.post(NAMESPACES, {
    metadata: { name },
    spec: { finalizers: ["example.com/a"] },
    status: { phase: "Terminating" },
  });
  assert.deepEqual(body.spec.finalizers, ["example.com/a", "kubernetes"]);
  assert.equal(body.status.phase, "Active");
});

conformance("a finalizer without domain is refused", async (t) => {
  for (const finalizer of ["mine", "no name", "a/b/c"]) {
    const { code } = await t.post(NAMESPACES, {
      metadata: { name: t.unique("e", "name") },
      spec: { finalizers: [finalizer] },
    });
    assert.equal(code, 422);
  }
});

conformance("finalizers and status are not written with the object", async (t) => {
  const { body } = await t.patch("merge", `${NAMESPACES}/${t.namespace}`, {
    spec: { finalizers: [] },
    status: { phase: "Terminating" },
  });
  assert.deepEqual(body.spec.finalizers, ["kubernetes"]);
  assert.equal(body.status.phase, "Active");
});

conformance("the phase agrees with the deletion", async (t) => {
  const { code } = await t.patch("merge", `${NAMESPACES}/${t.namespace}/status`, {
    status: { phase: "Terminating" },
  });
  assert.equal(code, 422);
});

conformance("conditions are written with the status", async (t) => {
  const condition = {
    type: "example.com/Ready",
    status: "True",
    lastTransitionTime: "2026-01-02T03:04:05Z",
  };
  const { body } = await t.patch("merge", `${NAMESPACES}/${t.namespace}/status`, {
    status: { conditions: [condition] },
  });
  assert.equal(body.status.conditions.length, 1);
});

conformance("a deleted namespace terminates, and takes nothing new", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  const { body } = await t.delete(`${NAMESPACES}/${t.namespace}`);
  assert.equal(body.status.phase, "Terminating");
  const refused = await t.post(t.path("configmaps"), { metadata: { name: "b" } });
  assert.equal(refused.code, 403);
  const changed = await t.patch("merge", t.path("configmaps/a"), { data: { x: "1" } });
  assert.equal(changed.code, 200);
});

conformance("a terminating namespace is deleted again without change", async (t) => {
  const first = await t.delete(`${NAMESPACES}/${t.namespace}`);
  const second = await t.delete(`${NAMESPACES}/${t.namespace}`);
  assert.deepEqual(second.body, first.body);
});

conformance("a namespace goes when the last finalizer does", async (t) => {
  const path = `${NAMESPACES}/${t.namespace}`;
  const { body } = await t.delete(path);
  const finalized = await t.put(`${path}/finalize`, { ...body, spec: { finalizers: [] } });
  assert.equal(finalized.code, 200);
  const { code } = await t.get(path);
  assert.equal(code, 404);
});

conformance("an active namespace is finalized and stays", async (t) => {
  const path = `${NAMESPACES}/${t.namespace}`;
  const { body } = await t.get(path);
  await t.put(`${path}/finalize`, { ...body, spec: { finalizers: ["example.com/a"] } });
  await t.put(`${path}/finalize`, { ...body, spec: { finalizers: ["no-domain"] } });
  const { code } = await t.put(`${path}/finalize`, {
    metadata: { name: t.namespace },
    spec: { finalizers: ["no-domain"] },
  });
  assert.equal(code, 422);
  const none = await t.put(`${path}/finalize`, { metadata: { name: t.namespace }, spec: {} });
  assert.equal(none.code, 200);
  await t.delete(path);
  const deleted = await t.delete(path);
  assert.equal(deleted.code, 200);
  await t.get(path);
});

conformance("finalize is for PUT alone", async (t) => {
  const path = `${NAMESPACES}/${t.namespace}/finalize`;
  await t.get(path);
  await t.post(path, {});
  const { code } = await t.patch("merge", path, {});
  assert.equal(code, 405);
});

conformance("namespaces are selected by phase", async (t) => {
  const { body } = await t.get(
    `${NAMESPACES}?fieldSelector=status.phase=Active,metadata.name=${t.namespace}`,
    { unrecorded: true },
  );
  assert.equal(body.items.length, 1);
  const { code } = await t.get(`${NAMESPACES}?fieldSelector=spec.finalizers=kubernetes`);
  assert.equal(code, 400);
});

conformance("a deletion with another UID is refused", async (t) => {
  const { code } = await t.delete(`${NAMESPACES}/${t.namespace}`, {
    preconditions: { uid: "0c8ae8a1-9d3a-4a9b-8f0e-000000000000" },
  });
  assert.equal(code, 409);
});

conformance("namespaces are not deleted as a collection", async (t) => {
  const { code } = await t.delete(`${NAMESPACES}?labelSelector=kubernetes.io/metadata.name=none`);
  assert.equal(code, 405);
});

conformance("the label of the name belongs to who made the namespace", async (t) => {
  t.managedFields = true;
  const name = t.unique("e", "name");
  await t.post(`${NAMESPACES}?fieldManager=maker`, { metadata: { name } });
  const { code } = await t.patch("apply", `${NAMESPACES}/${name}?fieldManager=applier`, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { a: "b" } },
  });
  assert.equal(code, 200);
  await t.delete(`${NAMESPACES}/${name}`);
});

conformance("a status without phase is active", async (t) => {
  const { code } = await t.put(`${NAMESPACES}/${t.namespace}/status`, {
    metadata: { name: t.namespace },
  });
  assert.equal(code, 200);
});

conformance("metadata are complained of once where a part is written", async (t) => {
  const metadata = { name: t.namespace, labels: { a: "no good!" } };
  await t.patch("merge", `${NAMESPACES}/${t.namespace}/status`, { metadata });
  const { code } = await t.put(`${NAMESPACES}/${t.namespace}/finalize`, { metadata });
  assert.equal(code, 422);
});
