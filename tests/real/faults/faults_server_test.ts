/** Faults of the API server itself, and of what it holds, under the Xca operator. */
import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../../lib/apimachinery/base/time/clock.ts";
import { listWatch } from "../../../lib/cache/watch/list_watch.ts";
import { SharedInformer } from "../../../lib/cache/informer/shared_informer.ts";
import { isInvalid } from "../../../lib/client/errors/api_error.ts";
import { mergePatch } from "../../../lib/client/typed/patch.ts";
import { ConfigMap, CustomResourceDefinition } from "../../../lib/apimachinery/meta/builtin.ts";
import type { UnstructuredObject } from "../../../lib/apimachinery/meta/object.ts";
import { type ResourceType, resourceType } from "../../../lib/apimachinery/meta/resource_type.ts";
import { FaultProxy } from "../../../lib/testing/faults/fault_proxy.ts";
import { ConversionWebhook } from "../../conformance/custom_resources/conversion_webhook.ts";
import { FaultRig } from "../../support/faults/fault_rig.ts";
import {
  corrupted,
  isDiscovery,
  isStatusWrite,
  isWatch,
  refusal,
} from "../../support/faults/faulty_fetch.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

suite.test("F17 the API server is killed and restarted: the state stays readable, nothing is lost", async (plane) => {
  await using rig = await FaultRig.start(plane);
  const { health } = rig.informer;
  for (const name of ["a", "b", "c"]) await rig.create(name);
  await rig.converges();
  await plane.killApiserver();
  await until(() => health.failing !== undefined, "the death is noticed");
  assert.equal(rig.informer.indexer.size, 3);
  assert.equal(rig.informer.indexer.get(rig.key("a"))?.status?.active, true);
  await plane.startApiserver();
  await rig.delete("b");
  await rig.change("c", "changed");
  await rig.create("d");
  await rig.converges();
  assert.equal(health.failing, undefined);
});

suite.test("F17 the API server dies while keys are being reconciled: each is finished by a retry", async (plane) => {
  await using rig = await FaultRig.start(plane);
  await rig.create("first");
  await rig.converges();
  const created = Array.from({ length: 60 }, (_, index) => rig.create(`n${index}`));
  await Promise.all(created);
  await plane.restartApiserver();
  await rig.converges();
  // A write may have been taken whose answer died with the server: its key is tried once more.
  await until(() => rig.operator.progress().failing.length === 0, "no key fails any more");
});

suite.test("F07 F24 history compacted while disconnected: one list, and missed deletes are notified with the last known object", async (plane) => {
  await using proxy = FaultProxy.start({ target: plane.url });
  await using rig = await FaultRig.start(plane, {
    config: { ...plane.config, server: proxy.urlOf(plane.url) },
  });
  const { health } = rig.informer;
  const lost: string[] = [];
  rig.informer.addHandler({
    onDelete: (last) => {
      if (last.finalStateUnknown) lost.push(`${last.name} ${last.object.spec?.foo}`);
    },
  });
  for (const name of ["kept", "gone-1", "gone-2", "changed"]) await rig.create(name);
  await rig.converges();
  const wholeReads = health.lists + health.watchLists;
  await proxy.refuse();
  proxy.cutAll();
  await rig.delete("gone-1");
  await rig.delete("gone-2");
  await rig.change("changed", "anew");
  await rig.create("new");
  await plane.expireHistory();
  await proxy.resume();
  await rig.converges();
  assert.deepEqual(lost.sort(), ["gone-1 gone-1", "gone-2 gone-2"]);
  assert.equal(health.lists + health.watchLists, wholeReads + 1);
  assert.equal(rig.events.story(rig.key("kept")).length, 2); // added, made active, and no more
  assert.equal(rig.events.story(rig.key("gone-1")).at(-1), "lost");
});

for (const compacted of [false, true]) {
  const what = compacted ? "and history compacted" : "history kept";
  suite.test(`F25 deleted and recreated under one name while disconnected, ${what}: notified as delete, then add`, async (plane) => {
    await using proxy = FaultProxy.start({ target: plane.url });
    await using rig = await FaultRig.start(plane, {
      config: { ...plane.config, server: proxy.urlOf(plane.url) },
    });
    const first = await rig.create("one");
    await rig.create("other");
    await rig.converges();
    await proxy.refuse();
    proxy.cutAll();
    await rig.delete("one");
    const second = await rig.create("one", "second");
    if (compacted) await plane.expireHistory();
    await proxy.resume();
    await rig.converges();
    const told = rig.events.all.filter(({ key }) => key === rig.key("one"));
    const end = told.findIndex(({ type }) => type === "delete");
    assert.equal(told[end]!.finalStateUnknown, compacted);
    assert.deepEqual(new Set(told.slice(0, end + 1).map(({ uid }) => uid)), uids(first));
    assert.deepEqual(new Set(told.slice(end + 1).map(({ uid }) => uid)), uids(second));
    assert.deepEqual(told.slice(end + 1).map(({ type }) => type), ["add", "update"]);
  });
}

