import assert from "node:assert/strict";
import { doc, InformerHarness, Recorder } from "./informer_fakes_test.ts";
import { isSameText } from "../packed/packed_entry.ts";

Deno.test("SharedInformer notifies of the first list, then of each change, and its store follows", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a");
  const recorder = new Recorder();
  const registration = informer.addHandler(recorder);
  assert.equal(informer.synced, false);
  await harness.start();
  assert.equal(informer.synced, true);
  assert.equal(registration.synced, true);
  collection.put("b");
  collection.put("a", { text: "new" });
  await harness.settle();
  collection.remove("b");
  await harness.settle();
  assert.deepEqual(recorder.take(), ["add a@101", "add b@102", "update a@101>103", "delete b@104"]);
  assert.deepEqual(recorder.initial, ["a"]);
  assert.equal(informer.indexer.get("default/a")?.spec?.text, "new");
  assert.equal(informer.indexer.resourceVersion, "104");
  assert.deepEqual(informer.indexer.keys(), ["default/a"]);
  assert.deepEqual(recorder.faults, []);
});

Deno.test("an informer reports an object that it received and did not store before later events of others", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a");
  await harness.start();
  const queued: string[] = [];
  informer.indexer.addIndexers({
    queued: ({ name, resourceVersion }) => {
      queued.push(`${name}@${resourceVersion} ${informer.hasQueued("default/b")}`);
      return [];
    },
  });
  queued.length = 0;
  collection.put("a");
  collection.put("b");
  collection.put("a");
  assert.equal(informer.hasQueued("default/b"), false, "received nothing of it");
  await harness.settle();
  assert.deepEqual(queued, ["a@102 true", "a@104 true", "b@103 false"]);
  assert.equal(informer.hasQueued("default/b"), false, "stores it");
  collection.put("c");
  collection.remove("c");
  await harness.settle();
  assert.equal(informer.hasQueued("default/c"), false, "deleted again");
});

Deno.test("B59 after a gap, handlers are notified of changes; one with a resync period of every object", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  for (const name of ["same", "changed", "gone"]) collection.put(name);
  const plain = new Recorder();
  const resyncing = new Recorder();
  informer.addHandler(plain);
  informer.addHandler(resyncing, { resyncPeriodMs: 3_600_000 });
  await harness.start();
  plain.take();
  resyncing.take();
  const before = informer.indexer.getPacked("default/same")!;
  await harness.missing(() => {
    collection.put("changed");
    collection.remove("gone");
    collection.put("new");
  });
  const expected = ["update changed@102>104", "add new@106", "delete gone@103?"];
  assert.deepEqual(plain.take().sort(), [...expected].sort());
  assert.deepEqual(resyncing.take().sort(), [...expected, "sync same@101"].sort());
  const after = informer.indexer.getPacked("default/same")!;
  assert(isSameText(after, before), "unchanged objects keep their bytes");
  assert.deepEqual(plain.faults, []);
});

Deno.test("B65 a relist is reported as additions, updates and deletions against the old store, which is replaced first", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  for (const name of ["a", "b", "c"]) collection.put(name);
  await harness.start();
  const views: string[] = [];
  const note = () => void views.push(informer.indexer.keys().sort().join());
  informer.addHandler({
    onUpdate: note,
    onDelete: note,
    onAdd: (_, info) => {
      if (!info.isInInitialList) note();
    },
  });
  await harness.settle();
  await harness.missing(() => {
    collection.put("b");
    collection.remove("c");
    collection.put("d");
  });
  assert.deepEqual(views, Array(3).fill("default/a,default/b,default/d"));
});

Deno.test("B65 objects of a relist into an emptied store are additions for every handler, behind queued changes", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a");
  const [quick, slow] = [new Recorder(), new Recorder()];
  informer.addHandler(quick);
  const busy = Promise.withResolvers<void>();
  informer.addHandler({
    onAdd: (object, info) => slow.onAdd(object, info),
    onUpdate: (old, current) => slow.onUpdate(old, current),
    onDelete: async (last) => {
      await busy.promise;
      slow.onDelete(last);
    },
  });
  await harness.start();
  collection.remove("a");
  await harness.settle();
  await harness.missing(() => {
    collection.put("b");
    collection.put("a");
  });
  busy.resolve();
  await harness.clock.advance(1);
  await harness.settle();
  for (const recorder of [quick, slow]) {
    const events = recorder.take();
    assert.deepEqual(events.slice(0, 2), ["add a@101", "delete a@102"]);
    assert.deepEqual(events.slice(2).sort(), ["add a@104", "add b@103"]);
    assert.deepEqual(recorder.faults, []);
    assert.deepEqual(recorder.initial, ["a"], "of the first list alone");
  }
});

