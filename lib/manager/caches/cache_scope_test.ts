/** The choices of a manager's caches, and the sources that they restrict. */
import assert from "node:assert/strict";
import {
  ConfigMap,
  type KubeObject,
  metadataOf,
  Namespace,
  Pod,
  Secret,
} from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import type { SourceOptions } from "../../controller/definition/controller_definition.ts";
import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { createManager } from "../manager.ts";
import { type CacheChoice, checkedChoices } from "./cache_choice.ts";
import { chosenOperator } from "./chosen_operator.ts";

/** Returns the source of a controller for config maps under choices, as the informers get it. */
function chosen(
  source: SourceOptions,
  choices: readonly CacheChoice[],
  namespaces?: readonly string[],
): SourceOptions {
  const operator = defineOperator({
    name: "web",
    controllers: [controllerFor(ConfigMap, source).reconcile(() => {})],
  });
  const { controllers } = chosenOperator(operator, checkedChoices(choices), namespaces);
  const { labelSelector, fieldSelector, namespaces: own, transform } = controllers[0]!.sources[0]!;
  return Object.fromEntries(
    Object.entries({ labelSelector, fieldSelector, namespaces: own, transform })
      .filter(([, value]) => value !== undefined),
  );
}

Deno.test("cache choices: a source gets the namespaces and selectors of its kind, and keeps its own", () => {
  assert.deepEqual(chosen({}, []), {});
  assert.deepEqual(chosen({}, [], ["a", "b"]), { namespaces: ["a", "b"] });
  assert.deepEqual(chosen({ namespaces: ["c"] }, [], ["a"]), { namespaces: ["c"] });
  const type = ConfigMap;
  assert.deepEqual(chosen({}, [{ type, namespaces: ["x"] }], ["a"]), { namespaces: ["x"] });
  assert.deepEqual(
    chosen({ labelSelector: "app=web" }, [{ type, labelSelector: "team=blue" }]),
    { labelSelector: "team=blue,app=web" },
  );
  assert.deepEqual(
    chosen({ fieldSelector: "metadata.name=web" }, [{ type, exceptNamespaces: ["kube-system"] }]),
    { fieldSelector: "metadata.namespace!=kube-system,metadata.name=web" },
  );
  assert.deepEqual(
    chosen({}, [{ type, exceptNamespaces: ["b"] }], ["a", "b"]),
    { namespaces: ["a"] },
  );
  assert.deepEqual(chosen({}, [{ type: Secret, labelSelector: "a=b" }]), {});
});

Deno.test("cache choices: a source and a choice that exclude each other are refused by name", () => {
  const type = ConfigMap;
  assert.throws(() => chosen({ namespaces: ["b"] }, [{ type, namespaces: ["a"] }]), {
    name: "TypeError",
    message:
      "Cannot cache configmaps for controller configmap: it watches namespace b, which the " +
      "manager's choice leaves out",
  });
  assert.throws(
    () => chosen({ namespaces: ["b"] }, [{ type, exceptNamespaces: ["b"] }]),
    /which the manager's choice leaves out/,
  );
  assert.throws(
    () => chosen({}, [{ type, exceptNamespaces: ["a"] }], ["a"]),
    /the manager's choice leaves out each of its namespaces/,
  );
  assert.throws(() => chosen({}, [{ type, metadataOnly: true }]), /name the type as metadataOf/);
  const same = (object: KubeObject): KubeObject => object;
  assert.equal(chosen({ transform: same }, [{ type, transform: same }]).transform, same);
  assert.throws(
    () => chosen({ transform: (object) => object }, [{ type, transform: same }]),
    /another transform than the manager's choice/,
  );
});

Deno.test("cache choices: a source with a transform that the choice of its kind lacks is refused when it is added", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const manager = createManager({ client, caches: [{ type: ConfigMap, labelSelector: "a" }] });
  const transform = (object: KubeObject): KubeObject => object;
  const operator = defineOperator({
    name: "one",
    controllers: [controllerFor(ConfigMap, { transform: transform as never }).reconcile(() => {})],
  });
  assert.throws(() => manager.add(operator), {
    name: "TypeError",
    message:
      "Cannot cache configmaps for controller configmap: it has a transform of its own, and the " +
      "manager's choice of configmaps has none; set the function as the transform of the choice",
  });
  assert.deepEqual([manager.operators, manager.informers], [[], []]);
});

