import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { testSeed } from "../../../tests/support/seed.ts";
import type { ArenaPool } from "../packed/arena_pool.ts";
import { Indexer, IndexError, type IndexFunc, NAMESPACE_INDEX } from "./indexer.ts";
import { KeyedObjects } from "./keyed_objects.ts";
import { isSameText, type PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { createPacker } from "../packed/packer.ts";

type Packed = PackedObject<UnstructuredObject>;

const packer = createPacker<UnstructuredObject>({ type: ConfigMap });

function pack(name: string, resourceVersion = "", tags: string[] = [], uid = "u"): Packed {
  const [namespace, ...rest] = name.split("/");
  const named = rest.length > 0 ? { namespace, name: rest[0] } : { name };
  return packer.packObject({ metadata: { ...named, resourceVersion, uid }, tags } as never);
}

const byTag: IndexFunc<UnstructuredObject> = (object) => object.read().tags as string[];

Deno.test("B38 multi-valued index functions update on change, and empty sets are removed", () => {
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  indexer.upsert(pack("a", "1", ["x", "y", "x"]));
  indexer.upsert(pack("b", "2", ["y"]));
  assert.deepEqual(indexer.indexKeys("byTag", "x"), ["a"]);
  assert.deepEqual(indexer.indexKeys("byTag", "y"), ["a", "b"]);
  assert.deepEqual(indexer.byIndex("byTag", "y").map((object) => object.key), ["a", "b"]);
  assert.deepEqual(indexer.listIndexFuncValues("byTag"), ["x", "y"]);

  indexer.upsert(pack("a", "3", ["z"]));
  assert.deepEqual(indexer.indexKeys("byTag", "x"), []);
  assert.deepEqual(indexer.listIndexFuncValues("byTag").sort(), ["y", "z"]);
  assert.equal(indexer.byIndex("byTag", "z")[0]!.resourceVersion, "3");

  indexer.delete("b");
  assert.deepEqual(indexer.listIndexFuncValues("byTag"), ["z"]);
  indexer.replace([pack("c", "4", [])], "4");
  assert.deepEqual(indexer.listIndexFuncValues("byTag"), []);
});

Deno.test("B38 an index function that throws: an error with index and key, after the complete change", () => {
  const indexer = new Indexer<UnstructuredObject>({
    fails: (object) => {
      if (object.name === "bad") throw new Error("no spec");
      return ["ok"];
    },
    byTag,
  });
  indexer.upsert(pack("a/good", "1"));
  assert.throws(() => indexer.upsert(pack("a/bad", "2", ["x"])), (error: Error) => {
    assert.ok(error instanceof IndexError);
    assert.equal(error.index, "fails");
    assert.equal(error.key, "a/bad");
    assert.match(error.message, /Cannot file a\/bad in index fails: no spec/);
    return true;
  });
  assert.equal(indexer.size, 2, "the object is stored all the same");
  assert.deepEqual(indexer.indexKeys("byTag", "x"), ["a/bad"]);
  assert.deepEqual(indexer.indexKeys("fails", "ok"), ["a/good"]);
  assert.deepEqual(indexer.indexKeys(NAMESPACE_INDEX, "a"), ["a/good", "a/bad"]);
});

Deno.test("B39 the store's resourceVersion is empty at first, and rises with every kind of change", () => {
  const indexer = new Indexer<UnstructuredObject>();
  assert.equal(indexer.resourceVersion, "");
  indexer.upsert(pack("a", "9"));
  assert.equal(indexer.resourceVersion, "9");
  indexer.upsert(pack("b", "10"));
  assert.equal(indexer.resourceVersion, "10", "compared as numbers");
  indexer.upsert(pack("a", "7"));
  assert.equal(indexer.resourceVersion, "10", "never back");
  indexer.upsert(pack("c", ""));
  assert.equal(indexer.resourceVersion, "10", "an object without a version changes nothing");
  indexer.delete("a", "12");
  assert.equal(indexer.resourceVersion, "12");
  indexer.delete("b");
  assert.equal(indexer.resourceVersion, "12");
  indexer.noteResourceVersion("15");
  indexer.noteResourceVersion("13");
  indexer.noteResourceVersion("");
  assert.equal(indexer.resourceVersion, "15");
  indexer.replace([pack("a", "16"), pack("b", "20")], "18");
  assert.equal(indexer.resourceVersion, "18", "a list shows one version");
});

Deno.test("B40 errors of index functions in a replace are reported, and everything else is applied", () => {
  const reported: string[] = [];
  const indexer = new Indexer<UnstructuredObject>({
    picky: (object) => {
      if (object.name.startsWith("bad")) throw new Error("no");
      return [object.name];
    },
  }, { onIndexError: (error) => reported.push(error.key) });
  indexer.replace([pack("bad1", "1"), pack("good", "2"), pack("bad2", "3")], "3");
  assert.deepEqual(reported, ["bad1", "bad2"]);
  assert.deepEqual(indexer.keys(), ["bad1", "good", "bad2"]);
  assert.deepEqual(indexer.listIndexFuncValues("picky"), ["good"]);
  assert.equal(indexer.resourceVersion, "3");
});

Deno.test("B40 a replace whose iterable throws changes nothing", () => {
  const indexer = new Indexer<UnstructuredObject>();
  indexer.upsert(pack("a", "1"));
  assert.throws(() =>
    indexer.replace(
      (function* () {
        yield pack("b", "2");
        throw new Error("cut");
      })(),
      "2",
    ), /cut/);
  assert.deepEqual(indexer.keys(), ["a"]);
  assert.equal(indexer.resourceVersion, "1");
});

Deno.test("replace() keeps objects with the same UID and resourceVersion, with their bytes", () => {
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  const [kept, changed, recreated, gone] = [
    pack("kept", "1", ["k"]),
    pack("changed", "2", ["old"]),
    pack("recreated", "3"),
    pack("gone", "4", ["g"]),
  ];
  indexer.replace([kept, changed, recreated, gone], "4");
  const now = [
    pack("kept", "1", ["k"]),
    pack("changed", "5", ["new"]),
    pack("recreated", "3", [], "other"),
    pack("added", "6"),
  ];
  indexer.replace(now, "6");
  assert(isSameText(indexer.getPacked("kept")!, kept));
  assert(isSameText(indexer.getPacked("changed")!, now[1]!));
  assert(isSameText(indexer.getPacked("recreated")!, now[2]!));
  assert.equal(indexer.getPacked("gone"), undefined);
  assert.deepEqual(indexer.listIndexFuncValues("byTag").sort(), ["k", "new"]);
  assert.deepEqual(indexer.keys(), ["kept", "changed", "recreated", "added"]);
});

Deno.test("replaceInSlices(): readers see the whole old state until the new one is complete, indexes too", async () => {
  const many = (version: number, tag: string) =>
    Array.from({ length: 100 }, (_, i) => pack(`n${i}`, `${version + i}`, [tag]));
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  indexer.replace([...many(1, "old"), pack("gone", "101", ["old"])], "101");
  const state = () =>
    [
      indexer.resourceVersion,
      indexer.size,
      ...["old", "new"].flatMap((tag) => [
        indexer.indexKeys("byTag", tag).length,
        indexer.byIndex("byTag", tag).length,
      ]),
      indexer.byIndex("byTag", "old").every((object) =>
        (object.read().tags as string[])[0] === "old"
      ),
      indexer.get("n99")?.tags,
    ].join();
  const seen: string[] = [];
  let swapped = -1;
  const slice = {
    used: true,
    next: () => {
      seen.push(state());
      if (seen.length === 2) indexer.addIndexers({ late: (object) => [object.resourceVersion] });
      assert.throws(
        () => indexer.upsert(pack("x", "1")),
        /Cannot store x: the store is being repla/,
      );
      assert.throws(() => indexer.delete("n1"), /Cannot delete n1/);
      assert.throws(() => indexer.replace([], ""), /Cannot replace the store/);
      return Promise.resolve();
    },
  };
  await indexer.replaceInSlices(many(200, "new"), {
    resourceVersion: "300",
    slice,
    onSwap: () => swapped = seen.push(state()),
  });
  assert(seen.length > 12, `${seen.length} slices`);
  const [before, after] = ["101,101,101,101,0,0,true,old", "300,100,0,0,100,100,true,new"];
  assert.deepEqual(seen.slice(0, swapped - 1).filter((each) => each !== before), []);
  assert.deepEqual(seen.slice(swapped - 1).filter((each) => each !== after), []);
  assert.deepEqual(indexer.indexKeys("late", "299"), ["n99"]);
  assert.deepEqual(indexer.indexKeys("late", "101"), []);
  indexer.upsert(pack("x", "301"));
  assert.equal(indexer.size, 101);
});

Deno.test("replaceInSlices() that is aborted changes nothing, and the store may be changed again", async () => {
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  indexer.upsert(pack("a", "1", ["x"]));
  const slice = { used: true, next: () => Promise.reject(new Error("enough")) };
  const options = { resourceVersion: "2", slice };
  await assert.rejects(indexer.replaceInSlices([pack("b", "2", ["y"])], options), /enough/);
  assert.deepEqual(indexer.keys(), ["a"]);
  assert.deepEqual(indexer.listIndexFuncValues("byTag"), ["x"]);
  indexer.delete("a");
  assert.equal(indexer.size, 0);
});

Deno.test("replaceInSlices() that is aborted retains nothing, wherever it stopped", async () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const make = (name: string): PackedEntry<UnstructuredObject> =>
    packer.packObject({ metadata: { name, resourceVersion: name } }) as PackedEntry<
      UnstructuredObject
    >;
  const stored = make("a");
  const pool = stored.arena.pool as ArenaPool;
  for (const isKeyed of [true, false]) {
    for (const looks of [0, 1, 3, 5]) {
      const indexer = new Indexer<UnstructuredObject>();
      indexer.upsert(stored);
      const objects = [stored, ...Array.from({ length: 100 }, (_, i) => make(`n${i}`))];
      let left = looks;
      const slice = {
        used: true,
        next: () => left-- > 0 ? Promise.resolve() : Promise.reject(new Error("enough")),
      };
      await assert.rejects(
        indexer.replaceInSlices(
          isKeyed ? new KeyedObjects(objects) : objects,
          { resourceVersion: "2", slice },
        ),
        /enough/,
      );
      assert.equal(pool.liveBytes, stored.extent, `${isKeyed}, ${looks}`);
      indexer.delete("a");
      assert.equal(pool.liveBytes, 0);
    }
  }
});

