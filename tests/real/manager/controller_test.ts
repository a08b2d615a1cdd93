/** Controllers on a real kube-apiserver: whole operators, with rivals, lag and namespaces on their way out. */
import assert from "node:assert/strict";
import { type Client, createClient, createTransport, mergePatch } from "../../../lib/client/mod.ts";
import {
  controllerFor,
  defineOperator,
  type Operator,
  type OperatorHandle,
  reconcileOnce,
  runOperator,
  type RunOperatorOptions,
} from "../../../lib/controller/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  metadataOf,
  Namespace,
  resourceType,
  Secret,
  setControllerReference,
  type UnstructuredObject,
} from "../../../lib/apimachinery/meta/mod.ts";
import { type Clock, systemClock } from "../../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import { seededRandom } from "../../../lib/apimachinery/base/time/random.ts";
import { Xca, xcaCrd, xcaOperator, Xtls, xtlsCrd } from "../../../lib/xca/mod.ts";
import { until } from "../../support/until.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ audit: true });

/** A namespace of its own per test, so that none sees what another left. */
async function withNamespace(
  plane: Plane,
  name: string,
  test: (client: Client) => Promise<void>,
): Promise<void> {
  using client = createClient(plane.config);
  await client.create(Namespace, { metadata: { name } });
  await test(client);
}

async function running(
  operator: Operator,
  options: RunOperatorOptions,
  test: (handle: OperatorHandle) => Promise<unknown>,
): Promise<void> {
  const handle = runOperator(operator, options);
  try {
    await test(handle);
  } finally {
    await handle.stop();
  }
}

function object(namespace: string, name: string, fields = {}): UnstructuredObject {
  return { metadata: { namespace, name }, ...fields };
}

/** Ensures that each ConfigMap has a Secret of the same name with the same data. */
const copier: Operator = defineOperator({
  name: "copier",
  controllers: [
    controllerFor(ConfigMap, { labelSelector: "copy=true" }).owns(Secret)
      .options({ workers: 4 })
      .reconcile(async ({ key, namespace, name, cache, client }) => {
        const map = cache.get(ConfigMap, key);
        if (!map || cache.get(Secret, key)) return;
        const secret = object(namespace, name, { stringData: map.data });
        setControllerReference(secret, map, ConfigMap);
        await client.create(Secret, secret);
      }),
  ],
});

suite.test("owns: a deleted child is created again", async (plane) => {
  const namespace = "owns";
  await withNamespace(plane, namespace, async (client) => {
    const labels = { copy: "true" };
    await client.create(ConfigMap, {
      metadata: { namespace, name: "a", labels },
      data: { greeting: "hello" },
    });
    await client.create(ConfigMap, object(namespace, "unlabelled"));
    await running(copier, { client, namespace }, async () => {
      const uidOf = (): Promise<string | undefined> =>
        client.get(Secret, `${namespace}/a`).then(({ metadata }) => metadata.uid, () => undefined);
      await until(async () => await uidOf() !== undefined, "the secret");
      const first = await uidOf();
      await client.delete(Secret, `${namespace}/a`);
      await until(async () => ![undefined, first].includes(await uidOf()), "the second secret");
      const names = (await client.list(Secret, { namespace })).items.map((each) =>
        each.metadata.name
      );
      assert.deepEqual(names, ["a"]);
    });
  });
});

suite.test("watches: a change of another object leads to the objects that the mapping returns", async (plane) => {
  const namespace = "watches";
  await withNamespace(plane, namespace, async (client) => {
    const seen: string[] = [];
    const operator = defineOperator({
      name: "watcher",
      controllers: [
        controllerFor(Secret).watches(ConfigMap, async ({ namespace }, { cache }) => {
          const secrets = await cache.list(Secret, { namespace });
          return secrets.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
        }, { labelSelector: "settings=true" }).reconcile(({ key, cache }) => {
          const version = cache.get(Secret, key)!.metadata.resourceVersion;
          seen.push(`${key} ${version === undefined}`);
        }),
      ],
    });
    for (const name of ["a", "b"]) await client.create(Secret, object(namespace, name));
    await running(operator, { client, namespace }, async (handle) => {
      assert.equal((await handle.settled()).initialKeys, 2);
      assert.deepEqual(seen.splice(0).sort(), [`${namespace}/a false`, `${namespace}/b false`]);
      await client.create(ConfigMap, {
        metadata: { namespace, name: "settings", labels: { settings: "true" } },
      });
      await until(() => seen.length >= 2, "both secrets");
      assert.deepEqual(seen.sort(), [`${namespace}/a false`, `${namespace}/b false`]);
    });
  });
});

