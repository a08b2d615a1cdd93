import assert from "node:assert/strict";
import { keyOf, type ObjectKey } from "@xca/apimachinery/meta";
import { DeltaFifo, type FifoItem } from "./delta_fifo.ts";
import { type Doc, packed } from "../informer/informer_fakes_test.ts";
import { Indexer } from "../store/indexer.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * A {@linkcode DeltaFifo} in front of a store that holds `known`. Popped items are returned as text
 * and, on request, stored.
 */
class Bench {
  readonly known: Indexer<Doc> = new Indexer();
  readonly fifo: DeltaFifo<Doc, string>;

  constructor(known: readonly PackedObject<Doc>[] = []) {
    this.known.replace(known, "1");
    this.fifo = new DeltaFifo(this.known);
  }

  /** Pops every item of the FIFO, and returns the items as text. */
  async drain(store = true): Promise<string[]> {
    const told: string[] = [];
    while (this.fifo.length > 0) {
      await this.fifo.pop((item) => {
        told.push(tell(item));
        if (store) this.#store(item);
      });
    }
    return told;
  }

  #store(item: FifoItem<Doc, string>): void {
    if (item.kind === "replaced") {
      this.known.replace(item.objects, item.resourceVersion);
    } else if (item.kind === "deltas") {
      const last = item.deltas.at(-1)!;
      if (last.type === "Deleted") this.known.delete(item.key);
      else this.known.upsert(last.object);
    }
  }
}

function tell(item: FifoItem<Doc, string>): string {
  switch (item.kind) {
    case "deltas":
      return `${shortName(item.key)}: ${
        item.deltas.map(({ type, object }) => `${type}@${object.resourceVersion}`).join(" ")
      }${item.lost ? " lost" : ""}`;
    case "replaced":
      return `all: ${
        [...item.objects.keys()].map(shortName).join(" ")
      } at ${item.resourceVersion}` +
        (item.isInInitialList ? " initial" : "");
    case "sync":
      return `sync for ${item.requester} except ${[...item.except].map(shortName).join(" ")}`;
    case "lost":
      return "an unnamed object lost";
    case "bookmark":
      return `bookmark ${item.resourceVersion}`;
  }
}

function shortName(key: ObjectKey): string {
  return key.split("/")[1]!;
}

Deno.test("B27 deltas of one key are collected and popped together, at the position of the first", async () => {
  const { fifo, ...bench } = new Bench();
  fifo.add(packed("a", { version: 1 }));
  fifo.add(packed("b", { version: 2 }));
  fifo.update(packed("a", { version: 3 }));
  fifo.delete(packed("a", { version: 4 }));
  assert.equal(fifo.length, 2);
  const told: string[] = [];
  await fifo.pop((item) => void told.push(tell(item)));
  fifo.add(packed("a", { version: 5 }));
  while (fifo.length > 0) await fifo.pop((item) => void told.push(tell(item)));
  assert.deepEqual(told, ["a: Added@1 Updated@3 Deleted@4", "b: Added@2", "a: Added@5"]);
  assert.equal(bench.known.size, 0);
});

Deno.test("B28 a deletion of an unknown key queues nothing; one of a stored or queued key is queued", async () => {
  const bench = new Bench([packed("stored")]);
  bench.fifo.delete(packed("unknown"));
  assert.equal(bench.fifo.length, 0);
  bench.fifo.delete(packed("stored", { version: 2 }));
  bench.fifo.add(packed("queued", { version: 3 }));
  bench.fifo.delete(packed("queued", { version: 4 }));
  assert.deepEqual(await bench.drain(), ["stored: Deleted@2", "queued: Added@3 Deleted@4"]);
});

Deno.test("B28 a deletion is queued while a replacement that may have its key is pending", async () => {
  const bench = new Bench();
  bench.fifo.replace([packed("a", { version: 5 })], "5");
  bench.fifo.delete(packed("a", { version: 6 }));
  assert.deepEqual(await bench.drain(), ["all: a at 5 initial", "a: Deleted@6"]);
});