Deno.test("replaceInSlices() reports the differences in the step of the swap, and unchanged objects on request", async () => {
  const versions = (list: Iterable<Packed> | undefined): string[] =>
    [...list ?? []].map(({ name, uid, resourceVersion }) => `${name}${uid}@${resourceVersion}`);
  for (const noteUnchanged of [true, false]) {
    const indexer = new Indexer<UnstructuredObject>();
    const told: Record<string, string[]>[] = [];
    const replace = (objects: Packed[], resourceVersion: string) =>
      indexer.replaceInSlices(objects, {
        resourceVersion,
        noteUnchanged,
        slice: { used: false, next: () => Promise.resolve() },
        onSwap: ({ now, before, unchanged }) => {
          assert.deepEqual(versions(indexer.packed()).sort(), versions(objects).sort());
          const all = { now: versions(now), before: versions(before) };
          told.push({ ...all, unchanged: versions(unchanged) });
        },
      });
    const names = ["same", "changed", "gone", "other"];
    await replace(names.map((name) => pack(name, "1", [], "u1")), "1");
    const same = pack("same", "1", [], "u1");
    const changed = [pack("changed", "2", [], "u1"), pack("other", "2", [], "u2")];
    await replace([same, ...changed, pack("new", "2", [], "u1")], "2");
    assert.deepEqual(told, [{
      now: ["sameu1@1", "changedu1@1", "goneu1@1", "otheru1@1"],
      before: [],
      unchanged: [],
    }, {
      now: ["changedu1@2", "otheru2@2", "newu1@2"],
      before: ["changedu1@1", "otheru1@1", "goneu1@1"],
      unchanged: noteUnchanged ? ["sameu1@1"] : [],
    }]);
  }
});