Deno.test("B29 F24 a missed deletion is reported with the last known state, and as such", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a", { text: "last" });
  await harness.start();
  const told: unknown[] = [];
  informer.addHandler({
    onDelete: (last) => void told.push([last.key, last.finalStateUnknown, last.object.spec?.text]),
  });
  await harness.missing(() => {
    collection.put("a", { text: "unseen" });
    collection.remove("a");
  });
  assert.deepEqual(told, [["default/a", true, "last"]]);
  collection.put("a", { text: "seen" });
  await harness.settle();
  collection.remove("a");
  await harness.settle();
  assert.deepEqual(told.slice(1), [["default/a", false, "seen"]]);
});

Deno.test("F25 an object recreated during a gap: the old UID is deleted, then the new one added", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a");
  const recorder = new Recorder();
  informer.addHandler(recorder);
  await harness.start();
  recorder.take();
  await harness.missing(() => collection.recreate("a"));
  assert.deepEqual(recorder.take(), ["delete a@101?", "add a@103"]);
  assert.deepEqual(recorder.faults, []);
  assert.equal(recorder.text, harness.served);
});

Deno.test("F25 a change of the UID in a plain update is a deletion and an addition too", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a");
  const recorder = new Recorder();
  informer.addHandler(recorder);
  await harness.start();
  recorder.take();
  collection.send("MODIFIED", doc("a", { uid: "another", version: 150 }));
  await harness.settle();
  assert.deepEqual(recorder.take(), ["delete a@101?", "add a@150"]);
  assert.deepEqual(recorder.faults, []);
});

Deno.test("F25 a late deletion of a former object does not delete its successor; one of an unseen successor does", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a", { uid: "second" });
  const recorder = new Recorder();
  informer.addHandler(recorder);
  await harness.start();
  recorder.take();
  collection.send("DELETED", doc("a", { uid: "first", version: 99 }));
  await harness.settle();
  assert.deepEqual(recorder.take(), []);
  collection.send("DELETED", doc("a", { uid: "third", version: 150 }));
  await harness.settle();
  assert.deepEqual(recorder.take(), ["delete a@101?"]);
  assert.equal(informer.indexer.size, 0);
});

Deno.test("F21 when the server's versions went back, all objects are taken over anew and reported", async () => {
  await using harness = new InformerHarness();
  const { collection, informer } = harness;
  collection.put("a", { text: "before the restore" });
  for (let count = 0; count < 5; count++) collection.put("b");
  const recorder = new Recorder();
  informer.addHandler(recorder);
  await harness.start();
  recorder.take();
  await harness.missing(() => {
    collection.restore("102");
    collection.objects.set("default/a", doc("a", { uid: "uid-1", version: 101, text: "after it" }));
    collection.objects.set("default/b", doc("b", { uid: "uid-2", version: 102 }));
  });
  assert.deepEqual(recorder.take().sort(), ["sync a@101", "update b@106>102"]);
  assert.equal(informer.indexer.get("default/a")?.spec?.text, "after it");
  assert.equal(informer.indexer.resourceVersion, "102");
});

Deno.test("B64 indexers added after the start answer at once", async () => {
  await using harness = new InformerHarness({
    indexers: { text: (each) => [each.read().spec?.text ?? ""] },
  });
  const { collection, informer } = harness;
  collection.put("a", { labels: { app: "web" }, text: "x" });
  collection.put("b", { text: "y" });
  await harness.start();
  informer.indexer.addIndexers({ app: ({ labels }) => labels.app ? [labels.app] : [] });
  assert.deepEqual(informer.indexer.indexKeys("app", "web"), ["default/a"]);
  assert.deepEqual(informer.indexer.indexKeys("text", "y"), ["default/b"]);
  collection.put("b", { labels: { app: "web" }, text: "z" });
  await harness.settle();
  assert.deepEqual(informer.indexer.indexKeys("app", "web").sort(), ["default/a", "default/b"]);
  assert.throws(() => informer.indexer.addIndexers({ app: () => [] }), RangeError);
});

Deno.test("B64 an index function that throws is reported; the object is stored and handlers are notified", async () => {
  await using harness = new InformerHarness({
    indexers: {
      fragile: ({ name }) => {
        if (name === "bad") throw new Error("cannot file this");
        return ["good"];
      },
    },
  });
  harness.collection.put("bad");
  harness.collection.put("fine");
  const recorder = new Recorder();
  harness.informer.addHandler(recorder);
  await harness.start();
  assert.equal(recorder.text, harness.served);
  assert.deepEqual(harness.informer.indexer.indexKeys("fragile", "good"), ["default/fine"]);
  assert.match(String(harness.errors[0]), /cannot file this/);
});

Deno.test("B35 B64 handlers, store and tombstones have the result of a transform, which runs once per version", async () => {
  let runs = 0;
  await using harness = new InformerHarness({
    transform: (object) => {
      runs++;
      return { ...object, spec: { text: `${object.spec?.text}!` } };
    },
  });
  const { collection, informer } = harness;
  collection.put("a", { text: "one" });
  collection.put("b", { text: "two" });
  await harness.start();
  const told: unknown[] = [];
  informer.addHandler({
    onAdd: (each) => void told.push(each.object.spec?.text),
    onDelete: (last) => void told.push(`gone ${last.object.spec?.text}`),
  });
  await harness.settle();
  assert.deepEqual(told, ["one!", "two!"]);
  assert.equal(informer.indexer.get("default/a")?.spec?.text, "one!");
  const before = runs;
  await harness.missing(() => collection.remove("b"));
  assert.equal(told[2], "gone two!");
  assert.equal(informer.indexer.get("default/a")?.spec?.text, "one!");
  assert.equal(before, 2);
});

