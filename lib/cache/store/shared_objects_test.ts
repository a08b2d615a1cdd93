import assert from "node:assert/strict";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { Indexer } from "./indexer.ts";
import {
  chance,
  type Doc,
  Doc as DocType,
  InformerHarness,
  packed,
} from "../informer/informer_fakes_test.ts";
import { createLister } from "../readers/lister.ts";
import { createPacker } from "../packed/packer.ts";

const text = (bytes: number): string => "x".repeat(bytes);

Deno.test("Indexer.shared returns one object per version to all readers, and a new version to the next", () => {
  const store = new Indexer<Doc>();
  store.upsert(packed("a", { version: 1, text: "old" }));
  const first = store.shared.get("default/a");
  assert.equal(first?.spec?.text, "old");
  assert.equal(store.shared.get("default/a"), first);
  assert.notEqual(store.get("default/a"), first, "get() gives a copy");
  store.upsert(packed("a", { version: 2, text: "new" }));
  assert.equal(store.shared.get("default/a")?.spec?.text, "new");
  assert.equal(first?.spec?.text, "old", "an object that is held on to stays as it was");
  store.delete("default/a");
  assert.equal(store.shared.get("default/a"), undefined);
  assert.deepEqual([store.shared.size, store.shared.bytes], [0, 0]);
});

Deno.test("Indexer.shared keeps objects up to its limit, and evicts those that were not read again first", () => {
  const one = packed("a", { text: text(1_000) }).byteLength;
  const store = new Indexer<Doc>({}, { sharedBytes: 3 * one });
  for (const name of ["a", "b", "c", "d"]) store.upsert(packed(name, { text: text(1_000) }));
  const [a] = ["a", "b", "c"].map((name) => store.shared.get(`default/${name}`));
  assert.deepEqual([store.shared.size, store.shared.bytes], [3, 3 * one]);
  assert.equal(store.shared.get("default/a"), a); // Read again: b goes in its place.
  store.shared.get("default/d");
  assert.deepEqual([store.shared.size, store.shared.bytes], [3, 3 * one]);
  assert.equal(store.shared.peek("default/b"), undefined);
  assert.equal(store.shared.peek("default/a"), a);
});

Deno.test("Indexer.shared keeps no object larger than its limit, and none at all with 0", () => {
  const store = new Indexer<Doc>({}, { sharedBytes: 0 });
  store.upsert(packed("a"));
  assert.equal(store.shared.get("default/a")?.metadata.name, "a");
  assert.notEqual(store.shared.get("default/a"), store.shared.get("default/a"));
  assert.equal(store.shared.size, 0);
  assert.throws(() => new Indexer<Doc>({}, { sharedBytes: -1 }), RangeError);
  assert.throws(() => new Indexer<Doc>({}, { sharedBytes: NaN }), RangeError);
});

Deno.test("Indexer.shared counts the bytes of the text, not of its compressed form", () => {
  const packer = createPacker({ type: DocType, compress: true });
  const store = new Indexer<Doc>();
  const metadata = { namespace: "default", name: "a", resourceVersion: "1" };
  store.upsert(packer.packObject({ metadata, spec: { text: text(10_000) } }));
  store.shared.get("default/a");
  assert(store.shared.bytes > 10_000, `${store.shared.bytes} bytes`);
});

Deno.test("Indexer.shared does not keep an object whose text is not JSON", () => {
  const broken = createPacker({ type: DocType }).pack(
    new TextEncoder().encode('{"metadata":{"name":"x"},"spec":{nonsense}}'),
  );
  const store = new Indexer<Doc>();
  store.upsert(broken);
  for (let at = 0; at < 2; at++) assert.throws(() => store.shared.get("x"), DecodeError);
  assert.equal(store.shared.size, 0);
});

Deno.test("Lister.shared lists one moment, kept and missing objects alike, in the order of list()", async () => {
  const store = new Indexer<Doc>();
  for (const name of ["a", "b", "c"]) {
    store.upsert(packed(name, { labels: { app: name === "c" ? "db" : "web" } }));
  }
  const lister = createLister(store);
  const b = lister.shared.get("default/b");
  const listing = lister.shared.list({ namespace: "default", labelSelector: "app=web" });
  store.delete("default/a");
  store.upsert(packed("b", { version: 2, labels: { app: "db" } }));
  const listed = await listing;
  assert.deepEqual(listed.map(({ metadata }) => metadata.name), ["a", "b"]);
  assert.equal(listed[1], b);
  assert.equal(store.shared.peek("default/a"), undefined, "a deleted object is not kept");
  const all = await lister.shared.list();
  assert.deepEqual(all, await lister.list());
  assert.equal((await lister.shared.list())[0], all[0], "a second list shares the objects");
});

Deno.test("Lister.shared freezes shared objects if the informer is configured so", async () => {
  await using harness = new InformerHarness({ freeze: true });
  harness.collection.put("a", { text: "one" });
  await harness.start();
  const shared = harness.informer.lister.shared.get("default/a") as Doc;
  assert.throws(() => shared.spec!.text = "two", TypeError);
  harness.informer.lister.get("default/a")!.spec!.text = "two"; // A copy belongs to its reader.
});

Deno.test("Indexer.shared never returns an old version, and counts its bytes, under random changes", async () => {
  const { pick } = chance();
  for (let round = 0; round < 20; round++) {
    const store = new Indexer<Doc>({}, { sharedBytes: pick(4_000) });
    const truth = new Map<string, number>();
    let version = 0;
    const make = (at: number) => packed(`doc-${at}`, { version: ++version, text: text(pick(500)) });
    const check = (at: number): void => {
      const key = `default/doc-${at}`;
      const found = store.shared.get(key)?.metadata.resourceVersion;
      assert.equal(found, truth.get(key)?.toString());
    };
    for (let step = 0; step < 300; step++) {
      const at = pick(12);
      const action = pick(10);
      if (action < 3) {
        store.upsert(make(at));
        truth.set(`default/doc-${at}`, version);
      } else if (action === 3) {
        store.delete(`default/doc-${at}`);
        truth.delete(`default/doc-${at}`);
      } else if (action === 4) {
        const kept = [...store.packed()].filter(() => pick(2) === 0);
        const fresh = [make(pick(12))];
        store.replace([...kept, ...fresh], `${version}`);
        truth.clear();
        for (const each of [...kept, ...fresh]) truth.set(each.key, Number(each.resourceVersion));
      } else if (action === 5) {
        const listed = await createLister(store).shared.list();
        const versions = listed.map(({ metadata }) => Number(metadata.resourceVersion));
        assert.deepEqual(versions.sort(), [...truth.values()].sort());
      } else {
        check(at);
      }
      const kept = store.keys().filter((key) => store.shared.peek(key) !== undefined);
      const bytes = kept.reduce((sum, key) => sum + store.getPacked(key)!.byteLength, 0);
      assert.deepEqual([store.shared.size, store.shared.bytes], [kept.length, bytes]);
    }
    for (let at = 0; at < 12; at++) check(at);
  }
});