Deno.test("replaceInSlices() that is aborted after the swap, or by its callback, releases all memory", async () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const many = (version: string) =>
    Array.from(
      { length: 100 },
      (_, i) => packer.packObject({ metadata: { name: `n${i}`, resourceVersion: version } }),
    );
  for (const end of ["behind the swap", "at the swap"]) {
    const indexer = new Indexer<UnstructuredObject>();
    indexer.replace(many("1"), "1");
    const now = many("2");
    const { pool } = (now[0] as PackedEntry<UnstructuredObject>).arena;
    let swapped = false;
    await assert.rejects(
      indexer.replaceInSlices(now, {
        resourceVersion: "2",
        slice: {
          used: true,
          next: () => swapped ? Promise.reject(new Error("enough")) : Promise.resolve(),
        },
        onSwap: () => {
          swapped = true;
          if (end === "at the swap") throw new Error("enough");
        },
      }),
      /enough/,
    );
    const extents = now.map((each) => (each as PackedEntry<UnstructuredObject>).extent);
    assert.equal((pool as ArenaPool).liveBytes, extents.reduce((sum, each) => sum + each), end);
    for (const name of indexer.keys()) indexer.delete(name);
    assert.equal((pool as ArenaPool).liveBytes, 0);
  }
});

Deno.test("replaceInSlices() without reuse stores another state of the same version", async () => {
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  indexer.upsert(pack("a", "1", ["x"]));
  const slice = { used: false, next: () => Promise.resolve() };
  await indexer.replaceInSlices([pack("a", "1", ["y"])], {
    resourceVersion: "1",
    slice,
    reuse: false,
  });
  assert.deepEqual(indexer.listIndexFuncValues("byTag"), ["y"]);
});

