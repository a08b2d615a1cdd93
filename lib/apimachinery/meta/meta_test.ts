import assert from "node:assert/strict";
import { Deployment, Node, Pod } from "./builtin.ts";
import { isDnsLabel, isPathSegment } from "./name_rules.ts";
import type { KubeObject } from "./object.ts";
import { deletionKeyOf, formatKey, keyOf, parseKey } from "./object_key.ts";
import { controllerOf, refersTo, setControllerReference } from "./owner_reference.ts";
import { resourceType } from "./resource_type.ts";
import { compareResourceVersions } from "./resource_version.ts";
import { formatMicroTime, formatTime } from "./time.ts";

Deno.test("B34 keyOf() and deletionKeyOf() accept objects, observed objects and tombstones", () => {
  assert.equal(keyOf({ metadata: { namespace: "a", name: "b" } }), "a/b");
  assert.equal(keyOf({ metadata: { name: "b" } }), "b");
  assert.equal(keyOf({ metadata: { namespace: "", name: "b" } }), "b");
  assert.equal(keyOf({ key: "a/b" }), "a/b");
  assert.equal(deletionKeyOf({ metadata: { namespace: "a", name: "b" } }), "a/b");
  assert.equal(deletionKeyOf({ finalStateUnknown: true, key: "a/b" }), "a/b");
  const custom = { metadata: { namespace: "a", name: "b" }, key: "a/other" };
  assert.equal(keyOf(custom), "a/b", "a field `key` of a custom resource is not its key");
  assert.equal(deletionKeyOf(custom), "a/b");
  assert.throws(() => keyOf({ metadata: {} }), /without metadata.name/);
});

Deno.test("parseKey() parses the result of formatKey() and refuses anything else", () => {
  for (const name of [{ namespace: "a", name: "b" }, { name: "b" }]) {
    assert.deepEqual(parseKey(formatKey(name)), name);
  }
  for (const key of ["", "/", "a/", "/a", "a/b/c"]) {
    assert.throws(() => parseKey(key), TypeError, key);
  }
});

Deno.test("resourceType() creates a resource type, namespaced by default", () => {
  assert.equal(Pod.id, "pods.v1");
  assert.equal(Deployment.id, "deployments.v1.apps");
  assert.equal(Deployment.apiVersion, "apps/v1");
  assert.equal(Deployment.scope, "Namespaced");
  assert.equal(Node.scope, "Cluster");
  assert(Object.isFrozen(Pod));
});

Deno.test("compareResourceVersions() orders decimals of any length and nothing else (KEP-5504)", () => {
  assert.equal(compareResourceVersions("9", "10")! < 0, true);
  assert.equal(compareResourceVersions("90071992547409931", "90071992547409930")! > 0, true);
  assert.equal(compareResourceVersions("7", "7"), 0);
  assert.equal(compareResourceVersions("abc", "abc"), 0);
  assert.equal(compareResourceVersions("abc", "7"), undefined);
  assert.equal(compareResourceVersions("07", "7"), undefined);
});

function object(namespace: string | undefined, uid = "u1"): KubeObject {
  return { metadata: { name: "x", uid, ...(namespace ? { namespace } : {}) } };
}

Deno.test("B70 setControllerReference() refuses a second controller, another namespace, and a namespaced owner of a cluster-scoped object", () => {
  const child = object("a", "child");
  setControllerReference(child, object("a", "owner"), Deployment);
  setControllerReference(child, object("a", "owner"), Deployment);
  assert.equal(child.metadata.ownerReferences?.length, 1);
  assert.equal(controllerOf(child.metadata)?.uid, "owner");
  assert.throws(
    () => setControllerReference(child, object("a", "other"), Deployment),
    /its controller is already Deployment x/,
  );
  assert.throws(
    () => setControllerReference(object("b"), object("a"), Deployment),
    /the owner is in namespace a, the object in b/,
  );
  assert.throws(
    () => setControllerReference(object(undefined), object("a"), Deployment),
    /cluster-scoped object cannot have an owner in a namespace/,
  );
  setControllerReference(object("b"), object(undefined), Node);
});

Deno.test("B70 refersTo() matches group and kind, whatever the version", () => {
  const reference = { apiVersion: "apps/v1beta2", kind: "Deployment", name: "x", uid: "u" };
  assert(refersTo(reference, Deployment));
  assert(!refersTo({ ...reference, apiVersion: "extensions/v1beta1" }, Deployment));
  assert(!refersTo({ ...reference, kind: "ReplicaSet" }, Deployment));
  const core = resourceType({ group: "", version: "v1", kind: "Pod", plural: "pods" });
  assert(refersTo({ apiVersion: "v2", kind: "Pod", name: "x", uid: "u" }, core));
});

Deno.test("times are formatted like metav1.Time and metav1.MicroTime", () => {
  const date = new Date("2026-03-04T05:06:07.891Z");
  assert.equal(formatTime(date), "2026-03-04T05:06:07Z");
  assert.equal(formatMicroTime(date), "2026-03-04T05:06:07.891000Z");
});

Deno.test("name validation: DNS labels and path segments", () => {
  assert(isDnsLabel("kube-system") && isDnsLabel("a") && isDnsLabel("a".repeat(63)));
  for (const bad of ["", "A", "-a", "a-", "a.b", "a/b", "..", "a%2fb", "a".repeat(64)]) {
    assert(!isDnsLabel(bad), bad);
  }
  assert(isPathSegment("system:node:x") && isPathSegment("a.b"));
  for (const bad of ["", ".", "..", "a/b", "a%2fb"]) assert(!isPathSegment(bad), bad);
});

Deno.test("resourceType() refuses names that are missing and scopes that are unknown", () => {
  const names = { group: "", version: "v1", kind: "Pod", plural: "pods" };
  const make = (init: unknown) => () => resourceType(init as never);
  for (const name of Object.keys(names)) {
    for (const wrong of [undefined, null, 5]) {
      const message = new RegExp(`^Cannot name a resource: ${name} must be a text`);
      assert.throws(make({ ...names, [name]: wrong }), { name: "TypeError", message });
    }
  }
  assert.throws(make({ ...names, plural: "" }), /plural must be a text, is empty/);
  assert.equal(resourceType({ ...names, kind: "" }).id, "pods.v1");
  assert.throws(make(undefined), TypeError);
  assert.throws(make({ ...names, scope: "namespaced" }), /Cannot name resource Pod: scope must be/);
  assert.equal(resourceType(names).id, "pods.v1");
});

Deno.test("setControllerReference() names missing arguments in its error", () => {
  const call = setControllerReference as (...args: unknown[]) => void;
  for (const args of [[], [{}, {}], [{ metadata: {} }, { metadata: {} }]]) {
    assert.throws(() => call(...args), /pass the object, its owner, and the resource of the owner/);
  }
});