Deno.test("B64 errors of list and watch are passed to onError", async () => {
  await using harness = new InformerHarness({ reflector: { watchList: false } });
  harness.collection.refusals.push(new Error("the list failed"));
  await harness.start();
  assert.match(String(harness.errors[0]), /the list failed/);
  assert.equal(harness.informer.synced, false);
  await harness.clock.advance(2_000);
  await harness.settle();
  assert.equal(harness.informer.synced, true);
});

Deno.test("F46 shared objects are frozen on request; objects from the store belong to the reader", async () => {
  await using harness = new InformerHarness({ freeze: true });
  const { collection, informer } = harness;
  collection.put("a", { labels: { app: "web" }, text: "old" });
  const failures: unknown[] = [];
  const registration = informer.addHandler({
    onAdd: (each) => {
      const own = each.read();
      own.spec!.text = "mine";
      try {
        (each.object as { spec: { text: string } }).spec.text = "hacked";
      } catch (error) {
        failures.push(error);
      }
    },
  });
  await harness.start();
  assert.equal(registration.synced, true);
  assert.match(String(failures[0]), /TypeError/);
  const read = informer.indexer.get("default/a")!;
  read.metadata.labels!.app = "hacked";
  read.spec = {};
  const [listed] = await informer.lister.list();
  assert.deepEqual([listed!.metadata.labels, listed!.spec], [{ app: "web" }, { text: "old" }]);
});

Deno.test("SharedInformer parses an object at most once per event for all handlers, and not at all if none reads it", async () => {
  const { parses, restore } = countParses();
  try {
    await using harness = new InformerHarness();
    const { collection, informer } = harness;
    const seen = new Set<unknown>();
    for (let count = 0; count < 5; count++) {
      informer.addHandler({ onAdd: (each) => void seen.add(each.object), onUpdate: () => {} });
    }
    await harness.start();
    collection.put("a", { text: "x" });
    await harness.settle();
    assert.equal(seen.size, 1);
    assert.equal(parses(), 1);
    collection.put("a", { text: "y" });
    await harness.settle();
    assert.equal(parses(), 1);
  } finally {
    restore();
  }
});

/** Counts how often the text of a Doc is parsed. */
function countParses(): { parses: () => number; restore: () => void } {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (text, reviver) => {
    const tree = parse(text, reviver);
    if (tree?.metadata?.name !== undefined) count++;
    return tree;
  };
  return { parses: () => count, restore: () => void (JSON.parse = parse) };
}

Deno.test("SharedInformer shares one ObservedObject per event among its handlers", async () => {
  await using harness = new InformerHarness();
  const seen = new Set<unknown>();
  for (let count = 0; count < 3; count++) {
    harness.informer.addHandler({ onAdd: (each) => void seen.add(each) });
  }
  await harness.start();
  harness.collection.put("a");
  await harness.settle();
  assert.equal(seen.size, 1);
});

Deno.test("SharedInformer runs once, and F47 a stop before or during the start leaves nothing behind", async () => {
  const before = new InformerHarness();
  await before.informer.run(AbortSignal.abort());
  assert.deepEqual(before.collection.requests, []);
  assert.equal(before.informer.stopped, true);
  await assert.rejects(before.informer.whenSynced(), /was stopped before its first list/);
  await assert.rejects(before.informer.run(new AbortController().signal), /twice/);

  await using during = new InformerHarness();
  const abort = new AbortController();
  const running = during.informer.run(abort.signal);
  await assert.rejects(during.informer.run(abort.signal), /runs already/);
  abort.abort();
  await running;
  assert.equal(during.collection.watching, 0);
  assert.equal(during.clock.pending, 0);
});

Deno.test("SharedInformer.whenSynced() rejects when its signal is aborted, and leaves no listener", async () => {
  const { informer } = new InformerHarness();
  const abort = new AbortController();
  const waiting = informer.whenSynced(abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(informer.whenSynced(abort.signal), /enough/);
});

Deno.test("SharedInformer reports the health of its watch", async () => {
  await using harness = new InformerHarness({ name: "documents" });
  await harness.start();
  const { health } = harness.informer;
  const { events, bookmarks } = health;
  harness.collection.put("a");
  harness.collection.bookmark();
  await harness.settle();
  assert.deepEqual([health.name, health.state], ["documents", "watching"]);
  assert.deepEqual([health.events - events, health.bookmarks - bookmarks], [1, 1]);
  assert.equal(harness.informer.indexer.resourceVersion, "101");
});