Deno.test("manager: a read of a kind that a controller caches with a transform of its own names the remedy, and leaks no informer", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  for (const name of ["blue", "red"]) await client.create(Namespace, { metadata: { name } });
  const manager = createManager({ client, namespaces: ["blue", "red"] });
  const source = { namespaces: ["red"], transform: (object: KubeObject) => object };
  manager.add(defineOperator({
    name: "one",
    controllers: [controllerFor(ConfigMap, source as never).reconcile(() => {})],
  }));
  await using running = manager.start();
  await running.ready;
  const before = manager.informers.length;
  await assert.rejects(manager.cache.list(ConfigMap), {
    name: "CacheReadError",
    message:
      "Cannot read configmaps.v1 from the manager's cache: a controller caches configmaps with a " +
      "transform of its own; set the function in the caches of the manager, so that all get it",
  });
  assert.equal(manager.informers.length, before);
});

Deno.test("cache choices: a choice that contradicts itself or another one is refused", () => {
  const refused = (...choices: CacheChoice[]): () => unknown => () => checkedChoices(choices);
  assert.throws(refused({ type: Pod }, { type: metadataOf(Pod) }), /two choices are of that kind/);
  assert.throws(
    refused({ type: Pod, namespaces: ["a"], exceptNamespaces: ["b"] }),
    /cannot go together/,
  );
  assert.throws(refused({ type: Namespace, namespaces: ["a"] }), /it has no namespaces/);
  assert.throws(refused({ type: Pod, namespaces: [] }), /the list of namespaces is empty/);
  assert.throws(refused({ type: Pod, namespaces: ["A b"] }), /"A b" is not the name/);
  assert.throws(refused({ type: Pod, labelSelector: "a in" }), TypeError);
  assert.throws(refused({ type: Pod, fieldSelector: "a" }), TypeError);
  assert.throws(
    refused({ type: Pod, metadataOnly: true, transform: (pod) => pod }),
    /there is no object to transform/,
  );
});

Deno.test("cache choices: a choice of a wrong form is refused by the name of its kind", () => {
  for (
    const [choices, message] of [
      [{ type: ConfigMap }, /^Cannot cache as chosen: give a list of choices$/],
      [
        [{ type: ConfigMap, namespaces: "shop" }],
        /^Cannot cache configmaps as chosen: give a list/,
      ],
      [[{ type: ConfigMap, namespaces: null }], /^Cannot cache configmaps as chosen: give a list/],
      [[{ type: ConfigMap, namespaces: [null] }], /configmaps as chosen: null is not the name of/],
      [
        [{ type: ConfigMap, labelSelector: "a=(" }],
        /^Cannot cache configmaps as chosen: Cannot parse/,
      ],
      [
        [{ type: ConfigMap, fieldSelector: "a" }],
        /^Cannot cache configmaps as chosen: invalid sel/,
      ],
      [[{ type: ConfigMap, transform: "x" }], /configmaps as chosen: transform must be a function/],
    ] as const
  ) {
    assert.throws(
      () => checkedChoices(choices as unknown as CacheChoice[]),
      (error) => error instanceof TypeError && message.test(error.message),
    );
  }
});

Deno.test("cache choices: the manager's readers and operators hold only what is chosen", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  for (const namespace of ["blue", "red", "grey"]) {
    await client.create(Namespace, { metadata: { name: namespace } });
    const labels = { keep: namespace === "grey" ? "no" : "yes" };
    const annotations = { text: "x".repeat(1_000) };
    await client.create(ConfigMap, { metadata: { namespace, name: "web", labels, annotations } });
    await client.create(Secret, { metadata: { namespace, name: "key" }, stringData: { a: "b" } });
  }
  const keys: string[] = [];
  const requests: string[] = [];
  using watched = clientOf(server, {
    through: (fetch) => (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (searchParams.has("watch")) requests.push(`${pathname} ${request.headers.get("accept")}`);
      return fetch(request);
    },
  });
  const manager = createManager({
    client: watched,
    caches: [
      {
        type: ConfigMap,
        exceptNamespaces: ["red"],
        labelSelector: "keep=yes",
        compress: true,
        transform: ({ metadata: { annotations: _, ...metadata }, ...map }) => ({
          ...map,
          metadata,
        }),
      },
      { type: Secret, metadataOnly: true, namespaces: ["blue", "red"] },
    ],
  });
  const handle = manager.add(defineOperator({
    name: "namer",
    controllers: [
      controllerFor(ConfigMap).reconcile(({ key, cache }) => {
        keys.push(`${key} ${cache.get(ConfigMap, key)?.metadata.annotations}`);
      }),
    ],
  }));
  await using _running = manager.start();
  await handle.settled();
  assert.deepEqual(keys, ["blue/web undefined"]);
  const secrets = await manager.cache.list(metadataOf(Secret));
  assert.deepEqual(secrets.map(({ metadata }) => metadata.namespace).sort(), ["blue", "red"]);
  assert(secrets.every((secret) => !("data" in secret)));
  await assert.rejects(manager.cache.get(Secret, "blue/key"), /caches only their metadata/);
  await assert.rejects(manager.cache.get(metadataOf(Secret), "grey/key"), /in namespace grey/);
  assert(
    requests.filter((each) => each.includes("secrets"))
      .every((each) => each.includes("PartialObjectMetadata")),
    requests.join("\n"),
  );
});