Deno.test("random replacements, given as a list or by key: the store equals a search of the objects", async () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const slice = { used: true, next: () => Promise.resolve() };
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  for (let round = 0; round < 200; round++) {
    const context = `seed=${seed} round=${round}`;
    const before = new Map([...indexer.packed()].map((object) => [object.key, object]));
    const list = Array.from(
      { length: below(40) },
      () => pack(`n${below(30)}`, `${below(4)}`, [`t${below(5)}`], `u${below(3)}`),
    );
    const reuse = below(2) === 0;
    const map = new Map(list.map((object) => [object.key, object]));
    const expected = new Map(map);
    for (const [key, object] of map) {
      const known = before.get(key);
      // "0" is a version like any other.
      if (reuse && known?.uid === object.uid && known.resourceVersion === object.resourceVersion) {
        expected.set(key, known);
      }
    }
    const isKeyed = below(2) === 0;
    const resourceVersion = `${round}`;
    await indexer.replaceInSlices(isKeyed ? new KeyedObjects(list) : list, {
      resourceVersion,
      slice,
      reuse,
    });
    assert.deepEqual([...indexer.packed()], [...expected.values()], context);
    assert.deepEqual(indexer.keys(), [...expected.keys()], context);
    for (let tag = 0; tag < 5; tag++) {
      const filed = [...expected.values()].filter((object) =>
        (object.read().tags as string[]).includes(`t${tag}`)
      );
      assert.deepEqual(indexer.byIndex("byTag", `t${tag}`), filed, context);
    }
    for (let change = below(10); change > 0; change--) {
      if (below(2) === 0) indexer.delete(`n${below(30)}`);
      else indexer.upsert(pack(`n${below(30)}`, `${below(4)}`, [`t${below(5)}`]));
    }
  }
});

Deno.test("indexFailures() returns the keys a function threw on, through replacements, until they are indexed or deleted", async () => {
  const slice = { used: true, next: () => Promise.resolve() };
  const indexer = new Indexer<UnstructuredObject>({
    byTag: (object) => {
      if (object.resourceVersion === "1") throw new Error("no");
      return ["ok"];
    },
  }, { onIndexError: () => {} });
  const failed = (): string[] => indexer.indexFailures("byTag").sort();
  for (const name of ["a", "b", "c"]) indexer.upsert(pack(name, "1"));
  indexer.upsert(pack("fine", "2"));
  assert.deepEqual(failed(), ["a", "b", "c"]);
  indexer.replace([pack("a", "1"), pack("b", "2"), pack("c", "1"), pack("d", "1")], "3");
  assert.deepEqual(failed(), ["a", "c", "d"]);
  const objects = [pack("a", "1"), pack("d", "1"), pack("e", "1")];
  await indexer.replaceInSlices(objects, { resourceVersion: "4", slice });
  assert.deepEqual(failed(), ["a", "d", "e"]);
  indexer.upsert(pack("a", "5"));
  indexer.delete("d");
  assert.deepEqual(failed(), ["e"]);
  assert.deepEqual(indexer.indexFailures(NAMESPACE_INDEX), []);
  assert.throws(() => indexer.indexFailures("none"), RangeError);
});

