import assert from "node:assert/strict";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import { FakeClock } from "../../testing/fake_clock.ts";
import { Indexer } from "../store/indexer.ts";
import { type Doc, Doc as DocType, packed } from "../informer/informer_fakes_test.ts";
import { createLister } from "./lister.ts";
import type { ListerOptions } from "./lister_options.ts";
import { createPacker } from "../packed/packer.ts";

function storeOf(...objects: ReturnType<typeof packed>[]): Indexer<Doc> {
  const store = new Indexer<Doc>();
  for (const object of objects) store.upsert(object);
  return store;
}

function names(objects: readonly Doc[]): string[] {
  return objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
}

const store = storeOf(
  packed("a", { namespace: "one", labels: { app: "web" } }),
  packed("b", { namespace: "one", labels: { app: "db" } }),
  packed("a", { namespace: "two", labels: { app: "web" } }),
);

Deno.test("Lister gets, lists and filters by namespace and labels", async () => {
  const lister = createLister(store);
  assert.equal(lister.get("one/a")?.kind, "Doc");
  assert.equal(lister.get("three/a"), undefined);
  assert.deepEqual(names(await lister.list()), ["one/a", "one/b", "two/a"]);
  assert.deepEqual(names(await lister.list({ labelSelector: "app=web" })), ["one/a", "two/a"]);
  assert.deepEqual(names(await lister.list({ namespace: "one", labelSelector: "app!=web" })), [
    "one/b",
  ]);
  const one = lister.namespace("one");
  assert.deepEqual([one.get("b")?.metadata.name, one.get("c")], ["b", undefined]);
  assert.deepEqual(names(await one.list()), ["one/a", "one/b"]);
  assert.deepEqual(names(await one.list({ labelSelector: "app in (db)" })), ["one/b"]);
  assert.deepEqual(one.keys().sort(), ["one/a", "one/b"]);
  assert.deepEqual(lister.keys().length, 3);
  const all = lister.namespace("");
  assert.deepEqual(all.keys().sort(), lister.keys().sort(), "as list() of it, and in client-go");
  assert.deepEqual((await all.list()).length, 3);
  await assert.rejects(lister.list({ labelSelector: "app=" + "!" }), TypeError);
});

Deno.test("Lister refuses keys that cannot be of its resource, and options that it does not have", async () => {
  const lister = createLister(store, { type: DocType });
  for (const key of ["a", "", "a/b/c", 5] as string[]) {
    assert.throws(() => lister.get(key), TypeError, `${key}`);
    assert.throws(() => lister.shared.get(key), TypeError, `${key}`);
  }
  const options = { fieldSelector: "metadata.name=a" } as unknown as ListerOptions;
  await assert.rejects(
    lister.list(options),
    /there is no option fieldSelector, only labelSelector, index, namespace, signal/,
  );
  await assert.rejects(lister.shared.list(options), TypeError);
  await assert.rejects(lister.list({ namespace: "a/b" }), /must be a name, is "a\/b"/);
});

Deno.test("Lister parses no object that the selector excludes", async () => {
  const broken = createPacker({ type: DocType }).pack(
    new TextEncoder().encode(
      '{"metadata":{"name":"x","labels":{"app":"broken"}},"spec":{nonsense}}',
    ),
  );
  const lister = createLister(storeOf(broken, packed("fine", { labels: { app: "web" } })));
  assert.deepEqual(names(await lister.list({ labelSelector: "app=web" })), ["default/fine"]);
  await assert.rejects(lister.list(), DecodeError);
});

Deno.test("Lister.list() is a snapshot, and lets other work run well within each 10 ms", async () => {
  const store = storeOf(...Array.from({ length: 100 }, (_, at) => packed(`doc-${at}`)));
  let nowMs = 0;
  let yields = 0;
  const clock: Clock = {
    now: () => new Date(0),
    monotonicMs: () => nowMs += 1,
    after: (_, callback) => {
      yields++;
      store.delete(`default/doc-${100 - yields}`);
      return systemClock.after(0, callback);
    },
  };
  const listed = await createLister(store, { clock }).list();
  assert.equal(listed.length, 100);
  assert(yields >= 16 && yields <= 25, `${yields} yields in 100 ms`);
  assert.equal(store.size, 100 - yields);
});

Deno.test("Lister.list() rejects when its signal is aborted", async () => {
  const abort = new AbortController();
  const clock: Clock = Object.assign(new FakeClock(), {
    monotonicMs: () => performance.now() * 1e6,
  });
  const listing = createLister(store, { clock }).list({ signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(listing, /enough/);
  await assert.rejects(createLister(store).list({ signal: abort.signal }), /enough/);
});

Deno.test("Lister of one namespace refuses reads of others, where it cannot tell an absence", async () => {
  const lister = createLister(storeOf(packed("a", { namespace: "one" })), { namespace: "one" });
  assert.equal(lister.get("one/a")?.metadata.name, "a");
  assert.equal(lister.get("one/b"), undefined);
  const refusal = { name: "CacheReadError", message: /namespace two .* holds namespace one alone/ };
  assert.throws(() => lister.get("two/a"), refusal);
  assert.throws(() => lister.shared.get("two/a"), refusal);
  assert.throws(() => lister.namespace("two"), refusal);
  await assert.rejects(lister.list({ namespace: "two" }), refusal);
  await assert.rejects(lister.shared.list({ namespace: "two" }), refusal);
  const index = { name: "namespace", value: "two" };
  await assert.rejects(lister.list({ index }), refusal);
  await assert.rejects(lister.shared.list({ index }), refusal);
  assert.deepEqual(names(await lister.list({ index: { ...index, value: "one" } })), ["one/a"]);
  assert.throws(() => lister.get("one/a/b"), TypeError);
  assert.deepEqual(names(await lister.list()), ["one/a"]);
});

Deno.test("Lister refuses to tell the absence of an object that could not be stored, until it is", async () => {
  const store = storeOf(packed("a", { namespace: "one" }), packed("a", { namespace: "two" }));
  const lister = createLister(store, { name: "the cache of docs" });
  const one = lister.namespace("one");
  const reads = [
    () => Promise.resolve().then(() => lister.get("one/lost")),
    () => Promise.resolve().then(() => lister.shared.get("one/lost")),
    () => Promise.resolve().then(() => lister.keys()),
    () => Promise.resolve().then(() => one.get("lost")),
    () => Promise.resolve().then(() => one.keys()),
    () => lister.list(),
    () => lister.shared.list(),
    () => lister.list({ index: { name: "namespace", value: "one" } }),
    () => one.list(),
  ];
  const refused = async (): Promise<number> => {
    const results = await Promise.allSettled(reads.map((read) => read()));
    return results.filter(({ status }) => status === "rejected").length;
  };
  assert.equal(await refused(), 0);
  store.noteLost("one/lost");
  assert.equal(await refused(), reads.length);
  await assert.rejects(
    lister.list(),
    /^CacheReadError: Cannot list from the cache of docs: one\/l/,
  );
  assert.equal(lister.get("one/other"), undefined);
  assert.equal((await lister.list({ namespace: "two" })).length, 1);
  store.upsert(packed("lost", { namespace: "one" }));
  assert.equal(await refused(), 0);
  store.noteLost(undefined);
  store.delete("one/lost");
  assert.equal(await refused(), reads.length, "an object without a name may be any");
  await assert.rejects(lister.list({ namespace: "two" }), /an object whose name could not be/);
  assert.equal(lister.get("two/a")?.metadata.name, "a");
  store.replace([], "9");
  assert.equal(await refused(), 0);
});
