/**
 * Tests of a reconciler's reads: objects that its controller watches, and an error for all
 * others.
 */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ListerOptions } from "../../cache/readers/lister_options.ts";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, Namespace, Secret } from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";

Deno.test("an operator of one namespace refuses reads of others instead of returning absences", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(Namespace, { metadata: { name: "elsewhere" } });
  await client.create(ConfigMap, { metadata: { name: "here", namespace: "default" } });
  await client.create(Secret, { metadata: { name: "kept", namespace: "elsewhere" } });
  let cache: CacheReader | undefined;
  const operator = defineOperator({
    name: "test",
    controllers: [
      controllerFor(ConfigMap).owns(Secret).watches(Namespace, () => [])
        .reconcile((context) => void (cache = context.cache)),
    ],
  });
  await using handle = runOperator(operator, { client, namespace: "default" });
  await handle.settled();
  assert.throws(() => cache!.get(Secret, "elsewhere/kept"), CacheReadError);
  assert.throws(() => cache!.shared.get(Secret, "elsewhere/kept"), CacheReadError);
  assert.throws(
    () => cache!.get(ConfigMap, "elsewhere/x"),
    /from the cache of controller configmap: .* in namespace elsewhere, only in default/,
  );
  await assert.rejects(cache!.list(Secret, { namespace: "elsewhere" }), CacheReadError);
  assert.equal(cache!.get(Secret, "default/none"), undefined);
  const [map] = await cache!.list(ConfigMap, { namespace: "default" });
  assert.equal(map?.metadata.name, "here");
  assert.equal(cache!.get(Namespace, "elsewhere")?.metadata.name, "elsewhere");
  await assert.rejects(cache!.list(Namespace, { namespace: "default" }), /is cluster-scoped/);
});

Deno.test("a key that cannot be one of the resource is a TypeError instead of an absence", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let cache: CacheReader | undefined;
  h.run(
    controllerFor(ConfigMap).watches(Namespace, () => [])
      .reconcile((context) => void (cache = context.cache)),
  );
  await h.clock.settle();
  for (const key of ["a", "", "/", "a/", "/a", "a/b/c", undefined, null, 1, {}] as string[]) {
    assert.throws(() => cache!.get(ConfigMap, key), TypeError, `${key}`);
  }
  assert.throws(() => cache!.get(Namespace, "default/a"), /cluster-scoped, so its keys are names/);
});

Deno.test("two sources of one resource with different selectors are both read", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("parent"));
  for (const app of ["web", "db", "none"]) {
    h.cluster.put(Secret, configMap(app, { metadata: { labels: { app } } }));
  }
  const seen: unknown[] = [];
  h.run(
    controllerFor(ConfigMap)
      .watches(Secret, () => [], { labelSelector: "app=web" })
      .watches(Secret, () => [], { labelSelector: "app in (db, web)" })
      .reconcile(async ({ cache }) => {
        const names = (await cache.list(Secret)).map(({ metadata }) => metadata.name);
        const [web, db] = ["web", "db"].map((name) => cache.get(Secret, `default/${name}`));
        seen.push(names, web?.metadata.name, db?.metadata.name);
      }),
  );
  await h.clock.settle();
  assert.deepEqual(seen, [["web", "db"], "web", "db"]);
});

Deno.test("two sources of one resource with different transforms are refused, since both are read", async () => {
  await using h = harness();
  const transform = ({ data: _, ...object }: V1Secret): V1Secret => object;
  for (const options of [{}, { transform: ({ ...object }: V1Secret): V1Secret => object }]) {
    const controller = controllerFor(ConfigMap).watches(Secret, () => [], { transform })
      .watches(Secret, () => [], { labelSelector: "app=web", ...options }).reconcile(() => {});
    assert.throws(() => h.run(controller), {
      name: "TypeError",
      message:
        /two of its sources of secrets\.v1 have different transforms, or one has no transform/,
    });
  }
});

Deno.test("a read of a name that the field selectors leave out is an error, not an absence", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let cache: CacheReader | undefined;
  h.run(
    controllerFor(ConfigMap).watches(Secret, () => [], { fieldSelector: "metadata.name=web" })
      .reconcile((context) => void (cache = context.cache)),
  );
  await h.clock.settle();
  assert.equal(cache!.get(Secret, "default/web"), undefined);
  assert.throws(() => cache!.get(Secret, "default/db"), {
    name: "CacheReadError",
    message: /no informer holds that resource of the name db, only in .*metadata\.name=web/,
  });
  assert.deepEqual(await cache!.list(Secret), []);
});

Deno.test("an option that a list from a cache does not have is refused, since it would select everything", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let cache: CacheReader | undefined;
  h.run(forMaps((context) => void (cache = context.cache)));
  await h.clock.settle();
  for (
    const options of [
      { fieldSelector: "metadata.name=zzz" },
      { labels: { app: "web" } },
      { namespace: "a/b" },
      "default",
      null,
    ] as unknown as ListerOptions[]
  ) {
    await assert.rejects(async () => await cache!.list(ConfigMap, options), {
      name: "TypeError",
      message: /^Cannot list from the cache of controller configmap: /,
    });
  }
  const absent = { fieldSelector: undefined, limit: undefined } as unknown as ListerOptions;
  assert.equal((await cache!.list(ConfigMap, absent)).length, 1);
});

Deno.test("the newer of two watched states of an object is read", async () => {
  await using h = harness();
  const old = h.cluster.put(
    Secret,
    configMap("s", { metadata: { labels: { app: "web" } }, type: "1" }),
  );
  h.cluster.put(ConfigMap, configMap("a"));
  let cache: CacheReader | undefined;
  h.run(
    controllerFor(ConfigMap)
      .watches(Secret, () => [], { labelSelector: "app=web" })
      .watches(Secret, () => [], { labelSelector: "app" })
      .reconcile((context) => void (cache = context.cache)),
  );
  await h.clock.settle();
  for (const ahead of ["app=web", "app"]) {
    const resourceVersion = ahead === "app" ? "901" : "900";
    const newer = configMap("s", {
      metadata: { ...old.metadata, resourceVersion },
      type: ahead,
    });
    h.cluster.fakeInformer(Secret, ahead).replace([newer], 901);
    assert.equal(cache!.get(Secret, "default/s")?.type, ahead);
    assert.deepEqual((await cache!.list(Secret)).map(({ type }) => type), [ahead]);
  }
});

Deno.test("a controller of a whole resource and of a part of it reads the whole", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const seen: number[] = [];
  h.run([
    forMaps(() => {}),
    controllerFor(ConfigMap, { labelSelector: "app=web" }).named("both")
      .watches(ConfigMap, ({ key }) => [key])
      .reconcile(async ({ cache }) => void seen.push((await cache.list(ConfigMap)).length)),
  ]);
  await h.clock.settle();
  assert.deepEqual(seen, [1]);
});
