/** Tests of the guarantees of informers on a real API server. */
import assert from "node:assert/strict";
import { InformerFactory } from "../../../lib/cache/informer/informer_factory.ts";
import { chance, Recorder } from "../../../lib/cache/informer/informer_fakes_test.ts";
import { isSameText } from "../../../lib/cache/packed/packed_entry.ts";
import type { SharedInformer } from "../../../lib/cache/informer/shared_informer.ts";
import type { Client } from "../../../lib/client/typed/client.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import { ConfigMap, Namespace } from "../../../lib/apimachinery/meta/builtin.ts";
import type { V1ConfigMap } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import type { KubeObject } from "../../../lib/apimachinery/meta/object.ts";
import { FaultProxy } from "../../../lib/testing/faults/fault_proxy.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ audit: true });

/** A namespace of its own, and a factory whose way to the server can be broken. */
class Scene implements AsyncDisposable {
  readonly factory: InformerFactory;
  readonly informer: SharedInformer<V1ConfigMap>;
  readonly abort = new AbortController();

  private constructor(
    readonly namespace: string,
    readonly direct: Client,
    readonly behind: Client,
    readonly proxy: FaultProxy,
  ) {
    this.factory = new InformerFactory(behind, {
      namespace,
      freeze: true,
      reflector: { backoff: { initialMs: 50, maxMs: 500 } },
    });
    this.informer = this.factory.informer(ConfigMap);
  }

  static async make(plane: Plane, namespace: string): Promise<Scene> {
    const direct = createClient(plane.config);
    await direct.create(Namespace, { metadata: { name: namespace } });
    const proxy = FaultProxy.start({ target: plane.url });
    const server = proxy.urlOf(plane.url);
    const behind = createClient({ ...plane.config, server, userAgent: `informer-${namespace}` });
    return new Scene(namespace, direct, behind, proxy);
  }

  async start(): Promise<void> {
    this.factory.start(this.abort.signal);
    await this.factory.whenSynced(this.abort.signal);
  }

  async put(name: string, data: Record<string, string> = {}): Promise<void> {
    const metadata = { name, namespace: this.namespace };
    await this.direct.patch(ConfigMap, `${this.namespace}/${name}`, {
      type: "apply",
      fieldManager: "test",
      force: true,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata, data },
    });
  }

  async remove(name: string): Promise<void> {
    await this.direct.delete(ConfigMap, `${this.namespace}/${name}`);
  }

  /** A fresh LIST, as a {@linkcode Recorder.text}. */
  async listed(): Promise<string> {
    const { items } = await this.direct.list(ConfigMap, { namespace: this.namespace });
    return textOf(items);
  }

  /** Waits until the cache, read as everybody reads it, and every view equal a fresh LIST. */
  async untilEqual(...recorders: Recorder[]): Promise<void> {
    const expected = await this.listed();
    await until(
      async () =>
        textOf(await this.informer.lister.list()) === expected &&
        recorders.every(({ text }) => text === expected),
      `the cache of ${this.namespace} equals a fresh list`,
    );
    for (const { faults } of recorders) assert.deepEqual(faults, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort.abort();
    await this.factory.done;
    this.behind[Symbol.dispose]();
    this.direct[Symbol.dispose]();
    await this.proxy[Symbol.asyncDispose]();
  }
}

function textOf(objects: readonly KubeObject[]): string {
  return objects.map(({ metadata: { namespace, name, resourceVersion, uid } }) =>
    `${namespace}/${name}@${resourceVersion}/${uid}`
  ).sort().join();
}

