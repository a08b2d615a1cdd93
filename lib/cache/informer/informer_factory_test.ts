import assert from "node:assert/strict";
import type { Client } from "../../client/typed/client.ts";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawResource } from "../../client/raw/raw.ts";
import { ConfigMap, Node, Pod, type ResourceType } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { clientOf } from "../../testing/embedded_client.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { CacheReadError } from "../readers/cache_read_error.ts";
import { Doc, doc, FakeCollection } from "./informer_fakes_test.ts";
import { InformerFactory, type InformerFactoryOptions } from "./informer_factory.ts";

/** A test client whose every resource is one collection of Docs, and an informer factory on it. */
class Bench implements AsyncDisposable {
  readonly collection = new FakeCollection();
  readonly clock = new FakeClock();
  /** The watch requests that the test client received, as `docs.v1.example.org ns app=web`. */
  readonly watches: string[] = [];
  readonly factory: InformerFactory;
  readonly abort = new AbortController();

  constructor(options: InformerFactoryOptions = {}) {
    const raw = (type: ResourceType, { namespace = "" }: { namespace?: string } = {}) => {
      const note = ({ labelSelector = "", fieldSelector = "" }: ListQuery | WatchQuery) =>
        this.watches.push([type.id, namespace, labelSelector, fieldSelector].join(" ").trimEnd());
      const resource: RawResource = {
        list: (query, onItems, options) =>
          this.collection.list(query, onItems, options as { signal: AbortSignal }),
        watch: (query, options) => {
          note(query);
          return this.collection.watch(query, options as never);
        },
      };
      return resource;
    };
    this.factory = new InformerFactory({ raw: raw as Client["raw"] }, {
      clock: this.clock,
      ...options,
    });
  }

