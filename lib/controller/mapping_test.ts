import assert from "node:assert/strict";
import { configMap, forMaps, harness } from "../../tests/support/controller_harness.ts";
import { ConfigMap, Deployment, Namespace, Pod, Secret } from "../meta/builtin.ts";
import type { OwnerReference, UnstructuredObject } from "../meta/object.ts";
import { controllerFor } from "./controller_builder.ts";

function owner(name: string, fields: Partial<OwnerReference> = {}): OwnerReference {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    name,
    uid: `uid-of-${name}`,
    controller: true,
    ...fields,
  };
}

function owned(name: string, ...ownerReferences: OwnerReference[]): UnstructuredObject {
  return configMap(name, { metadata: { ownerReferences } });
}

Deno.test("B70 an owned object leads to its controller: group and kind must match, the version may differ", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.run(controllerFor(Deployment).owns(Pod).reconcile(({ key }) => void keys.push(key)));
  const references: OwnerReference[] = [
    owner("same", { apiVersion: "apps/v1", kind: "Deployment" }),
    owner("older", { apiVersion: "apps/v1beta1", kind: "Deployment" }),
    owner("group", { apiVersion: "extensions/v1", kind: "Deployment" }),
    owner("core", { apiVersion: "v1", kind: "Deployment" }),
    owner("kind", { apiVersion: "apps/v1", kind: "ReplicaSet" }),
    owner("plain", { apiVersion: "apps/v1", kind: "Deployment", controller: false }),
  ];
  for (const [index, reference] of references.entries()) {
    h.cluster.put(Pod, owned(`pod-${index}`, reference));
  }
  await h.clock.settle();
  assert.deepEqual(keys, ["default/same", "default/older"]);
});

Deno.test("B70 with anyOwner every owner counts, and one that is named twice is enqueued once", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.run(
    controllerFor(ConfigMap).owns(Secret, { anyOwner: true })
      .reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  h.cluster.put(
    Secret,
    owned("s", owner("a"), owner("b", { controller: false }), owner("a", { controller: false })),
  );
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/b"]);
});

Deno.test("B70 an update is mapped with the old and with the new object", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(Secret, owned("s", owner("a")));
  h.run(controllerFor(ConfigMap).owns(Secret).reconcile(({ key }) => void keys.push(key)));
  await h.clock.settle();
  h.cluster.put(Secret, owned("s", owner("b")));
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/a", "default/b"]);
});

Deno.test("B70 a deleted object leads to its owner; a cluster-scoped owner has no namespace", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(Secret, owned("s", owner("ns", { kind: "Namespace" })));
  h.run(controllerFor(Namespace).owns(Secret).reconcile(({ key }) => void keys.push(key)));
  await h.clock.settle();
  h.cluster.remove(Secret, "default/s");
  await h.clock.settle();
  assert.deepEqual(keys, ["ns", "ns"]);
});

Deno.test("watches() enqueues what the function names, each key once", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.run(
    controllerFor(Secret).watches(ConfigMap, async (object, { cache }) => {
      const others = await cache.list(ConfigMap);
      return [
        object.key,
        object.key,
        ...others.map(({ metadata }) => `default/${metadata.name}-x`),
      ];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/a-x"]);
});

Deno.test("F35 a mapping function that fails, or names no key, harms nobody else", async () => {
  await using h = harness();
  const keys: string[] = [];
  for (const name of ["throws", "rejects", "nonsense", "good"]) {
    h.cluster.put(ConfigMap, configMap(name));
  }
  h.run(
    controllerFor(Secret).watches(ConfigMap, ({ name, key }) => {
      if (name === "throws") throw new Error("no");
      if (name === "rejects") return Promise.reject(new Error("no"));
      return name === "nonsense" ? ["a/b/c", "", "default/kept"] : [key];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  assert.deepEqual(keys, ["default/kept", "default/good"]);
});

Deno.test("one informer serves every controller and source of a resource", async () => {
  await using h = harness();
  const nothing = (): void => {};
  h.run([
    controllerFor(ConfigMap).named("one").reconcile(nothing),
    controllerFor(ConfigMap).named("two").reconcile(nothing),
    controllerFor(Secret).owns(ConfigMap).reconcile(nothing),
  ]);
  await h.clock.settle();
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 3);
});

Deno.test("a controller that stopped listens no more", async () => {
  await using h = harness();
  const handle = h.run(forMaps(() => {}));
  await handle.ready;
  await handle.stop();
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 0);
});