suite.test(
  "F18 429 with Retry-After on list, watch and status writes: each wait is kept, without further requests",
  async (plane) => {
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, callback) => {
        waits.push(delayMs);
        return systemClock.after(delayMs, callback);
      },
    };
    const refused = { read: 0, write: 0 };
    const sent = { read: 0, write: 0 };
    await using rig = await FaultRig.start(plane, {
      clock,
      wrap: (fetch) => (request) => {
        if (isDiscovery(request)) return fetch(request);
        const kind = isStatusWrite(request) ? "write" : "read";
        sent[kind]++;
        if (refused[kind] === 2) return fetch(request);
        refused[kind]++;
        return Promise.resolve(refusal(429, {
          reason: "TooManyRequests",
          message: "storage is (re)initializing",
          headers: { "retry-after": "1" },
        }));
      },
    });
    await rig.create("one");
    await rig.converges();
    assert.deepEqual(refused, { read: 2, write: 2 });
    assert.equal(waits.filter((waitMs) => waitMs >= 1_000 && waitMs <= 1_500).length, 4);
    // The two refused reads and the one that worked; the two refused writes and the one that worked.
    assert.deepEqual(sent, { read: 3, write: 3 });
    assert.equal(rig.runs.began.get(rig.key("one")), 2); // one to write, one that sees the write
  },
  { realOnly: "four seconds of waits that a client's wrapper demands, not the server" },
);

suite.test("F18 503 without Retry-After for every second request: reads and writes come through", async (plane) => {
  let count = 0;
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => (request) =>
      count++ % 2 === 0 ? fetch(request) : Promise.resolve(
        refusal(503, { reason: "ServiceUnavailable", message: "the server is overloaded" }),
      ),
  });
  for (let index = 0; index < 30; index++) await rig.create(`n${index}`);
  await rig.converges();
  assert(count > 60);
});

suite.test("F16 an object of 3.6 MB of JSON, from the real server, in list and watch", async (plane) => {
  await using rig = await FaultRig.start(plane);
  const { direct, namespace } = rig;
  // One byte in protobuf, as the server stores it; six in JSON, as the server sends it. So the text
  // passes the limits of request (3 MiB) and storage (1.5 MiB) and is larger than both.
  const piece = "\u0001".repeat(200_000);
  const metadata = { namespace, name: "huge" };
  const informer = new SharedInformer({
    type: ConfigMap,
    listerWatcher: listWatch(rig.client, ConfigMap, { namespace }),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await direct.create(ConfigMap, { metadata, data: { a: piece } });
  for (const name of ["b", "c"]) {
    await direct.patch(ConfigMap, rig.key("huge"), mergePatch({ data: { [name]: piece } }));
  }
  const listed = await direct.get(ConfigMap, rig.key("huge"));
  const { resourceVersion } = listed.metadata;
  const has = (each: typeof informer): boolean =>
    each.indexer.getPacked(rig.key("huge"))?.resourceVersion === resourceVersion;
  await until(() => has(informer), "the watch brings it");
  const late = new SharedInformer({
    type: ConfigMap,
    listerWatcher: listWatch(rig.client, ConfigMap, { namespace }),
    reflector: { watchList: false },
  });
  const runningLate = late.run(stop.signal);
  await until(() => has(late), "the list brings it");
  for (const each of [informer, late]) {
    assert(each.indexer.getPacked(rig.key("huge"))!.byteLength > 3 * 1024 * 1024);
    assert.deepEqual(each.indexer.get(rig.key("huge")), listed);
    assert.deepEqual([each.health.failures, each.health.undecodable], [0, 0]);
  }
  stop.abort();
  await Promise.all([running, runningLate]);
  await direct.delete(ConfigMap, rig.key("huge"));
});

suite.test("F16 an Xca of 1.4 MB becomes active like any other", async (plane) => {
  await using rig = await FaultRig.start(plane);
  await rig.create("small");
  await rig.create("huge", "x".repeat(1_400_000));
  await rig.converges();
  await rig.change("huge", "y".repeat(1_400_000));
  await rig.converges();
  assert.equal(rig.informer.health.failures, 0);
});

suite.test("F15 one object with invalid UTF-8: reported and left out; the others continue; stored once it is repaired", async (plane) => {
  let broken = true;
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => corrupted(fetch, "~damaged~", () => broken),
  });
  const { health, indexer } = rig.informer;
  await rig.create("before");
  await rig.converges();
  await rig.create("bad", "a ~damaged~ text");
  await rig.create("after");
  await until(() => indexer.get(rig.key("after"))?.status?.active === true, "others go on");
  assert(health.undecodable > 0);
  assert.equal(health.lastError?.kind, "undecodable");
  assert.match(health.lastError.message, /UTF-8/);
  assert.equal(indexer.get(rig.key("bad")), undefined);
  await rig.change("before", "changed");
  await rig.delete("after");
  await until(() => indexer.get(rig.key("before"))?.spec?.foo === "changed", "others go on");
  broken = false;
  await rig.change("bad", "mended");
  await rig.converges();
});