suite.test("three controllers of one resource make one list-watch", async (plane) => {
  const namespace = "shared";
  await withNamespace(plane, namespace, async (client) => {
    const nothing = (): void => {};
    const operator = defineOperator({
      name: "shared",
      controllers: [
        controllerFor(ConfigMap).named("one").reconcile(nothing),
        controllerFor(ConfigMap).named("two").reconcile(nothing),
        controllerFor(Secret).owns(ConfigMap).reconcile(nothing),
      ],
    });
    await running(operator, { client, namespace }, (handle) => handle.settled());
    const asked = (await plane.auditEvents()).filter(({ objectRef, verb, stage }) =>
      objectRef?.namespace === namespace && objectRef.resource === "configmaps" &&
      ["list", "watch"].includes(verb) && stage === "ResponseStarted"
    );
    assert.deepEqual(asked.map(({ verb }) => verb), ["watch"]);
  });
});

suite.test("B58 with a resync period each object is reconciled again without a change", async (plane) => {
  await withNamespace(plane, "resync", async (client) => {
    await client.create(ConfigMap, object("resync", "still"));
    let runs = 0;
    const operator = defineOperator({
      name: "resync",
      controllers: [
        controllerFor(ConfigMap).options({ resyncPeriodMs: 1_000 }).reconcile(({ name }) => {
          if (name === "still") runs++;
        }),
      ],
    });
    await running(operator, { client, namespace: "resync" }, () => until(() => runs >= 3));
  });
});

suite.test("F26 children with random names: one per parent, whatever events arrive while the cache lags", async (plane) => {
  const namespace = "children";
  await withNamespace(plane, namespace, async (client) => {
    using transport = createTransport(plane.config);
    using lagging = createClient(plane.config, {
      fetch: async (request) => {
        const response = await transport.fetch(request);
        const isWatch = /\/secrets\?.*watch=/.test(request.url);
        return isWatch ? new Response(late(response.body!), response) : response;
      },
    });
    const operator = defineOperator({
      name: "parents",
      controllers: [
        controllerFor(ConfigMap, { labelSelector: "parent=true" }).owns(Secret)
          .options({ workers: 8 })
          .reconcile(async ({ key, cache, client }) => {
            const map = cache.get(ConfigMap, key);
            if (!map) return;
            const labels = { of: map.metadata.name! };
            const there = await cache.list(Secret, { namespace, labelSelector: `of=${labels.of}` });
            if (there.length > 0) return;
            const child: UnstructuredObject = {
              metadata: { namespace, generateName: "child-", labels },
            };
            setControllerReference(child, map, ConfigMap);
            await client.create(Secret, child);
          }),
      ],
    });
    const names = Array.from({ length: 30 }, (_, index) => `parent-${index}`);
    await running(operator, { client: lagging, namespace }, async (handle) => {
      await handle.ready;
      await Promise.all(names.map(async (name) => {
        await client.create(ConfigMap, {
          metadata: { namespace, name, labels: { parent: "true" } },
        });
        for (let round = 0; round < 5; round++) {
          const patch = mergePatch({ data: { round: `${round}` } });
          await client.patch(ConfigMap, `${namespace}/${name}`, patch);
        }
      }));
      await until(async () => {
        const { items } = await client.list(Secret, { namespace });
        return new Set(items.map(({ metadata }) => metadata.labels!.of)).size === names.length;
      }, "a child for each parent");
      await until(() => {
        const { queued, processing, delayed } = handle.progress();
        return queued + processing + delayed === 0;
      }, "nothing left to do");
    });
    assert.equal((await client.list(Secret, { namespace })).items.length, names.length);
  });
});

suite.test("F31 a terminating namespace: recognized, no retry, no failure", async (plane) => {
  const namespace = "going";
  await withNamespace(plane, namespace, async (client) => {
    const labels = { copy: "true" };
    await client.create(ConfigMap, { metadata: { namespace, name: "a", labels } });
    // Nothing empties namespaces here, so it stays as it is: terminating.
    await client.delete(Namespace, namespace);
    await running(copier, { client, namespace }, async (handle) => {
      const { initialKeys, failed } = await handle.settled();
      assert.deepEqual([initialKeys, failed], [1, []]);
    });
    const refused = (await plane.auditEvents()).filter(({ verb, objectRef }) =>
      verb === "create" && objectRef?.resource === "secrets" && objectRef.namespace === namespace
    );
    assert.deepEqual(refused.map(({ responseStatus }) => responseStatus?.code), [403]);
  });
});