  async start(): Promise<void> {
    this.factory.start(this.abort.signal);
    await this.factory.whenSynced(this.abort.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort.abort();
    await this.factory.done;
    assert.equal(this.collection.watching, 0);
    assert.equal(this.clock.pending, 0);
  }
}

Deno.test("a list by the namespace index requires a watched namespace", async () => {
  await using bench = new Bench();
  const { factory, collection } = bench;
  collection.put("a");
  factory.informer(Doc, { namespace: "default" });
  factory.informer(Doc, { namespace: "other", labelSelector: "app" });
  await bench.start();
  const { cacheReader } = factory;
  const of = (value: string) => ({ index: { name: "namespace", value } });
  assert.equal((await cacheReader.list(Doc, of("default"))).length, 1);
  assert.equal((await cacheReader.shared.list(Doc, of("default"))).length, 1);
  assert.deepEqual(await cacheReader.list(Doc, of("other")), []);
  await assert.rejects(cacheReader.list(Doc, of("kube-system")), CacheReadError);
  await assert.rejects(cacheReader.shared.list(Doc, of("kube-system")), CacheReadError);
  await assert.rejects(cacheReader.byIndex(Doc, "namespace", "kube-system"), CacheReadError);
});

Deno.test("InformerFactory creates one informer per resource, namespace and selectors, however they are spelled", () => {
  const { factory } = new Bench();
  const all = factory.informer(Doc);
  assert.equal(factory.informer(Doc), all);
  assert.equal(factory.informer(Doc, { namespace: "" }), all);
  const web = factory.informer(Doc, { labelSelector: "tier=x,app=web" });
  assert.notEqual(web, all);
  assert.equal(factory.informer(Doc, { labelSelector: "app==web, tier in (x)" }), web);
  const others = factory.informer(Doc, { labelSelector: "app!=web,app!=db,app notin (x, y)" });
  const again = "app notin (y,x),app!=db,app!=web,app != web";
  assert.equal(factory.informer(Doc, { labelSelector: again }), others);
  assert.notEqual(factory.informer(Doc, { namespace: "one" }), all);
  assert.notEqual(factory.informer(Doc, { fieldSelector: "metadata.name=a" }), all);
  assert.notEqual(factory.informer(Pod), factory.informer(ConfigMap));
  assert.throws(() => factory.informer(Doc, { labelSelector: "=" }), TypeError);
});

Deno.test("InformerFactory watches its namespace, but all objects of cluster-scoped resources", () => {
  const { factory } = new Bench({ namespace: "one" });
  assert.equal(factory.informer(Doc), factory.informer(Doc, { namespace: "one" }));
  assert.notEqual(factory.informer(Doc), factory.informer(Doc, { namespace: "" }));
  assert.equal(factory.informer(Node), factory.informer(Node, { namespace: "two" }));
  assert.equal(factory.informer(Doc).name, "docs.v1.example.org (one)");
  assert.equal(factory.informer(Node).name, "nodes.v1");
});

Deno.test("F47 start() called twice opens one watch per informer; later informers start with the next start()", async () => {
  await using bench = new Bench();
  const { factory, abort, watches } = bench;
  factory.informer(Doc);
  factory.informer(Doc, { namespace: "one", labelSelector: "app=web", fieldSelector: "x=y" });
  factory.start(abort.signal);
  factory.start(abort.signal);
  await factory.whenSynced();
  factory.start(abort.signal);
  const expected = ["docs.v1.example.org", "docs.v1.example.org one app=web x=y"];
  assert.deepEqual(watches, expected);
  factory.informer(Doc, { namespace: "two" });
  await factory.whenSynced();
  assert.equal(watches.length, 2);
  await bench.start();
  assert.deepEqual(watches, [...expected, "docs.v1.example.org two"]);
});

Deno.test("F47 an abort during the start ends every informer, and done resolves", async () => {
  const bench = new Bench();
  bench.factory.informer(Doc);
  bench.factory.informer(Pod);
  bench.factory.start(bench.abort.signal);
  const synced = bench.factory.whenSynced();
  bench.abort.abort();
  await assert.rejects(synced, /stopped before its first list/);
  await bench.factory.done;
  assert.equal(bench.collection.watching, 0);
});

Deno.test("InformerFactory.whenSynced() rejects when its signal is aborted", async () => {
  await using bench = new Bench();
  bench.collection.disconnect();
  bench.factory.informer(Doc);
  bench.factory.start(bench.abort.signal);
  await assert.rejects(
    bench.factory.whenSynced(AbortSignal.abort(new Error("too long"))),
    /too long/,
  );
});

Deno.test("InformerFactory: the first caller determines the stored objects; indexes of later callers are added", async () => {
  await using bench = new Bench({ dropManagedFields: true });
  const { factory, collection } = bench;
  collection.put("a", { text: "x" });
  const transform = (object: Doc) => object;
  const first = () => ["1"];
  const informer = factory.informer(Doc, { transform, indexers: { first } });
  assert.throws(
    () => factory.informer(Doc, { transform: (object) => object }),
    /Cannot share informer docs.v1.example.org: it was made with another transform/,
  );
  assert.throws(() => factory.informer(Doc), /another transform, or without one/);
  factory.informer(Doc, { namespace: "whole" });
  assert.throws(
    () => factory.informer(Doc, { namespace: "whole", transform }),
    /another transform, or without one/,
  );
  assert.throws(() => factory.informer(Doc, { transform, compress: true }), /another compress/);
  assert.throws(
    () => factory.informer(Doc, { transform, dropManagedFields: false }),
    /another dropManaged/,
  );
  assert.equal(factory.informer(Doc, { transform, dropManagedFields: true }), informer);
  await bench.start();
  factory.informer(Doc, { transform, indexers: { first, second: ({ name }) => [name] } });
  assert.deepEqual(informer.indexer.listIndexFuncValues("first"), ["1"]);
  assert.deepEqual(informer.indexer.indexKeys("second", "a"), ["default/a"]);
});

Deno.test("CacheReader refuses a read from informers that change objects differently", async () => {
  await using bench = new Bench();
  const { factory, collection } = bench;
  collection.put("a", { labels: { app: "web" } });
  factory.informer(Doc, { labelSelector: "app" });
  factory.informer(Doc, { labelSelector: "app=web", transform: (object) => object });
  await bench.start();
  const refused = {
    name: "CacheReadError",
    message: /have different transforms, or one has no transform/,
  };
  assert.throws(() => factory.cacheReader.get(Doc, "default/a"), refused);
  await assert.rejects(factory.cacheReader.list(Doc), refused);
});

Deno.test("InformerFactory passes the resource that failed to onError", async () => {
  const told: string[] = [];
  await using bench = new Bench({ onError: (error, type) => told.push(`${type.kind}: ${error}`) });
  bench.collection.refusals.push(new Error("no"));
  bench.factory.informer(Doc);
  bench.factory.start(bench.abort.signal);
  await bench.clock.settle();
  assert.match(told[0]!, /^Doc: .*no/);
});

Deno.test("CacheReader gets and lists the objects of an informer", async () => {
  await using bench = new Bench();
  const { factory, collection } = bench;
  collection.put("a", { namespace: "one", labels: { app: "web" } });
  collection.put("b", { namespace: "two" });
  factory.informer(Doc);
  await bench.start();
  const { cacheReader } = factory;
  assert.equal(cacheReader.get(Doc, "one/a")?.metadata.name, "a");
  assert.equal(cacheReader.get(Doc, "one/b"), undefined);
  const names = (objects: Doc[]) => objects.map(({ metadata }) => metadata.name);
  assert.deepEqual(names(await cacheReader.list(Doc)), ["a", "b"]);
  assert.deepEqual(names(await cacheReader.list(Doc, { namespace: "two" })), ["b"]);
  assert.deepEqual(names(await cacheReader.list(Doc, { labelSelector: "app" })), ["a"]);
  assert.throws(() => cacheReader.get(Doc, "a/b/c"), TypeError);
});

Deno.test("CacheReader refuses resources that no informer holds, or not yet, with a remedy", async () => {
  await using bench = new Bench();
  const { factory } = bench;
  const { cacheReader } = factory;
  assert.throws(
    () => cacheReader.get(Doc, "one/a"),
    /Cannot read one\/a of docs.v1.example.org from the cache: no informer holds that resource/,
  );
  await assert.rejects(cacheReader.list(Pod), {
    name: "CacheReadError",
    message: /^Cannot list pods\.v1 from the cache: no informer holds that resource/,
  });
  factory.informer(Doc, { namespace: "one" });
  assert.throws(() => cacheReader.get(Doc, "one/a"), /has not synced yet; start the factory/);
  await bench.start();
  assert.equal(cacheReader.get(Doc, "one/a"), undefined);
  assert.throws(() => cacheReader.get(Doc, "two/a"), /in namespace two, only in one/);
  await assert.rejects(cacheReader.list(Doc, { namespace: "two" }), CacheReadError);
  assert.deepEqual(await cacheReader.list(Doc), []);
});

Deno.test("CacheReader reads an informer without selectors alone, and otherwise the union of all", async () => {
  await using bench = new Bench();
  const { factory, collection } = bench;
  collection.objects.set("default/a", doc("a", { version: 1 }));
  factory.informer(Doc, { labelSelector: "app=web" });
  factory.informer(Doc, { labelSelector: "app=db" });
  await bench.start();
  assert.equal((await factory.cacheReader.list(Doc)).length, 1);
  assert.equal(factory.cacheReader.get(Doc, "default/a")?.metadata.name, "a");
  factory.informer(Doc);
  assert.throws(() => factory.cacheReader.get(Doc, "default/a"), /has not synced yet/);
  await bench.start();
  assert.equal((await factory.cacheReader.list(Doc)).length, 1);
});

Deno.test("InformerFactory refuses a second function under the name of an index, and an invalid field selector", async () => {
  await using bench = new Bench();
  const { factory } = bench;
  const of = () => ["1"];
  const informer = factory.informer(Doc, { indexers: { of } });
  assert.equal(factory.informer(Doc, { indexers: { of, more: () => [] } }), informer);
  for (const name of ["of", "more"]) {
    assert.throws(
      () => factory.informer(Doc, { indexers: { [name]: () => ["2"], third: of } }),
      { name: "TypeError", message: new RegExp(`its index ${name} has another function`) },
    );
  }
  assert.throws(() => informer.indexer.indexKeys("third", "1"), RangeError);
  assert.throws(() => factory.informer(Doc, { fieldSelector: "spec" }), /can't understand 'spec'/);
});

Deno.test("InformerFactory.acquire: an informer ends with its last lease, and the next call makes a new one", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
  const factory = new InformerFactory(client);
  const abort = new AbortController();
  const first = factory.acquire(ConfigMap);
  const second = factory.acquire(ConfigMap);
  assert.equal(first.informer, second.informer);
  factory.start(abort.signal);
  await first.informer.whenSynced();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert(!second.informer.stopped, "a lease that was disposed twice counted twice");
  second[Symbol.dispose]();
  assert(second.informer.stopped);
  assert.deepEqual(factory.informers, []);
  using third = factory.acquire(ConfigMap);
  assert.notEqual(third.informer, first.informer);
  factory.start(abort.signal);
  await third.informer.whenSynced();
  assert(third.informer.lister.get("default/web"));
  abort.abort();
  await factory.done;
});

Deno.test("InformerFactory.acquire: an informer that was taken without a lease outlives its leases", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const factory = new InformerFactory(client);
  const informer = factory.informer(ConfigMap);
  factory.acquire(ConfigMap)[Symbol.dispose]();
  const abort = new AbortController();
  factory.start(abort.signal);
  await informer.whenSynced();
  factory.acquire(ConfigMap)[Symbol.dispose]();
  assert(!informer.stopped);
  abort.abort();
  await factory.done;
});
