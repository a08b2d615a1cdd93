import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const HOLD = "example.com/hold";

function make(t: Target, metadata: Record<string, unknown> = {}): Promise<Answer> {
  return t.post(t.path("configmaps"), { metadata: { name: "a", ...metadata }, data: { x: "1" } });
}

function makePod(t: Target, spec: Record<string, unknown> = {}): Promise<Answer> {
  return t.post(t.path("pods"), {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  });
}

conformance("a deletion answers a Status", async (t) => {
  await make(t);
  const { code, body } = await t.delete(t.path("configmaps/a"));
  assert.equal(code, 200);
  assert.equal(body.kind, "Status");
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("a deletion of what is not there", async (t) => {
  assert.equal((await t.delete(t.path("configmaps/a"))).code, 404);
});

conformance("some kinds answer their deletion with the object", async (t) => {
  await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
  const { body } = await t.delete(t.path("serviceaccounts/a"));
  assert.equal(body.kind, "ServiceAccount");
});

conformance("a finalizer holds an object back", async (t) => {
  await make(t, { finalizers: [HOLD] });
  const { code, body } = await t.delete(t.path("configmaps/a"));
  assert.equal(code, 200);
  assert.equal(body.kind, "ConfigMap");
  assert.ok(body.metadata.deletionTimestamp);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 200);
});

conformance("a second deletion of what a finalizer holds", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  await t.delete(t.path("configmaps/a"));
});

conformance("an object goes with its last finalizer", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  const { code } = await t.patch("merge", t.path("configmaps/a"), {
    metadata: { finalizers: null },
  });
  assert.equal(code, 200);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("an object goes with its last finalizer by PUT", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  assert.equal((await t.put(t.path("configmaps/a"), { metadata: { name: "a" } })).code, 200);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("one of two finalizers is taken away", async (t) => {
  await make(t, { finalizers: [HOLD, "example.com/other"] });
  await t.delete(t.path("configmaps/a"));
  await t.patch("merge", t.path("configmaps/a"), { metadata: { finalizers: [HOLD] } });
  assert.equal((await t.get(t.path("configmaps/a"))).code, 200);
});

conformance("no finalizer is added to what is being deleted", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  const { code } = await t.patch("merge", t.path("configmaps/a"), {
    metadata: { finalizers: [HOLD, "example.com/late", "example.com/later"] },
  });
  assert.equal(code, 422);
});

conformance("the last finalizer on a dry run stays", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  await t.patch("merge", t.path("configmaps/a?dryRun=All"), { metadata: { finalizers: null } });
  assert.equal((await t.get(t.path("configmaps/a"))).code, 200);
});

conformance("what is being deleted can still be changed", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"));
  const { code } = await t.patch("merge", t.path("configmaps/a"), { data: { x: "2" } });
  assert.equal(code, 200);
});

conformance("foreground propagation leaves a finalizer", async (t) => {
  await make(t);
  const { body } = await t.delete(t.path("configmaps/a?propagationPolicy=Foreground"));
  assert.deepEqual(body.metadata.finalizers, ["foregroundDeletion"]);
});

conformance("orphan propagation leaves a finalizer", async (t) => {
  await make(t);
  const { body } = await t.delete(t.path("configmaps/a"), { propagationPolicy: "Orphan" });
  assert.deepEqual(body.metadata.finalizers, ["orphan"]);
});

conformance("orphanDependents leaves a finalizer", async (t) => {
  await make(t);
  await t.delete(t.path("configmaps/a"), { orphanDependents: true });
});

conformance("orphanDependents that is false deletes at once", async (t) => {
  await make(t);
  assert.equal((await t.delete(t.path("configmaps/a"), { orphanDependents: false })).code, 200);
});

conformance("orphanDependents that is false on what is held back", async (t) => {
  await make(t, { finalizers: [HOLD] });
  const { code } = await t.delete(t.path("configmaps/a"), { orphanDependents: false });
  assert.equal(code, 202);
});

conformance("background propagation takes the finalizer of orphans away", async (t) => {
  await make(t, { finalizers: ["orphan", HOLD] });
  const { body } = await t.delete(t.path("configmaps/a?propagationPolicy=Background"));
  assert.deepEqual(body.metadata.finalizers, [HOLD]);
});

conformance("a finalizer of propagation decides when nothing is said", async (t) => {
  await make(t, { finalizers: ["foregroundDeletion"] });
  const { body } = await t.delete(t.path("configmaps/a"));
  assert.deepEqual(body.metadata.finalizers, ["foregroundDeletion"]);
});

conformance("the policy can be changed while the object is held", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a?propagationPolicy=Foreground"));
  await t.delete(t.path("configmaps/a?propagationPolicy=Orphan"));
});

conformance("a precondition on the uid that holds", async (t) => {
  const { body } = await make(t);
  const preconditions = { uid: body.metadata.uid };
  assert.equal((await t.delete(t.path("configmaps/a"), { preconditions })).code, 200);
});

conformance("a precondition on the uid that fails", async (t) => {
  await make(t);
  const preconditions = { uid: "11111111-2222-3333-4444-555555555555" };
  assert.equal((await t.delete(t.path("configmaps/a"), { preconditions })).code, 409);
});

conformance("a precondition on the version that fails", async (t) => {
  await make(t);
  t.mask(/record \(\d+\)/, "record (<n>)");
  const preconditions = { resourceVersion: "1" };
  assert.equal((await t.delete(t.path("configmaps/a"), { preconditions })).code, 409);
});

conformance("a precondition on the version that holds", async (t) => {
  const { body } = await make(t);
  const preconditions = { resourceVersion: body.metadata.resourceVersion };
  assert.equal((await t.delete(t.path("configmaps/a"), { preconditions })).code, 200);
});