Deno.test("B30 of two consecutive deletions of one object the later one remains", async () => {
  const bench = new Bench([packed("a")]);
  bench.fifo.delete(packed("a", { version: 2 }));
  bench.fifo.delete(packed("a", { version: 3 }));
  assert.deepEqual(await bench.drain(), ["a: Deleted@3"]);
});

Deno.test("B30 a late deletion of another object with that name does not replace the deletion", async () => {
  const bench = new Bench([packed("a", { version: 5 })]);
  bench.fifo.delete(packed("a", { version: 6 }));
  bench.fifo.delete(packed("a", { version: 2, uid: "former" }));
  assert.deepEqual(await bench.drain(), ["a: Deleted@6 Deleted@2"]);
});

Deno.test("B31 a replacement behind a queued deletion restores the object", async () => {
  const bench = new Bench([packed("a")]);
  bench.fifo.delete(packed("a", { version: 2 }));
  bench.fifo.replace([packed("a", { version: 3, uid: "uid-new" })], "3");
  assert.equal(bench.fifo.lastKnown("default/a")?.resourceVersion, "3");
  assert.deepEqual(await bench.drain(), ["a: Deleted@2", "all: a at 3"]);
  assert.equal(bench.known.getPacked("default/a")?.uid, "uid-new");
});

Deno.test("B32 a resync omits keys with queued deltas, and cannot restore a deleted object", async () => {
  const bench = new Bench([packed("a"), packed("b"), packed("c")]);
  bench.fifo.delete(packed("a", { version: 2 }));
  bench.fifo.update(packed("b", { version: 3 }));
  bench.fifo.resync("h");
  assert.deepEqual(await bench.drain(), ["a: Deleted@2", "b: Updated@3", "sync for h except a b"]);
  assert.deepEqual(bench.known.keys().map(shortName), ["b", "c"]);
});

Deno.test("B33 synced is false at first, true after a first add, and never false again", async () => {
  const bench = new Bench();
  assert.equal(bench.fifo.synced, false);
  bench.fifo.add(packed("a"));
  assert.equal(bench.fifo.synced, true);
  bench.fifo.replace([packed("b")], "2");
  assert.equal(bench.fifo.synced, true);
  assert.deepEqual(await bench.drain(), ["a: Added@1", "all: b at 2"]);
});

Deno.test("B33 synced is true after a first replacement only once it is processed", async () => {
  const bench = new Bench();
  bench.fifo.replace([packed("a"), packed("b")], "2");
  assert.equal(bench.fifo.synced, false);
  const { promise, resolve } = Promise.withResolvers<void>();
  const popping = bench.fifo.pop(() => promise);
  assert.equal(bench.fifo.length, 0);
  assert.equal(bench.fifo.synced, false);
  resolve();
  assert.equal(await popping, true);
  assert.equal(bench.fifo.synced, true);
});

Deno.test("B33 synced is true at once after a first replacement by nothing, unless an object is known", () => {
  const empty = new Bench();
  empty.fifo.replace([], "2");
  assert.equal(empty.fifo.synced, true);
  const known = new Bench([packed("a")]);
  known.fifo.replace([], "2");
  assert.equal(known.fifo.synced, false);
});

Deno.test("B34 close() ends every waiting pop(); queued items may still be popped", async () => {
  const bench = new Bench();
  const waiting = [bench.fifo.pop(() => {}), bench.fifo.pop(() => {})];
  bench.fifo.close();
  assert.deepEqual(await Promise.all(waiting), [false, false]);

  const late = new Bench();
  late.fifo.add(packed("a"));
  late.fifo.close();
  late.fifo.add(packed("b"));
  assert.deepEqual(await late.drain(), ["a: Added@1"]);
  assert.equal(await late.fifo.pop(() => {}), false);
});