suite.test("F29 an operator without its CustomResourceDefinition reports it", async (plane) => {
  using transport = createTransport(plane.config);
  let reads = 0;
  using client = createClient(plane.config, {
    fetch: (request) => {
      if (request.url.includes("/nobodys")) reads++;
      return transport.fetch(request);
    },
  });
  const Nobodys = resourceType({ group: "a.b", version: "v1", kind: "Nobody", plural: "nobodys" });
  const syncTimeoutMs = 3_600_000;
  let endWaiting = (): void => {};
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, callback) => {
      if (delayMs === syncTimeoutMs) endWaiting = callback;
      return systemClock.after(delayMs, callback);
    },
  };
  const operator = defineOperator({
    name: "early",
    controllers: [controllerFor(Nobodys).options({ syncTimeoutMs }).reconcile(() => {})],
  });
  const handle = runOperator(operator, { client, clock });
  await until(() => reads > 2, "the first reads are answered");
  endWaiting();
  await assert.rejects(handle.done, {
    name: "CacheSyncError",
    message: /nobodys\.v1\.a\.b: .* install their CustomResourceDefinition/,
  });
});

suite.test("Xca and Xtls, end to end: each becomes active, each is written once", async (plane) => {
  const namespace = "xca";
  await withNamespace(plane, namespace, async (client) => {
    await installCrds(client);
    const names = Array.from({ length: 40 }, (_, index) => `x-${index}`);
    const create = (name: string) =>
      Promise.all([
        client.create(Xca, { metadata: { namespace, name }, spec: { foo: name } }),
        client.create(Xtls, { metadata: { namespace, name }, spec: { foo: name } }),
      ]);
    await Promise.all(names.slice(0, 20).map(create));
    await running(xcaOperator, { client, namespace }, async (handle) => {
      const { initialKeys, failed } = await handle.settled();
      assert.deepEqual([initialKeys, failed], [40, []]);
      await Promise.all(names.slice(20).map(create));
      await until(() => allActive(client, namespace, names.length), "all active");
    });
    // Each is active, so each was written; the log shows that none was written twice.
    const written = await statusWrites(plane, namespace, 200);
    assert.deepEqual(twice(written), []);
    assert(written.length > names.length, `only ${written.length} writes are logged`);
    assert.deepEqual(await statusWrites(plane, namespace, 409), []);
  });
});

suite.test("F28 409 on each first status write: every Xca becomes active nevertheless", async (plane) => {
  const namespace = "rivals";
  await withNamespace(plane, namespace, async (rival) => {
    await installCrds(rival);
    const names = Array.from({ length: 20 }, (_, index) => `x-${index}`);
    await Promise.all(
      names.map((name) => rival.create(Xca, { metadata: { namespace, name }, spec: { foo: "a" } })),
    );
    using transport = createTransport(plane.config);
    const met = new Set<string>();
    using client = createClient(plane.config, {
      fetch: async (request) => {
        const [, name] = /\/xcas\/([^/]+)\/status/.exec(request.url) ?? [];
        if (request.method === "PUT" && name && !met.has(name)) {
          met.add(name);
          await rival.patch(Xca, `${namespace}/${name}`, mergePatch({ spec: { foo: "b" } }));
        }
        return await transport.fetch(request);
      },
    });
    await running(xcaOperator, { client, namespace, workers: 4 }, async () => {
      await until(() => allActive(rival, namespace, names.length), "all active");
    });
    assert.equal(new Set(await statusWrites(plane, namespace, 409)).size, names.length);
    assert.deepEqual(twice(await statusWrites(plane, namespace, 200)), []);
  });
});