conformance("a precondition that fails on what has a finalizer", async (t) => {
  await make(t, { finalizers: [HOLD] });
  const preconditions = { uid: "11111111-2222-3333-4444-555555555555" };
  assert.equal((await t.delete(t.path("configmaps/a"), { preconditions })).code, 409);
});

conformance("a deletion on a dry run", async (t) => {
  await make(t);
  assert.equal((await t.delete(t.path("configmaps/a?dryRun=All"))).code, 200);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 200);
});

conformance("a deletion on a dry run of what has a finalizer", async (t) => {
  await make(t, { finalizers: [HOLD] });
  await t.delete(t.path("configmaps/a"), { dryRun: ["All"] });
  const { body } = await t.get(t.path("configmaps/a"));
  assert.equal(body.metadata.deletionTimestamp, undefined);
});

conformance("a grace period means nothing to a ConfigMap", async (t) => {
  await make(t);
  assert.equal((await t.delete(t.path("configmaps/a?gracePeriodSeconds=30"))).code, 200);
  assert.equal((await t.get(t.path("configmaps/a"))).code, 404);
});

conformance("a pod that no node has goes at once", async (t) => {
  await makePod(t);
  assert.equal((await t.delete(t.path("pods/p"))).code, 200);
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a pod on a node waits for its grace period", async (t) => {
  await makePod(t, { nodeName: "n" });
  const { code, body } = await t.delete(t.path("pods/p"));
  assert.equal(code, 200);
  assert.equal(body.metadata.deletionGracePeriodSeconds, 30);
});

conformance("the grace period of a pod can only get shorter", async (t) => {
  await makePod(t, { nodeName: "n", terminationGracePeriodSeconds: 600 });
  await t.delete(t.path("pods/p?gracePeriodSeconds=300"));
  const longer = await t.delete(t.path("pods/p?gracePeriodSeconds=400"));
  assert.equal(longer.body.metadata.deletionGracePeriodSeconds, 300);
  const shorter = await t.delete(t.path("pods/p?gracePeriodSeconds=100"));
  assert.equal(shorter.body.metadata.deletionGracePeriodSeconds, 100);
});

conformance("a second deletion of a pod that waits", async (t) => {
  await makePod(t, { nodeName: "n" });
  await t.delete(t.path("pods/p"));
  await t.delete(t.path("pods/p"));
});

conformance("a pod on a node goes at once by force", async (t) => {
  await makePod(t, { nodeName: "n" });
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 0 });
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a pod that waits goes at once by force", async (t) => {
  await makePod(t, { nodeName: "n" });
  await t.delete(t.path("pods/p"));
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 0 });
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a negative grace period is one second", async (t) => {
  await makePod(t, { nodeName: "n" });
  const { body } = await t.delete(t.path("pods/p"), { gracePeriodSeconds: -5 });
  assert.equal(body.metadata.deletionGracePeriodSeconds, 1);
});

conformance("a pod with a finalizer that goes by force", async (t) => {
  await t.post(t.path("pods"), {
    metadata: { name: "p", finalizers: [HOLD] },
    spec: { containers: [{ name: "c", image: "i" }], nodeName: "n" },
  });
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 0 });
  await t.get(t.path("pods/p"));
});

async function three(t: Target): Promise<void> {
  for (const [name, app] of [["a", "x"], ["b", "y"], ["c", "x"]]) {
    await t.post(t.path("configmaps"), { metadata: { name, labels: { app } } });
  }
}

conformance("a collection is deleted and answered", async (t) => {
  await three(t);
  const { code, body } = await t.delete(t.path("configmaps"));
  assert.equal(code, 200);
  assert.equal(body.items.length, 3);
  assert.equal((await t.get(t.path("configmaps"))).body.items.length, 0);
});

conformance("a collection is deleted by labels", async (t) => {
  await three(t);
  await t.delete(t.path("configmaps?labelSelector=app%3Dx"));
  assert.equal((await t.get(t.path("configmaps"))).body.items.length, 1);
});

conformance("a collection is deleted by name", async (t) => {
  await three(t);
  await t.delete(t.path("configmaps?fieldSelector=metadata.name%3Db"));
  assert.equal((await t.get(t.path("configmaps"))).body.items.length, 2);
});

conformance("a collection is deleted on a dry run", async (t) => {
  await three(t);
  await t.delete(t.path("configmaps?dryRun=All"));
  assert.equal((await t.get(t.path("configmaps"))).body.items.length, 3);
});

conformance("a collection with something that a finalizer holds", async (t) => {
  await make(t, { finalizers: [HOLD] });
  const { body } = await t.delete(t.path("configmaps"));
  assert.equal(body.items.length, 1);
  await t.get(t.path("configmaps/a"));
});

conformance("a collection of nothing", async (t) => {
  assert.equal((await t.delete(t.path("configmaps"))).code, 200);
});

conformance("a collection with options in the body", async (t) => {
  await three(t);
  await t.delete(t.path("configmaps"), { propagationPolicy: "Orphan" });
  const { body } = await t.get(t.path("configmaps"));
  assert.equal(body.items.length, 3);
});

conformance("a collection with a limit", async (t) => {
  await three(t);
  await t.delete(t.path("configmaps?limit=2"));
  assert.equal((await t.get(t.path("configmaps"))).body.items.length, 1);
});

conformance("a collection whose selector is wrong", async (t) => {
  assert.equal((await t.delete(t.path("configmaps?labelSelector=!!"))).code, 400);
  assert.equal((await t.delete(t.path("configmaps?fieldSelector=spec.x%3D1"))).code, 400);
});