suite.test("F47 ten handlers and several listers on one kind make one list-watch", async (plane) => {
  await using on = await Scene.make(plane, "one-watch");
  const recorders = Array.from({ length: 10 }, () => new Recorder());
  for (const recorder of recorders) on.factory.informer(ConfigMap).addHandler(recorder);
  await on.put("before");
  await on.start();
  await on.start();
  const listers = Array.from({ length: 3 }, () => on.factory.informer(ConfigMap).lister);
  await on.put("after");
  await on.untilEqual(...recorders);
  for (const lister of listers) {
    assert.deepEqual(lister.namespace("one-watch").keys().sort(), await keysOf(on));
  }
  assert.equal(on.factory.cacheReader.get(ConfigMap, "one-watch/after")?.kind, "ConfigMap");
  const asked = () =>
    plane.auditEvents().then((events) =>
      events.filter(({ userAgent, stage }) =>
        userAgent === "informer-one-watch" && stage !== "ResponseComplete"
      ).map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`)
    );
  await until(async () => (await asked()).length > 0, "the watch is in the audit log");
  assert.deepEqual(await asked(), ["watch configmaps"]);
  const lists = (await plane.auditEvents()).filter(({ userAgent, verb }) =>
    userAgent === "informer-one-watch" && verb === "list"
  );
  assert.deepEqual(lists, [], "WatchList needs no LIST");
});

async function keysOf(on: Scene): Promise<string[]> {
  const { items } = await on.direct.list(ConfigMap, { namespace: on.namespace });
  return items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
}

suite.test("B60 a late handler is notified of all existing objects, then of changes", async (plane) => {
  await using on = await Scene.make(plane, "late-handler");
  for (const name of ["a", "b"]) await on.put(name);
  await on.start();
  await on.untilEqual();
  const late = new Recorder();
  const registration = on.informer.addHandler(late);
  await registration.whenSynced(AbortSignal.timeout(120_000));
  assert.deepEqual(late.initial.filter((name) => name.length === 1).sort(), ["a", "b"]);
  await on.put("c");
  await on.remove("a");
  await on.untilEqual(late);
  assert.equal(late.initial.includes("c"), false);
});

suite.test("the cache equals a fresh list after random writes, cuts and a late handler", async (plane) => {
  const { seed, pick } = chance();
  await using on = await Scene.make(plane, "random-writes");
  const recorders = [new Recorder(), new Recorder()];
  on.informer.addHandler(recorders[0]!);
  on.informer.addHandler(recorders[1]!, { resyncPeriodMs: 1_000 });
  await on.start();
  const there = new Set<string>();
  for (let step = 0; step < 120; step++) {
    const name = `doc-${pick(12)}`;
    if (there.has(name) && pick(3) === 0) {
      await on.remove(name);
      there.delete(name);
    } else {
      await on.put(name, { step: `${step}`, text: "ü".repeat(pick(200)) });
      there.add(name);
    }
    if (pick(20) === 0) on.proxy.cutAfter(pick(3_000));
    if (step === 60) {
      recorders.push(new Recorder());
      on.informer.addHandler(recorders[2]!);
    }
  }
  await on.untilEqual(...recorders);
  assert.equal(there.size > 0, true, `seed=${seed}`);
});

suite.test("F24 F25 objects deleted or recreated while history was lost are notified as such", async (plane) => {
  await using on = await Scene.make(plane, "while-away");
  for (const name of ["kept", "changed", "deleted", "recreated"]) await on.put(name);
  const recorder = new Recorder();
  on.informer.addHandler(recorder);
  await on.start();
  await on.untilEqual(recorder);
  const before = on.informer.indexer.getPacked("while-away/kept")!;
  recorder.take();
  await on.proxy.refuse();
  on.proxy.cutAll();
  await on.put("changed", { text: "new" });
  await on.remove("deleted");
  await on.remove("recreated");
  await on.put("recreated");
  await plane.expireHistory();
  await on.put("new");
  await on.proxy.resume();
  await on.untilEqual(recorder);
  const told = recorder.take().map((each) => each.replace(/@[\d>]+/, "")).sort();
  assert.deepEqual(told, [
    "add new",
    "add recreated",
    "delete deleted?",
    "delete recreated?",
    "update changed",
  ]);
  const kept = on.informer.indexer.getPacked("while-away/kept")!;
  assert(isSameText(kept, before), "what did not change keeps its bytes");
});

suite.test("F35 a handler that throws delays neither the watch nor other handlers", async (plane) => {
  await using on = await Scene.make(plane, "throwing");
  const registration = on.informer.addHandler({
    onAdd: () => {
      throw new Error("a handler's own fault");
    },
  });
  const recorder = new Recorder();
  on.informer.addHandler(recorder);
  await on.start();
  for (const name of ["a", "b", "c"]) await on.put(name);
  await on.untilEqual(recorder);
  assert.equal(registration.failures > 0, true);
  assert.equal(on.informer.health.restarts, 0);
});