suite.test("metadataOf, an index and a namespace of a source: requests, cache and reads", async (plane) => {
  const namespace = "metadata";
  await withNamespace(plane, namespace, async (client) => {
    const map = await client.create(ConfigMap, object(namespace, "parent"));
    const secret = object(namespace, "child", { stringData: { password: "hidden" } });
    setControllerReference(secret, map, ConfigMap);
    await client.create(Secret, secret);
    const seen: unknown[] = [];
    const operator = defineOperator({
      name: "metadata",
      controllers: [
        controllerFor(ConfigMap, { labelSelector: "!kubernetes" })
          .owns(metadataOf(Secret), {
            namespaces: [namespace],
            indexes: { owner: ({ ownerReferences }) => ownerReferences.map(({ uid }) => uid) },
          })
          .reconcile(async ({ key, cache }) => {
            const uid = cache.get(ConfigMap, key)?.metadata.uid ?? "";
            seen.push(...await cache.byIndex(metadataOf(Secret), "owner", uid));
          }),
      ],
    });
    await running(operator, { client, namespace }, async (handle) => {
      await handle.idle();
      await client.patch(
        Secret,
        `${namespace}/child`,
        mergePatch({ metadata: { labels: { a: "b" } } }),
      );
      await handle.idle();
    });
    const last = seen.at(-1) as UnstructuredObject;
    assert.deepEqual(Object.keys(last).sort(), ["apiVersion", "kind", "metadata"]);
    assert.deepEqual(last.metadata, (await client.get(Secret, `${namespace}/child`)).metadata);
    assert(!JSON.stringify(seen).includes(btoa("hidden")));
    const once = await reconcileOnce(operator.controllers[0]!, `${namespace}/parent`, { client });
    assert.equal(once, undefined);
    assert.deepEqual(seen.at(-1), last);
  });
});

suite.test("F35 F36 a reconciler that throws, or never settles, delays no other key", async (plane) => {
  const namespace = "bad";
  await withNamespace(plane, namespace, async (client) => {
    const seed = Number(Deno.env.get("XCA_SEED") ?? 1);
    const random = seededRandom(seed);
    const names = Array.from({ length: 12 }, (_, index) => `map-${index}`);
    for (const name of names) await client.create(ConfigMap, object(namespace, name));
    const active = new Set<string>();
    const doubled: string[] = [];
    const failedOnce = new Set<string>();
    const operator = defineOperator({
      name: "bad",
      controllers: [
        controllerFor(ConfigMap).options({ workers: 2, timeoutMs: 1_500, abortGraceMs: 500 })
          .reconcile(async ({ key, name, cache, client }) => {
            if (active.has(key)) doubled.push(key);
            active.add(key);
            if (name === "map-3") return await new Promise<void>(() => {});
            active.delete(key);
            if (!failedOnce.has(name) && random.next() < 0.5) {
              failedOnce.add(name);
              throw new Error("by chance");
            }
            const map = cache.get(ConfigMap, key);
            if (!map || map.data) return;
            await client.update(ConfigMap, { ...map, data: { done: "true" } });
          }),
      ],
    });
    await running(operator, { client, namespace, gracePeriodMs: 100 }, async (handle) => {
      const { failed } = await handle.settled();
      assert.deepEqual(failed.map(({ key }) => key), [`${namespace}/map-3`], `seed=${seed}`);
      assert.deepEqual(handle.progress().stuck.map(({ key }) => key), [`${namespace}/map-3`]);
    });
    const { items } = await client.list(ConfigMap, { namespace });
    const undone = items.filter(({ data }) => !data).map(({ metadata }) => metadata.name);
    assert.deepEqual([undone, doubled], [["map-3"], []], `seed=${seed}`);
  });
});

/** Returns the same bytes with each chunk delayed; a reader that cancels does not wait. */
function late(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const gone = new AbortController();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      await delay(200, { signal: gone.signal });
      controller.enqueue(value);
    },
    cancel(reason) {
      gone.abort();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

async function installCrds(client: Client): Promise<void> {
  for (const crd of [xcaCrd, xtlsCrd]) {
    const { name } = crd.metadata;
    await client.get(CustomResourceDefinition, name!)
      .catch(() => client.create(CustomResourceDefinition, crd));
  }
  for (const type of [Xca, Xtls]) {
    await until(() => client.list(type).then(() => true, () => false), `${type.plural} served`);
  }
}

async function allActive(client: Client, namespace: string, count: number): Promise<boolean> {
  const { items } = await client.list(Xca, { namespace });
  return items.length === count && items.every(({ status }) => status?.active === true);
}

/** Returns the values that occur more than once in a list. */
function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

async function statusWrites(
  plane: Plane,
  namespace: string,
  code: number,
): Promise<string[]> {
  return (await plane.auditEvents()).filter(({ verb, objectRef, responseStatus }) =>
    verb === "update" && objectRef?.namespace === namespace && objectRef.subresource === "status" &&
    responseStatus?.code === code
  ).map(({ objectRef }) => `${objectRef!.resource}/${objectRef!.name}`);
}
