import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

/** A case of one create, of a ConfigMap with this metadata. */
function creates(name: string, code: number, metadata: Record<string, unknown>): void {
  conformance(name, async (t) => {
    assert.equal((await t.post(t.path("configmaps"), { metadata })).code, code);
  });
}

/** A ConfigMap to begin with. */
async function given(t: Target, metadata: Record<string, unknown> = {}): Promise<{
  metadata: Record<string, unknown>;
  data: Record<string, string>;
}> {
  const { body } = await t.post(t.path("configmaps"), {
    metadata: { name: "a", ...metadata },
    data: { x: "1" },
  });
  return body;
}

creates("a name with capitals", 422, { name: "Capital" });
creates("a name with a slash", 422, { name: "a/b" });
creates("a name that ends with a dot", 422, { name: "a." });
creates("a name of 254 characters", 422, { name: "a".repeat(254) });
creates("a name of 253 characters", 201, { name: "a".repeat(253) });
creates("a name of dots between letters", 201, { name: "a.b-c.d" });
creates("no name at all", 422, {});
creates("a name that is a dot", 422, { name: "." });
creates("a label key with a wrong prefix", 422, { name: "a", labels: { "Wrong/x": "1" } });
creates("a label key that is too long", 422, { name: "a", labels: { ["k".repeat(64)]: "1" } });
creates("a label key of two slashes", 422, { name: "a", labels: { "a/b/c": "1" } });
creates("an empty label key", 422, { name: "a", labels: { "": "1" } });
creates("an empty label value", 201, { name: "a", labels: { k: "" } });
creates("a label value with a space", 422, { name: "a", labels: { k: "two words" } });
creates("a label value that is too long", 422, { name: "a", labels: { k: "v".repeat(64) } });
creates("a wrong annotation key", 422, { name: "a", annotations: { "wrong key": "1" } });
creates("an annotation key with capitals", 201, { name: "a", annotations: { Some: "1" } });
creates("annotations that are too large", 422, {
  name: "a",
  annotations: { k: "v".repeat(256 * 1024) },
});
creates("a finalizer without a domain", 201, { name: "a", finalizers: ["orphan"] });
creates("a finalizer that is no name", 422, { name: "a", finalizers: ["not a name"] });
creates("both finalizers of propagation", 422, {
  name: "a",
  finalizers: ["orphan", "foregroundDeletion"],
});
creates("an owner without anything", 422, { name: "a", ownerReferences: [{}] });
creates("an owner that is an event", 422, {
  name: "a",
  ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "e", uid: "u" }],
});
creates("two owners that control", 422, {
  name: "a",
  ownerReferences: [
    { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1", controller: true },
    { apiVersion: "v1", kind: "Pod", name: "q", uid: "u2", controller: true },
  ],
});
creates("an owner named twice", 201, {
  name: "a",
  ownerReferences: [
    { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" },
    { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" },
  ],
});
creates("a uid, times and a version of the caller's own", 201, {
  name: "a",
  uid: "11111111-2222-3333-4444-555555555555",
  creationTimestamp: "2001-02-03T04:05:06Z",
  deletionTimestamp: "2001-02-03T04:05:06Z",
  deletionGracePeriodSeconds: 5,
  generation: 7,
  selfLink: "/x",
});
creates("a negative generation", 422, { name: "a", generation: -1 });
creates("a resourceVersion on create", 500, { name: "a", resourceVersion: "1" });

conformance("a generated name", async (t) => {
  const { code, body } = await t.post(t.path("configmaps"), { metadata: { generateName: "g-" } }, {
    unrecorded: true,
  });
  assert.equal(code, 201);
  assert.match(body.metadata.name, /^g-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(body.metadata.generateName, "g-");
});

conformance("a long prefix of a generated name is cut", async (t) => {
  const metadata = { generateName: "g".repeat(200) };
  const { body } = await t.post(t.path("configmaps"), { metadata }, { unrecorded: true });
  assert.equal(body.metadata.name.length, 63);
});

conformance("a wrong prefix of a generated name", async (t) => {
  t.mask(/Wrong-[bcdfghjklmnpqrstvwxz2456789]{5}/g, "<generated>");
  const { code } = await t.post(t.path("configmaps"), { metadata: { generateName: "Wrong-" } });
  assert.equal(code, 422);
});

conformance("a name counts more than a prefix", async (t) => {
  const metadata = { name: "a", generateName: "g-" };
  assert.equal((await t.post(t.path("configmaps"), { metadata })).body.metadata.name, "a");
});

conformance("a name that is taken", async (t) => {
  await given(t);
  const { code } = await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  assert.equal(code, 409);
});

conformance("a name that is taken by what is being deleted", async (t) => {
  await given(t, { finalizers: ["example.com/hold"] });
  await t.delete(t.path("configmaps/a"));
  const { code } = await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  assert.equal(code, 409);
});

conformance("a create on a dry run stores nothing", async (t) => {
  const made = await t.post(t.path("configmaps?dryRun=All"), { metadata: { name: "a" } });
  assert.equal(made.code, 201);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("a create of a taken name on a dry run", async (t) => {
  await given(t);
  const { code } = await t.post(t.path("configmaps?dryRun=All"), { metadata: { name: "a" } });
  assert.equal(code, 409);
});

conformance("an update with the version that was read", async (t) => {
  const object = await given(t);
  object.data.x = "2";
  const { code, body } = await t.put(t.path("configmaps/a"), object);
  assert.equal(code, 200);
  assert.notEqual(body.metadata.resourceVersion, object.metadata.resourceVersion);
});

conformance("an update with an older version", async (t) => {
  const object = await given(t);
  await t.put(t.path("configmaps/a"), { ...object, data: { x: "2" } });
  assert.equal((await t.put(t.path("configmaps/a"), object)).code, 409);
});

conformance("an update without a version overwrites", async (t) => {
  await given(t);
  const { code } = await t.put(t.path("configmaps/a"), { metadata: { name: "a" } });
  assert.equal(code, 200);
});

conformance("an update with a version that is no number", async (t) => {
  await given(t);
  const metadata = { name: "a", resourceVersion: "new" };
  assert.equal((await t.put(t.path("configmaps/a"), { metadata })).code, 500);
});

conformance("an update that changes nothing is no write", async (t) => {
  const object = await given(t);
  const { body } = await t.put(t.path("configmaps/a"), object);
  assert.equal(body.metadata.resourceVersion, object.metadata.resourceVersion);
});

conformance("an update of what is not there", async (t) => {
  assert.equal((await t.put(t.path("configmaps/a"), { metadata: { name: "a" } })).code, 404);
});

conformance("an update of another name than the path's", async (t) => {
  await given(t);
  assert.equal((await t.put(t.path("configmaps/a"), { metadata: { name: "b" } })).code, 400);
});

conformance("an update without a name takes the path's", async (t) => {
  await given(t);
  assert.equal((await t.put(t.path("configmaps/a"), { data: { y: "2" } })).code, 400);
});

conformance("an update with another uid", async (t) => {
  await given(t);
  const metadata = { name: "a", uid: "11111111-2222-3333-4444-555555555555" };
  assert.equal((await t.put(t.path("configmaps/a"), { metadata })).code, 409);
});

conformance("an update of what only the server says is ignored", async (t) => {
  await given(t);
  const { code } = await t.put(t.path("configmaps/a"), {
    metadata: { name: "a", creationTimestamp: "2001-02-03T04:05:06Z", generation: 9 },
  });
  assert.equal(code, 200);
});

conformance("an update that sets a deletionTimestamp", async (t) => {
  await given(t);
  const { code } = await t.put(t.path("configmaps/a"), {
    metadata: { name: "a", deletionTimestamp: "2001-02-03T04:05:06Z" },
  });
  assert.equal(code, 422);
});

conformance("an update on a dry run stores nothing", async (t) => {
  await given(t);
  const { body } = await t.put(t.path("configmaps/a?dryRun=All"), {
    metadata: { name: "a" },
    data: { x: "2" },
  });
  assert.equal(body.data.x, "2");
  assert.equal((await t.get(t.path("configmaps/a"))).body.data.x, "1");
});

conformance("an update with wrong labels and a wrong finalizer", async (t) => {
  await given(t);
  const metadata = { name: "a", labels: { k: "two words" }, finalizers: ["not a name"] };
  assert.equal((await t.put(t.path("configmaps/a"), { metadata })).code, 422);
});

conformance("a PUT creates where the kind allows it", async (t) => {
  const path = t.path("leases/l", "coordination.k8s.io/v1");
  const { code, body } = await t.put(path, { metadata: { name: "l" }, spec: {} });
  assert.equal(code, 201);
  assert.equal(body.metadata.name, "l");
  // A lease is never overwritten unseen.
  assert.equal((await t.put(path, { metadata: { name: "l" }, spec: {} })).code, 422);
});

conformance("a PUT that creates with a version", async (t) => {
  const path = t.path("leases/l", "coordination.k8s.io/v1");
  await t.put(path, { metadata: { name: "l", resourceVersion: "1" }, spec: {} });
});

conformance("a PUT that creates with a uid", async (t) => {
  const path = t.path("leases/l", "coordination.k8s.io/v1");
  const uid = "11111111-2222-3333-4444-555555555555";
  await t.put(path, { metadata: { name: "l", uid }, spec: {} });
});

conformance("a read at a version that is not there yet", async (t) => {
  await given(t);
  t.mask(/current: \d+/, "current: <n>");
  const { code } = await t.get(t.path("configmaps/a?resourceVersion=999999999999"));
  assert.equal(code, 504);
});

conformance("a read at version 0 and at an old one gives the newest", async (t) => {
  const { metadata } = await given(t);
  await t.put(t.path("configmaps/a"), { metadata: { name: "a" }, data: { x: "2" } });
  await t.untilFresh(t.path("configmaps"));
  assert.equal((await t.get(t.path("configmaps/a?resourceVersion=0"))).code, 200);
  const old = await t.get(t.path(`configmaps/a?resourceVersion=${metadata.resourceVersion}`), {
    unrecorded: true,
  });
  assert.equal(old.body.data.x, "2");
});

conformance("a read at a version that is no number", async (t) => {
  await given(t);
  await t.get(t.path("configmaps/a?resourceVersion=new"));
});

conformance("an object larger than the store takes", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { x: "x".repeat(1024 * 1024 + 1) },
  });
  assert.equal(code, 422);
});

conformance("a HEAD request of an object is not allowed", async (t) => {
  await given(t);
  const { code, body } = await t.call("HEAD", t.path("configmaps/a"));
  assert.equal(code, 405);
  assert.equal(body, undefined);
});

conformance("managedFields that are wrong are dropped", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a", managedFields: [{ operation: "Guess" }] },
  });
  assert.equal(code, 201);
});

conformance("generation counts changes of the spec alone", async (t) => {
  const path = t.path("deployments", "apps/v1");
  const labels = { app: "a" };
  const { body } = await t.post(path, {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  }, { unrecorded: true });
  assert.equal(body.metadata.generation, 1);
  const labelled = await t.patch("merge", `${path}/a`, { metadata: { labels } }, {
    unrecorded: true,
  });
  assert.equal(labelled.body.metadata.generation, 1);
  const scaled = await t.patch("merge", `${path}/a`, { spec: { replicas: 3 } }, {
    unrecorded: true,
  });
  assert.equal(scaled.body.metadata.generation, 2);
});