suite.test("F15 invalid UTF-8 in the first list: the others are stored and become active; the object once it is repaired", async (plane) => {
  let broken = true;
  const { promise: areMade, resolve: made } = Promise.withResolvers<void>();
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => async (request) => {
      if (isWatch(request) || request.method === "GET") await areMade;
      return await corrupted(fetch, "~damaged~", () => broken)(request);
    },
  });
  await rig.create("a");
  await rig.create("bad", "a ~damaged~ text");
  await rig.create("b");
  made();
  const { indexer, health } = rig.informer;
  await until(
    () => ["a", "b"].every((name) => indexer.get(rig.key(name))?.status?.active === true),
    "the others become active",
  );
  assert(health.undecodable > 0);
  assert.equal(indexer.get(rig.key("bad")), undefined);
  broken = false;
  await rig.change("bad", "mended");
  await rig.converges();
});

function uids(object: { readonly metadata: { readonly uid?: string } }): Set<string> {
  return new Set([object.metadata.uid!]);
}

/** A kind of two versions, stored as `v1`. */
const [v1, v2] = ["v1", "v2"].map((version) =>
  resourceType({ group: "faults.example.org", version, kind: "Widget", plural: "widgets" })
) as [ResourceType<UnstructuredObject>, ResourceType<UnstructuredObject>];

/** Returns the CustomResourceDefinition of the kind. */
function widgets(conversion: unknown, spec: object = {}): UnstructuredObject {
  const keeps = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const openAPIV3Schema = { type: "object", properties: { spec: { ...keeps, ...spec } } };
  return {
    metadata: { name: `${v1.plural}.${v1.group}` },
    spec: {
      group: v1.group,
      scope: v1.scope,
      names: { plural: v1.plural, kind: v1.kind },
      conversion,
      versions: [v1, v2].map(({ version }) => ({
        name: version,
        served: true,
        storage: version === "v1",
        schema: { openAPIV3Schema },
      })),
    },
  };
}

function sizeOf(widget: UnstructuredObject | undefined): unknown {
  return (widget?.["spec"] as { size?: number } | undefined)?.size;
}

suite.test("F30 a conversion webhook that is down, then a schema that changes: that kind alone waits, and recovers", async (plane) => {
  await using rig = await FaultRig.start(plane);
  const { direct, namespace } = rig;
  await rig.create("before");
  await rig.converges();
  const { failures } = rig.informer.health;
  const create = (name: string, spec: unknown): Promise<UnstructuredObject> =>
    direct.create(v1, { metadata: { name, namespace }, spec });
  const define = ({ metadata, spec }: UnstructuredObject): Promise<unknown> => {
    const patch = mergePatch({ spec });
    return direct.patch(CustomResourceDefinition, metadata.name!, patch);
  };
  await direct.create(CustomResourceDefinition, widgets({ strategy: "None" }));
  await until(() => create("old", {}).then(() => true, () => false), "widgets are served");
  const webhook = await ConversionWebhook.start();
  await webhook[Symbol.asyncDispose]();
  const clientConfig = { url: webhook.url, caBundle: webhook.caBundle };
  const reviews = { clientConfig, conversionReviewVersions: ["v1"] };
  await define(widgets({ strategy: "Webhook", webhook: reviews }));
  const isDown = (): Promise<boolean> =>
    direct.get(v2, `${namespace}/old`).then(() => false, (error) => /webhook/.test(error.message));
  await until(isDown, "the webhook is asked");

  const informer = new SharedInformer({
    type: v2,
    listerWatcher: listWatch(rig.client, v2, { namespace }),
    reflector: { backoff: { initialMs: 20, maxMs: 500 } },
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await until(
    () => /conversion webhook .* failed/.test(informer.health.failing?.message ?? ""),
    "the kind is not in sync, and says so",
  );
  await rig.create("of-another-kind");
  await rig.converges();
  assert.equal(rig.informer.health.failures, failures);

  await define(widgets({ strategy: "None", webhook: null }));
  await until(() => informer.indexer.get(`${namespace}/old`) !== undefined, "it is in sync");
  await define(
    widgets({ strategy: "None" }, { properties: { size: { type: "integer", minimum: 1 } } }),
  );
  const isRefused = (): Promise<boolean> =>
    create("none", { size: 0 }).then(() => false, isInvalid);
  await until(isRefused, "the schema is in force");
  await direct.patch(v1, `${namespace}/old`, mergePatch({ spec: { size: 2 } }));
  await until(() => sizeOf(informer.indexer.get(`${namespace}/old`)) === 2, "a change is told");
  await until(() => informer.health.failing === undefined, "all is well");
  assert.equal(rig.informer.health.failures, failures);
  stop.abort();
  await running;
});
