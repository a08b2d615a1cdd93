/** Tests of source options: indexes, namespaces, transforms. */
import assert from "node:assert/strict";
import { until } from "../../../tests/support/until.ts";
import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import {
  ConfigMap,
  type KubeObject,
  metadataOf,
  Namespace,
  Node,
  type ResourceType,
  Secret,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { toSelf } from "../definition/mapping.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";

type Ready = Parameters<typeof runOperator>[1];

/** Runs test controllers on a server until all is settled, then `look`. */
async function settled(
  controllers: readonly ControllerDefinition[],
  seed: (client: ReturnType<typeof clientOf>) => Promise<void>,
  look: (client: ReturnType<typeof clientOf>) => Promise<void>,
  options: Partial<Ready> = {},
): Promise<void> {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await seed(client);
  const operator = defineOperator({ name: "test", controllers });
  await using handle = runOperator(operator, { client, ...options });
  await handle.settled();
  await look(client);
}

function labelled(name: string, of: string, namespace = "default"): KubeObject {
  return { metadata: { name, namespace, labels: { of } } };
}

Deno.test("cache.byIndex() reads an index that a source declares, and follows each change", async () => {
  let cache: CacheReader;
  const names = async (value: string, options = {}): Promise<unknown[]> => {
    const found = await cache.byIndex(Secret, "of", value, options);
    const shared = await cache.shared.byIndex(Secret, "of", value, options);
    assert.deepEqual(shared, found);
    return found.map(({ metadata }) => metadata.name);
  };
  const controller = controllerFor(ConfigMap)
    .owns(Secret, { indexes: { of: ({ labels }) => labels.of ? [labels.of] : [] } })
    .watches(Secret, toSelf, { labelSelector: "of=a", indexes: { twice: () => ["x", "y"] } })
    .reconcile((context) => void (cache = context.cache));
  await settled([controller], async (client) => {
    await client.create(Namespace, { metadata: { name: "other" } });
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" } });
    await client.create(Secret, labelled("one", "a"));
    await client.create(Secret, labelled("two", "a", "other"));
    await client.create(Secret, labelled("three", "b"));
  }, async (client) => {
    assert.deepEqual(await names("a"), ["one", "two"]);
    assert.deepEqual(await names("a", { namespace: "other" }), ["two"]);
    assert.deepEqual(await names("a", { labelSelector: "of!=a" }), []);
    assert.deepEqual(await names("none"), []);
    assert.equal((await cache.byIndex(Secret, "twice", "y")).length, 3);
    await client.patch(Secret, "default/one", {
      type: "merge",
      body: { metadata: { labels: { of: "b" } } },
    });
    await client.delete(Secret, "default/three");
    await until(async () => (await cache.byIndex(Secret, "of", "b"))[0]?.metadata.name === "one");
    await until(async () => (await cache.byIndex(Secret, "of", "b")).length === 1);
    assert.deepEqual([await names("a"), await names("b")], [["two"], ["one"]]);
    const byList = { index: { name: "of", value: "a" } };
    assert.deepEqual((await cache.list(Secret, byList)).length, 1);
    assert.deepEqual((await cache.shared.list(Secret, byList)).length, 1);
    await assert.rejects(
      cache.list(Secret, { index: { name: "off", value: "a" } }),
      /no source of the controller declares the index; give/,
    );
    await assert.rejects(cache.byIndex(Secret, "off", "a"), CacheReadError);
    await assert.rejects(
      cache.byIndex(Secret, "off", "a"),
      /no source of the controller declares the index; give/,
    );
    await assert.rejects(cache.byIndex(Secret, "toString", "a"), CacheReadError);
    await assert.rejects(cache.byIndex(Node, "of", "a"), /neither is for/);
    await assert.rejects(cache.byIndex(Secret, "of", 7 as unknown as string), TypeError);
  });
});

Deno.test("two controllers may give one name to different indexes of one resource", async () => {
  const seen: Record<string, number[]> = {};
  const of = (name: string, value: string): ControllerDefinition =>
    controllerFor(ConfigMap, { indexes: { by: () => [value] } }).named(name)
      .reconcile(async ({ cache }) => {
        const found = ["x", "y"].map(async (each) => {
          return (await cache.byIndex(ConfigMap, "by", each)).length;
        });
        seen[name] = await Promise.all(found);
      });
  await settled([of("first", "x"), of("second", "y")], async (client) => {
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" } });
  }, () => Promise.resolve());
  assert.deepEqual(seen, { first: [1, 0], second: [0, 1] });
});

Deno.test("indexes and transforms that are not functions are refused where they are declared", () => {
  const indexes = (value: unknown) => ({ indexes: value }) as never;
  const transform = (value: unknown) => ({ transform: value }) as never;
  const builder = controllerFor(ConfigMap);
  for (const wrong of [5, null, "of", { of: 5 }, { of: undefined }]) {
    const refusal = { name: "TypeError", message: /source (configmaps|secrets)\.v1: index(es)? / };
    assert.throws(() => controllerFor(ConfigMap, indexes(wrong)), refusal);
    assert.throws(() => builder.owns(Secret, indexes(wrong)), refusal);
    assert.throws(() => builder.watches(Secret, toSelf, indexes(wrong)), refusal);
  }
  for (const wrong of [5, null, {}]) {
    const refusal = {
      name: "TypeError",
      message: /source (configmaps|secrets)\.v1: transform must/,
    };
    assert.throws(() => controllerFor(ConfigMap, transform(wrong)), refusal);
    assert.throws(() => builder.owns(Secret, transform(wrong)), refusal);
    assert.throws(() => builder.watches(Secret, toSelf, transform(wrong)), refusal);
  }
});

Deno.test("reads by an index whose function threw, or returned a string, fail until it is corrected", async () => {
  let cache: CacheReader;
  const index = ({ labels: { of } }: { labels: Readonly<Record<string, string>> }): string[] => {
    if (of === "throws") throw Object.create(null);
    return of === "string" ? "ab" as unknown as string[] : ["a"];
  };
  const read = async (options = {}): Promise<unknown[]> =>
    (await cache.byIndex(Secret, "index", "a", options)).map(({ metadata }) => metadata.name);
  const refused = async (): Promise<boolean> => {
    const listed = { index: { name: "index", value: "a" } };
    const reads = [
      read(),
      cache.shared.byIndex(Secret, "index", "a"),
      cache.list(Secret, listed),
      cache.shared.list(Secret, listed),
    ];
    const results = await Promise.allSettled(reads);
    return results.every((each) =>
      each.status === "rejected" && each.reason instanceof CacheReadError &&
      /index configmap\/index .*threw on default\/bad/.test(each.reason.message)
    );
  };
  const controller = controllerFor(ConfigMap)
    .owns(Secret, { indexes: { index } })
    .reconcile((context) => void (cache = context.cache));
  await settled([controller], async (client) => {
    await client.create(Namespace, { metadata: { name: "other" } });
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" } });
    await client.create(Secret, labelled("good", "a", "other"));
    await client.create(Secret, labelled("bad", "throws"));
  }, async (client) => {
    const relabel = (of: string) =>
      client.patch(Secret, "default/bad", {
        type: "merge",
        body: { metadata: { labels: { of } } },
      });
    assert(await refused());
    assert.deepEqual(await read({ namespace: "other" }), ["good"], "no object of it failed");
    assert.equal((await cache.list(Secret)).length, 2, "the object is cached all the same");
    await relabel("a");
    await until(async () => !await refused());
    assert.deepEqual((await read()).sort(), ["bad", "good"]);
    await relabel("string");
    await until(refused);
    await client.delete(Secret, "default/bad");
    await until(async () => !await refused());
    assert.deepEqual(await read(), ["good"]);
  });
});

Deno.test("a source with namespaces delivers and reads only these, whatever the operator watches", async () => {
  const keys: string[] = [];
  let cache: CacheReader;
  const controller = controllerFor(ConfigMap)
    .watches(Secret, toSelf, { namespaces: ["one", "two"] })
    .reconcile((context) => {
      cache = context.cache;
      keys.push(context.key);
    });
  await settled([controller], async (client) => {
    for (const name of ["one", "two", "three"]) {
      await client.create(Namespace, { metadata: { name } });
      await client.create(Secret, { metadata: { name: "s", namespace: name } });
      await client.create(ConfigMap, { metadata: { name: "m", namespace: name } });
    }
  }, async () => {
    assert.deepEqual(keys.sort(), ["one/s", "three/m", "two/s"]);
    assert.equal(cache.get(Secret, "two/s")?.metadata.name, "s");
    assert.equal((await cache.list(Secret)).length, 2);
    assert.equal((await cache.list(Secret, { namespace: "one" })).length, 1);
    assert.throws(() => cache.get(Secret, "three/s"), /in namespace three, only in one, two/);
    assert.throws(() => cache.get(ConfigMap, "one/m"), /in namespace one, only in three/);
  }, { namespace: "three" });
  for (const namespaces of [[], ["one", "one"], ["A B"], [""], "one"] as string[][]) {
    assert.throws(() => controllerFor(ConfigMap, { namespaces }), TypeError);
  }
  assert.throws(() => controllerFor(Node, { namespaces: ["one"] }), /is cluster-scoped/);
});

Deno.test("a source's transform determines the cached objects", async () => {
  const seen: unknown[] = [];
  const transform = (map: V1ConfigMap): V1ConfigMap => {
    delete map.data?.large;
    return map;
  };
  const controller = controllerFor(ConfigMap, { transform, namespaces: ["default"] })
    .reconcile(({ cache, key }) => void seen.push(cache.get(ConfigMap, key)?.data));
  await settled([controller], async (client) => {
    const data = { small: "kept", large: "x".repeat(1_000) };
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" }, data });
  }, () => Promise.resolve());
  assert.deepEqual(seen, [{ small: "kept" }]);
});

Deno.test("defineOperator() refuses controllers that would share a cache with different transforms", () => {
  const same = (map: KubeObject): KubeObject => map;
  const of = (name: string, transform?: typeof same, labelSelector = ""): ControllerDefinition =>
    controllerFor(ConfigMap, { ...(transform && { transform }), labelSelector }).named(name)
      .reconcile(() => {});
  const define = (...controllers: ControllerDefinition[]) =>
    defineOperator({ name: "test", controllers });
  assert.equal(define(of("a", same), of("b", same), of("c", undefined, "x")).controllers.length, 3);
  assert.throws(
    () => define(of("a", same), of("b")),
    /controllers a and b watch the same configmaps with different transforms, or one without/,
  );
  assert.throws(() => define(of("a"), of("b", (map) => map)), TypeError);
});

Deno.test("two sources of one resource cannot declare one index differently", () => {
  const controller = controllerFor(ConfigMap, { indexes: { of: () => [] } })
    .watches(ConfigMap, toSelf, { labelSelector: "x", indexes: { of: () => [] } })
    .reconcile(() => {});
  const operator = defineOperator({ name: "test", controllers: [controller] });
  assert.throws(() => {
    void runOperator(operator, { client: {} as Ready["client"] });
  }, /two of its sources of configmaps.v1 declare an index of with different functions/);
});

Deno.test("metadataOf() requests, caches and reads metadata only, and is never written whole", async () => {
  for (const watchList of [true, false]) {
    using server = await ApiServer.start();
    using client = clientOf(server);
    const data = { password: btoa("hidden") };
    await client.create(Secret, { metadata: labelled("s", "a").metadata, data });
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" } });
    let cache: CacheReader | undefined;
    const controller = controllerFor(ConfigMap)
      .watches(metadataOf(Secret), () => ["default/m"], {
        indexes: { of: ({ labels }) => [labels.of ?? ""] },
      })
      .reconcile((context) => void (cache = context.cache));
    const operator = defineOperator({ name: "test", controllers: [controller] });
    const informers = new InformerFactory(client, { reflector: { watchList } });
    const stop = new AbortController();
    await using handle = runOperator(operator, { client, informers });
    informers.start(stop.signal);
    await handle.idle();
    await client.patch(Secret, "default/s", {
      type: "merge",
      body: { data: { more: btoa("hidden") } },
    });
    await handle.idle();
    const secret = cache!.get(metadataOf(Secret), "default/s")! as UnstructuredObject;
    assert.deepEqual(Object.keys(secret).sort(), ["apiVersion", "kind", "metadata"]);
    assert.equal(secret.kind, "PartialObjectMetadata");
    const current = await client.get(Secret, "default/s");
    assert.deepEqual(secret.metadata, current.metadata);
    assert.equal((await cache!.byIndex(metadataOf(Secret), "of", "a")).length, 1);
    assert.throws(() => cache!.get(Secret, "default/s"), /it holds only the metadata of that/);
    assert.throws(() => cache!.get(metadataOf(ConfigMap), "default/m"), /it holds whole objects/);
    await assert.rejects(client.update(metadataOf(Secret), secret), /all else would be lost/);
    await assert.rejects(client.create(metadataOf(Secret), secret), TypeError);
    await assert.rejects(client.update<KubeObject>(Secret as ResourceType, secret), TypeError);
    assert.deepEqual((await client.get(Secret, "default/s")).data, current.data);
    await handle.stop();
    stop.abort();
    await informers.done;
  }
});

Deno.test("an object that a transform throws on fails reads instead of being absent, at the start and later", async () => {
  for (const watchList of [true, false]) {
    using server = await ApiServer.start();
    using client = clientOf(server);
    let cache: CacheReader;
    const transform = (secret: KubeObject): KubeObject => {
      if (secret.metadata.labels?.of === "bad") throw new Error("no");
      return secret;
    };
    const controller = controllerFor(ConfigMap)
      .watches(Secret, toSelf, { transform, indexes: { of: ({ labels }) => [labels.of ?? ""] } })
      .reconcile((context) => void (cache = context.cache));
    await client.create(Namespace, { metadata: { name: "other" } });
    await client.create(ConfigMap, { metadata: { name: "m", namespace: "default" } });
    await client.create(Secret, labelled("good", "a", "other"));
    await client.create(Secret, labelled("first", "bad"));
    const operator = defineOperator({ name: "test", controllers: [controller] });
    const informers = new InformerFactory(client, { reflector: { watchList } });
    const stop = new AbortController();
    await using handle = runOperator(operator, { client, informers });
    informers.start(stop.signal);
    await handle.settled();
    const refused = async (name: string): Promise<boolean> => {
      const reads = [
        async () => await cache.get(Secret, `default/${name}`),
        async () => await cache.shared.get(Secret, `default/${name}`),
        () => cache.list(Secret),
        () => cache.list(Secret, { namespace: "default", labelSelector: "of=a" }),
        () => cache.shared.list(Secret),
        () => cache.byIndex(Secret, "of", "a"),
      ].map((read) => read());
      const results = await Promise.allSettled(reads);
      return results.every((each) => {
        if (each.status === "fulfilled") return false;
        assert(each.reason instanceof CacheReadError);
        assert.match(each.reason.message, /from the cache of secrets\.v1: .*could not be decoded/);
        return true;
      });
    };
    assert(await refused("first"));
    assert.equal(cache!.get(Secret, "default/none"), undefined, "other absences are told");
    assert.equal((await cache!.list(Secret, { namespace: "other" })).length, 1);
    await client.patch(Secret, "default/first", {
      type: "merge",
      body: { metadata: { labels: { of: "a" } } },
    });
    await until(async () => !await refused("first"));
    assert.equal((await cache!.byIndex(Secret, "of", "a")).length, 2);
    await client.create(Secret, labelled("second", "bad"));
    await until(() => refused("second"));
    await handle.stop();
    stop.abort();
    await informers.done;
  }
});