Deno.test("cache choices: a read in a namespace that the choice leaves out is an error, not an absence", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(Secret, { metadata: { namespace: "kube-system", name: "kept" } });
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
  const caches = [{ type: Secret, exceptNamespaces: ["kube-system"] }];
  const manager = createManager({ client, caches });
  let cache: CacheReader | undefined;
  const handle = manager.add(defineOperator({
    name: "reader",
    controllers: [
      controllerFor(ConfigMap).owns(Secret).reconcile((context) => void (cache = context.cache)),
    ],
  }));
  await using _running = manager.start();
  await handle.settled();
  const refused = {
    name: "CacheReadError",
    message:
      /no informer holds that resource in namespace kube-system, only in metadata\.namespace/,
  };
  const { shared } = cache!;
  assert.throws(() => cache!.get(Secret, "kube-system/kept"), refused);
  assert.throws(() => shared.get(Secret, "kube-system/kept"), refused);
  await assert.rejects(cache!.list(Secret, { namespace: "kube-system" }), refused);
  await assert.rejects(cache!.byIndex(Secret, "namespace", "kube-system"), CacheReadError);
  await assert.rejects(manager.cache.get(Secret, "kube-system/kept"), refused);
  await assert.rejects(manager.cache.list(Secret, { namespace: "kube-system" }), refused);
  assert.equal(cache!.get(Secret, "default/none"), undefined);
  assert.deepEqual(await cache!.list(Secret, { namespace: "default" }), []);
});

Deno.test("cache choices: compress and dropManagedFields make the cached text of a kind smaller", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const data = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key-${n}`, "value"]));
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" }, data });
  const bytesWith = async (choice: Partial<CacheChoice>): Promise<number> => {
    const manager = createManager({ client, caches: [{ type: ConfigMap, ...choice }] });
    await using running = manager.start();
    await running.ready;
    const map = await manager.cache.get(ConfigMap, "default/web");
    assert.deepEqual(map?.data, data);
    assert.equal(map.metadata.managedFields === undefined, choice.dropManagedFields ?? false);
    const { storedBytes } = manager.informers[0]!.indexer as { readonly storedBytes?: number };
    return storedBytes!;
  };
  const whole = await bytesWith({});
  const dropped = await bytesWith({ dropManagedFields: true });
  const compressed = await bytesWith({ compress: true });
  assert(dropped < 0.8 * whole, `${dropped} of ${whole} bytes`);
  assert(compressed < 0.8 * whole, `${compressed} of ${whole} bytes`);
});

Deno.test("cache choices: two operators with different transforms of one kind are refused, with other selectors not", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const manager = createManager({ client });
  const operator = (name: string, source: SourceOptions) =>
    defineOperator({
      name,
      controllers: [controllerFor(ConfigMap, source).named(name).reconcile(() => {})],
    });
  manager.add(operator("one", { transform: (object) => object }));
  assert.throws(
    () => manager.add(operator("two", { transform: (object) => ({ ...object }) })),
    /Cannot share informer configmaps\.v1: it was made with another transform/,
  );
  assert.throws(() => manager.add(operator("whole", {})), /another transform, or without one/);
  manager.add(operator("three", { labelSelector: "a=b", transform: (object) => ({ ...object }) }));
  assert.deepEqual(
    manager.health.caches.map(({ informer }) => informer),
    ["configmaps.v1", "configmaps.v1 (a=b)"],
  );
});