Deno.test("B34 keyOf() accepts the items that the FIFO returns", async () => {
  const bench = new Bench();
  bench.fifo.add(packed("a"));
  await bench.fifo.pop((item) => {
    assert(item.kind === "deltas");
    assert.equal(keyOf(item), "default/a");
    assert.equal(keyOf(item.deltas[0]!.object), "default/a");
  });
});

Deno.test("B37 a replacement, a resync and a bookmark are one item each, in order", async () => {
  const bench = new Bench([packed("x")]);
  bench.fifo.update(packed("x", { version: 2 }));
  bench.fifo.replace([packed("x", { version: 2 }), packed("y", { version: 3 })], "3");
  bench.fifo.update(packed("x", { version: 4 }));
  bench.fifo.bookmark("5");
  bench.fifo.resync("h");
  assert.deepEqual(await bench.drain(), [
    "x: Updated@2",
    "all: x y at 3",
    "x: Updated@4",
    "bookmark 5",
    "sync for h except x",
  ]);
});

Deno.test("DeltaFifo.lastKnown() finds queued, currently processed and stored objects", async () => {
  const bench = new Bench([packed("a"), packed("b"), packed("c")]);
  const versionOf = (name: string) => bench.fifo.lastKnown(`default/${name}`)?.resourceVersion;
  assert.equal(versionOf("a"), "1");
  bench.fifo.update(packed("a", { version: 2 }));
  bench.fifo.delete(packed("b", { version: 3 }));
  assert.deepEqual([versionOf("a"), versionOf("b")], ["2", undefined]);
  bench.fifo.replace([packed("b", { version: 4 })], "5");
  assert.deepEqual(["a", "b", "c"].map(versionOf), [undefined, "4", undefined]);
  bench.fifo.add(packed("a", { version: 6 }));
  assert.equal(versionOf("a"), "6");
  assert.equal(bench.fifo.has("default/a"), true);
  assert.equal(bench.fifo.has("default/c"), false);

  const replacing = new Bench([packed("a")]);
  replacing.fifo.replace([packed("a", { version: 7 })], "7");
  await replacing.fifo.pop(() =>
    Promise.resolve().then(() =>
      assert.equal(replacing.fifo.lastKnown("default/a")?.resourceVersion, "7")
    )
  );
});

Deno.test("DeltaFifo.pop() passes on the error of its callback; the item is removed", async () => {
  const bench = new Bench();
  bench.fifo.replace([packed("a")], "1");
  await assert.rejects(bench.fifo.pop(() => Promise.reject(new Error("no"))), /no/);
  assert.equal(bench.fifo.length, 0);
  assert.equal(bench.fifo.synced, true);
});

Deno.test("DeltaFifo.lost() is queued in order with the deltas of its key, unless a version is known", async () => {
  const { fifo, known } = new Bench();
  known.upsert(packed("known", { version: 1 }));
  fifo.lost("default/known");
  fifo.lost("default/a");
  fifo.add(packed("b", { version: 2 }));
  fifo.lost("default/b");
  fifo.delete(packed("b", { version: 3 }));
  fifo.lost("default/b");
  fifo.lost("default/c");
  fifo.delete(packed("c", { version: 4 }));
  fifo.lost(undefined);
  const told: string[] = [];
  while (fifo.length > 0) await fifo.pop((item) => void told.push(tell(item)));
  assert.deepEqual(told, [
    "a:  lost",
    "b: Added@2 Deleted@3 lost",
    "c: Deleted@4",
    "an unnamed object lost",
  ]);
});

Deno.test("DeltaFifo.delete() queues the deletion of an object that could not be stored", () => {
  const { fifo, known } = new Bench();
  fifo.delete(packed("a", { version: 1 }));
  assert.equal(fifo.length, 0);
  known.noteLost("default/a");
  fifo.delete(packed("a", { version: 2 }));
  assert.equal(fifo.length, 1);
});
