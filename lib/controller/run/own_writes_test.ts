/**
 * Tests that runs read their own writes: no run on a cache that is older than the writes of the
 * key's last run.
 */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import {
  ConfigMap,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  Secret,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import type { ApplyPatch } from "../../client/typed/patch.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";

/**
 * Returns a test controller that creates a Secret per ConfigMap unless the cache shows one; names
 * are random, as with generateName.
 */
function parent(seen: string[] = []): ControllerDefinition {
  let serial = 0;
  return controllerFor(ConfigMap).owns(Secret).reconcile(async ({ name, cache, client }) => {
    const children = await cache.list(Secret);
    seen.push(`${name} sees ${children.length}`);
    if (children.length === 0) await client.create(Secret, configMap(`child-${++serial}`));
  });
}

Deno.test("F26 a key waits until the cache shows the child that it created, and creates no second one", async () => {
  await using h = harness();
  const seen: string[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  const handle = h.run(parent(seen));
  await h.clock.settle();
  assert.deepEqual(h.cluster.keys(Secret), ["default/child-1"]);
  // Another event enqueues the key while the cache is behind.
  h.cluster.fakeInformer(ConfigMap).replace([
    configMap("a", { metadata: { resourceVersion: "50" } }),
  ], 50);
  await h.clock.settle();
  assert.deepEqual(seen, ["a sees 0"]);
  assert.equal(handle.progress().delayed, 1);
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual(seen, ["a sees 0", "a sees 1"]);
  assert.deepEqual(h.cluster.keys(Secret), ["default/child-1"]);
});

Deno.test("B41 the version written, or a newer one, ends the wait; an older one does not", async () => {
  await using h = harness();
  const seen: unknown[] = [];
  h.cluster.put(ConfigMap, configMap("a", { data: { step: "0" } }));
  h.cluster.informer(ConfigMap);
  h.cluster.lagging = true;
  h.cluster.put(ConfigMap, configMap("a", { data: { step: "1" } }));
  h.run(forMaps(async ({ key, cache, client }) => {
    const step = Number(cache.get(ConfigMap, key)!.data!.step);
    seen.push(step);
    if (step !== 0) return;
    await client.update(ConfigMap, configMap("a", { data: { step: "2" } }));
  }));
  await h.clock.settle();
  assert.deepEqual(seen, [0]);
  h.cluster.deliver(1);
  await h.clock.settle();
  assert.deepEqual(seen, [0], "the version before the write does not do");
  h.cluster.put(ConfigMap, configMap("a", { data: { step: "3" } }));
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual([...new Set(seen)], [0, 3]);
});

Deno.test("B41 a deletion, or another UID under the same name, ends the wait", async () => {
  for (const recreate of [false, true]) {
    await using h = harness();
    const seen: (string | undefined)[] = [];
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.lagging = true;
    h.run(forMaps(async ({ key, cache, client }) => {
      const map = cache.get(ConfigMap, key);
      seen.push(map?.metadata.uid);
      if (seen.length === 1) await client.update(ConfigMap, map!);
    }));
    await h.clock.settle();
    h.cluster.remove(ConfigMap, "default/a");
    if (recreate) h.cluster.put(ConfigMap, configMap("a"));
    // The watch was disconnected, so the cache never sees the written version.
    h.cluster.relist();
    await h.clock.settle();
    assert.deepEqual([...new Set(seen)], ["uid-1", recreate ? "uid-2" : undefined]);
  }
});

Deno.test("B41 an object deleted before the answer to its write delays no key", async () => {
  await using h = harness();
  let runs = 0;
  h.cluster.put(ConfigMap, configMap("a"));
  const { client } = h.cluster;
  const update = client.update.bind(client);
  client.update = async (type, object) => {
    const written = await update(type, object);
    h.cluster.remove(ConfigMap, "default/a");
    await h.clock.settle();
    return written;
  };
  const handle = h.run(forMaps(async ({ key, cache, client }) => {
    runs++;
    const map = cache.get(ConfigMap, key);
    if (map) await client.update(ConfigMap, map);
  }));
  await h.clock.settle();
  await h.clock.settle();
  assert.equal(runs, 2);
  assert.equal(handle.progress().delayed, 0);
});

Deno.test("F26 an object created and deleted while the watch was disconnected does not delay its key", async () => {
  await using h = harness();
  const seen: string[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  h.run(parent(seen));
  await h.clock.settle();
  h.cluster.remove(Secret, "default/child-1");
  h.cluster.put(ConfigMap, configMap("a"));
  assert.deepEqual(seen, ["a sees 0"]);
  h.cluster.relist();
  await h.clock.settle();
  assert.deepEqual(seen, ["a sees 0", "a sees 0"]);
});

Deno.test("F26 a key waits for a created object that the informer received and did not store yet", async () => {
  await using h = harness();
  const seen: string[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  h.run(parent(seen));
  await h.clock.settle();
  // The store shows a later event of another Secret before that of the child.
  const secrets = h.cluster.fakeInformer(Secret);
  secrets.queued.add("default/child-1");
  secrets.replace([], 1_000);
  h.cluster.fakeInformer(ConfigMap).replace([
    configMap("a", { metadata: { resourceVersion: "50" } }),
  ], 50);
  await h.clock.advance(10_000);
  assert.deepEqual(seen, ["a sees 0"]);
  secrets.queued.clear();
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual([...new Set(seen)], ["a sees 0", "a sees 1"]);
  assert.deepEqual(h.cluster.keys(Secret), ["default/child-1"]);
});

Deno.test("F26 a key waits for its own deletion, until the object is gone or has a deletionTimestamp", async () => {
  await using h = harness();
  const seen: boolean[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, configMap("s"));
  h.cluster.lagging = true;
  h.run(
    controllerFor(ConfigMap).watches(Secret, () => []).reconcile(async ({ cache, client }) => {
      const there = cache.get(Secret, "default/s") !== undefined;
      seen.push(there);
      if (there) await client.delete(Secret, "default/s");
    }),
  );
  await h.clock.settle();
  h.cluster.fakeInformer(ConfigMap).replace([configMap("a")], 50);
  await h.clock.settle();
  assert.deepEqual(seen, [true]);
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual(seen, [true, false]);
});

Deno.test("F26 an object created under the name of a deleted one before the answer delays no key", async () => {
  for (const preconditions of [undefined, { uid: "uid-1" }]) {
    await using h = harness();
    const seen: (string | undefined)[] = [];
    h.cluster.put(ConfigMap, configMap("a"));
    const { client } = h.cluster;
    const remove = client.delete.bind(client);
    client.delete = async (type, key, options) => {
      await remove(type, key, options);
      h.cluster.put(ConfigMap, configMap("a"));
      await h.clock.settle();
    };
    const handle = h.run(forMaps(async ({ key, cache, client }) => {
      const map = cache.get(ConfigMap, key);
      seen.push(map?.metadata.uid);
      if (seen.length > 1) return;
      await client.delete(ConfigMap, key, preconditions && { preconditions });
    }));
    await h.clock.settle();
    await h.clock.settle();
    assert.deepEqual([...new Set(seen)], ["uid-1", "uid-2"]);
    assert.equal(handle.progress().delayed, 0);
  }
});

Deno.test("F22 a cache that never shows a write delays the key for a limited time", async () => {
  await using h = harness();
  const at: number[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  h.run(forMaps(async ({ client }) => {
    at.push(h.clock.monotonicMs());
    if (at.length === 1) await client.create(ConfigMap, configMap("b"));
    if (at.length === 1) return { requeueAfterMs: 1_000 };
  }, { staleCacheTimeoutMs: 10_000 }));
  await h.clock.advance(60_000);
  assert.deepEqual(at, [0, 11_000]);
});

Deno.test("F22 versions that cannot be compared delay no key", async () => {
  await using h = harness();
  let runs = 0;
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  const { client } = h.cluster;
  client.update = <T>(_: unknown, object: T): Promise<T> =>
    Promise.resolve({
      ...object,
      metadata: { namespace: "default", name: "a", resourceVersion: "v2-b" },
    });
  h.run(forMaps(async ({ client }) => {
    if (++runs > 1) return;
    await client.update<UnstructuredObject>(ConfigMap, configMap("a"));
    return { requeueAfterMs: 1 };
  }));
  await h.clock.advance(1);
  assert.equal(runs, 2);
});

Deno.test("a key waits for its server-side apply as for an update", async () => {
  await using h = harness();
  let runs = 0;
  const applied: unknown[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.informer(ConfigMap);
  h.cluster.lagging = true;
  const { client } = h.cluster;
  client.patch = <T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: unknown,
  ): Promise<T> => {
    const { body } = patch as ApplyPatch;
    applied.push([key, body]);
    const object = configMap("a", { data: { z: "1" } });
    return Promise.resolve(h.cluster.put(type, object as KubeObject as T));
  };
  const handle = h.run(forMaps(async ({ client }) => {
    if (++runs > 1) return;
    await client.apply(ConfigMap, { metadata: { name: "a" }, data: { z: "1" } });
    return { requeueAfterMs: 1 };
  }));
  await h.clock.advance(1);
  const metadata = { name: "a", namespace: "default" };
  assert.deepEqual(applied, [
    ["default/a", { apiVersion: "v1", kind: "ConfigMap", metadata, data: { z: "1" } }],
  ]);
  assert.deepEqual([runs, handle.progress().delayed], [1, 1]);
  h.cluster.deliver();
  await h.clock.settle();
  assert(runs > 1, "it goes on once the cache shows the write");
});

Deno.test("F26 a key does not wait for writes that the cache will never show", async () => {
  await using h = harness();
  let runs = 0;
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.lagging = true;
  h.run(
    controllerFor(ConfigMap).watches(Secret, () => [], { labelSelector: "app=x" })
      .reconcile(async ({ client }) => {
        if (++runs > 1) return;
        await client.create(Secret, configMap("outside-the-selector"));
        await client.create(ConfigMap, configMap("never-stored"), { dryRun: true });
        const elsewhere = { metadata: { namespace: "other", name: "b" } };
        await client.create(ConfigMap, elsewhere);
        return { requeueAfterMs: 1 };
      }),
    { namespace: "default" },
  );
  await h.clock.advance(1);
  assert.equal(runs, 2);
});

Deno.test("F26 a key waits for a child created under a label selector in every view that selects it", async () => {
  for (const lagging of ["app=web", "app"]) {
    await using h = harness();
    const seen: number[] = [];
    h.cluster.put(ConfigMap, configMap("a"));
    let serial = 0;
    const handle = h.run(
      controllerFor(ConfigMap)
        .owns(Secret, { labelSelector: "app=web" })
        .watches(Secret, () => [], { labelSelector: "app" })
        .reconcile(async ({ cache, client }) => {
          const children = await cache.list(Secret);
          seen.push(children.length);
          if (children.length > 0) return;
          h.cluster.lagging = true;
          const labels = { app: "web" };
          await client.create(Secret, configMap(`child-${++serial}`, { metadata: { labels } }));
          return { requeueAfterMs: 10 };
        }),
    );
    await h.clock.advance(20);
    assert.deepEqual(seen, [0], "the key waits");
    assert.equal(handle.progress().delayed, 1);
    const [child] = [h.cluster.read(Secret, "default/child-1")!];
    const ahead = lagging === "app" ? "app=web" : "app";
    h.cluster.fakeInformer(Secret, ahead).replace([child], 500);
    await h.clock.settle();
    assert.deepEqual(seen, [0], "the other view does not show it yet");
    h.cluster.fakeInformer(Secret, lagging).replace([child], 500);
    await h.clock.settle();
    assert.deepEqual([...new Set(seen)], [0, 1]);
    assert.deepEqual(h.cluster.keys(Secret), ["default/child-1"]);
  }
});

Deno.test("F26 a field selector that only the server can judge is logged at the start; a name is judged", async () => {
  for (
    const [fieldSelector, waits] of [["metadata.name=child", true], ["type=x", false]] as const
  ) {
    await using log = await CollectedLog.start();
    await using h = harness();
    let runs = 0;
    h.cluster.put(ConfigMap, configMap("a"));
    h.run(
      controllerFor(ConfigMap).watches(Secret, () => [], { fieldSelector })
        .reconcile(async ({ client }) => {
          h.cluster.lagging = true;
          if (++runs > 1) return;
          await client.create(Secret, configMap("child"));
          return { requeueAfterMs: 1 };
        }),
    );
    await h.clock.advance(100);
    assert.equal(runs, waits ? 1 : 2);
    const warnings = log.messages("warning");
    assert.equal(warnings.length, waits ? 0 : 1);
    if (!waits) assert.match(warnings[0]!, /watches secrets.v1 by type, which only the server/);
  }
});

Deno.test("F26 an object that a run created and deleted is not seen by the next run", async () => {
  await using h = harness();
  const seen: (string | undefined)[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => []).reconcile(async ({ cache, client }) => {
      seen.push(cache.get(Secret, "default/tmp")?.metadata.uid);
      if (seen.length > 1) return;
      h.cluster.lagging = true;
      await client.create(Secret, configMap("tmp"));
      await client.delete(Secret, "default/tmp");
      return { requeueAfterMs: 1 };
    }),
  );
  await h.clock.advance(1);
  h.cluster.deliver(1);
  await h.clock.advance(5_000);
  assert.equal(seen.length, 1, "the creation alone does not do");
  assert.equal(handle.progress().delayed, 1);
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual(seen, [undefined, undefined]);
});

Deno.test("F26 an object that a run created and moved out of the selector is not seen by the next run", async () => {
  for (const missed of [false, true]) {
    await using h = harness();
    const seen: (string | undefined)[] = [];
    h.cluster.put(ConfigMap, configMap("a"));
    const handle = h.run(
      controllerFor(ConfigMap).watches(Secret, () => [], { labelSelector: "app=x" })
        .reconcile(async ({ cache, client }) => {
          seen.push(cache.get(Secret, "default/re")?.metadata.labels?.app);
          if (seen.length > 1) return;
          h.cluster.lagging = true;
          const labels = { app: "x" };
          const made = await client.create(Secret, configMap("re", { metadata: { labels } }));
          const metadata = { ...made.metadata, labels: { app: "q" } };
          await client.update(Secret, configMap("re", { metadata }));
          return { requeueAfterMs: 1 };
        }),
    );
    await h.clock.advance(1);
    if (!missed) h.cluster.deliver(1);
    await h.clock.advance(5_000);
    assert.equal(seen.length, 1, "the creation alone does not do");
    assert.equal(handle.progress().delayed, 1);
    if (missed) h.cluster.relist();
    else h.cluster.deliver();
    await h.clock.advance(2_000);
    assert.deepEqual(seen, [undefined, undefined]);
  }
});

Deno.test("F26 a collection that a run deleted is not seen by the next run", async () => {
  await using h = harness();
  const seen: string[][] = [];
  const labelled = (name: string, app: string) =>
    configMap(name, { metadata: { labels: { app } } });
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, labelled("one", "x"));
  h.cluster.put(Secret, labelled("two", "x"));
  h.cluster.put(Secret, labelled("other", "y"));
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => []).reconcile(async ({ cache, client }) => {
      seen.push((await cache.list(Secret)).map(({ metadata }) => metadata.name!));
      if (seen.length > 1) return;
      h.cluster.lagging = true;
      await client.create(Secret, labelled("three", "x"));
      await client.deleteCollection(Secret, { namespace: "default", labelSelector: "app=x" });
      return { requeueAfterMs: 1 };
    }),
  );
  await h.clock.advance(1);
  for (let delivered = 0; delivered < 3; delivered++) {
    h.cluster.deliver(1);
    await h.clock.advance(2_000);
    assert.deepEqual([seen.length, handle.progress().delayed], [1, 1]);
  }
  h.cluster.deliver();
  await h.clock.settle();
  assert.deepEqual(seen, [["one", "two", "other"], ["other"]]);
});

Deno.test("F26 a key waits only for those objects of a deleted collection that the cache shows as selected", async () => {
  await using h = harness();
  let runs = 0;
  const labelled = (name: string, app: string) =>
    configMap(name, { metadata: { labels: { app } } });
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, labelled("moved", "x"));
  h.cluster.put(Secret, labelled("other", "y"));
  const { client } = h.cluster;
  const carryOut = client.deleteCollection.bind(client);
  client.deleteCollection = async (type, options) => {
    // Another client first removes the object from the selection, unseen by the cache.
    h.cluster.put(Secret, labelled("moved", "z"));
    await carryOut(type, options);
    h.cluster.put(Secret, labelled("new", "x"));
  };
  const handle = h.run(
    controllerFor(ConfigMap).watches(Secret, () => []).reconcile(async ({ client }) => {
      if (++runs > 1) return;
      h.cluster.lagging = true;
      await client.deleteCollection(Secret, { namespace: "default", labelSelector: "app=x" });
      return { requeueAfterMs: 1 };
    }),
  );
  await h.clock.advance(2_000);
  assert.deepEqual([runs, handle.progress().delayed], [1, 1]);
  h.cluster.deliver(1);
  await h.clock.settle();
  assert.deepEqual([runs, handle.progress().delayed], [2, 0]);
});

Deno.test("F26 a key does not wait for a collection that was not deleted", async () => {
  for (const options of [{ dryRun: true }, { fieldSelector: "type=x" }]) {
    await using h = harness();
    let runs = 0;
    h.cluster.put(ConfigMap, configMap("a"));
    h.cluster.put(Secret, configMap("one"));
    h.cluster.client.deleteCollection = () => Promise.resolve();
    h.run(
      controllerFor(ConfigMap).watches(Secret, () => []).reconcile(async ({ client }) => {
        if (++runs > 1) return;
        await client.deleteCollection(Secret, { namespace: "default", ...options });
        return { requeueAfterMs: 1 };
      }),
    );
    await h.clock.advance(1);
    assert.equal(runs, 2);
  }
});