Deno.test("an index function runs once per version, and never on an old one", () => {
  const calls: string[] = [];
  const indexer = new Indexer<UnstructuredObject>({
    counted: (object) => {
      calls.push(`${object.key}@${object.resourceVersion}`);
      return [object.key];
    },
  });
  indexer.upsert(pack("a", "1"));
  indexer.upsert(pack("a", "2"));
  indexer.replace([pack("a", "2"), pack("b", "3")], "3");
  indexer.delete("a");
  assert.deepEqual(calls, ["a@1", "a@2", "b@3"]);
});

Deno.test("addIndexers() indexes the stored objects, before or after the start; a name in use is refused as a whole", () => {
  const indexer = new Indexer<UnstructuredObject>();
  indexer.upsert(pack("a", "1", ["x"]));
  indexer.addIndexers({ byTag });
  assert.deepEqual(indexer.indexKeys("byTag", "x"), ["a"]);
  assert.throws(() => indexer.addIndexers({ other: () => [], byTag }), RangeError);
  assert.throws(
    () => indexer.byIndex("other", "x"),
    /the store has only the indexes namespace, byTag/,
  );
  assert.throws(() => indexer.addIndexers({ [NAMESPACE_INDEX]: () => [] }), RangeError);
});

Deno.test("the namespace index lists cluster-scoped objects under the empty string", () => {
  const indexer = new Indexer<UnstructuredObject>();
  for (const key of ["a/one", "a/two", "b/one", "node"]) indexer.upsert(pack(key));
  assert.deepEqual(indexer.indexKeys(NAMESPACE_INDEX, "a"), ["a/one", "a/two"]);
  assert.deepEqual(indexer.indexKeys(NAMESPACE_INDEX, ""), ["node"]);
  assert.deepEqual(indexer.listIndexFuncValues(NAMESPACE_INDEX), ["a", "b", ""]);
});

Deno.test("packed() is a snapshot: changes during the iteration do not show", () => {
  const indexer = new Indexer<UnstructuredObject>();
  for (const key of ["a", "b", "c"]) indexer.upsert(pack(key, "1"));
  const seen: string[] = [];
  for (const object of indexer.packed()) {
    seen.push(object.key);
    indexer.delete("b");
    indexer.upsert(pack("d", "2"));
  }
  assert.deepEqual(seen, ["a", "b", "c"]);
  assert.deepEqual(indexer.keys(), ["a", "c", "d"]);
});

Deno.test("keys and values named like members of Object.prototype are ordinary text", () => {
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  assert.equal(indexer.get("__proto__"), undefined);
  assert.deepEqual(indexer.indexKeys("byTag", "constructor"), []);
  assert.throws(() => indexer.indexKeys("toString", "x"), RangeError);
  indexer.upsert(pack("__proto__", "1", ["constructor", "__proto__"]));
  assert.equal(indexer.get("__proto__")!.metadata.name, "__proto__");
  assert.deepEqual(indexer.indexKeys("byTag", "__proto__"), ["__proto__"]);
});

Deno.test("random changes: the indexes equal a search of the objects", () => {
  const random = seededRandom(testSeed());
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const indexer = new Indexer<UnstructuredObject>({ byTag });
  const make = (): Packed =>
    pack(
      `ns${below(3)}/n${below(20)}`,
      String(below(50)),
      Array.from({ length: below(4) }, () => `t${below(6)}`),
    );
  for (let i = 0; i < 2000; i++) {
    const action = below(10);
    if (action < 6) indexer.upsert(make());
    else if (action < 9) indexer.delete(make().key);
    else indexer.replace(Array.from({ length: below(30) }, make), "60");
    if (i % 20 !== 0) continue;
    const walked = new Map<string, string[]>();
    for (const object of indexer.packed()) {
      assert(isSameText(indexer.getPacked(object.key)!, object));
      for (const tag of new Set(object.read().tags as string[])) {
        walked.set(tag, [...walked.get(tag) ?? [], object.key]);
      }
    }
    assert.deepEqual(indexer.listIndexFuncValues("byTag").sort(), [...walked.keys()].sort());
    for (const [tag, keys] of walked) {
      assert.deepEqual(indexer.indexKeys("byTag", tag).sort(), keys.sort());
    }
  }
});
