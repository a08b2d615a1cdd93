import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { Pod, type UnstructuredObject } from "@xca/apimachinery/meta";
import { testSeed } from "../../../tests/support/seed.ts";
import { Arena } from "../packed/arena.ts";
import { KeyedObjects } from "./keyed_objects.ts";
import { PackedEntry } from "../packed/packed_entry.ts";
import type { PackedList } from "./packed_list.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { createPacker } from "../packed/packer.ts";

type Packed = PackedObject<UnstructuredObject>;

const packer = createPacker<UnstructuredObject>({ type: Pod });
const pod = (name: string, resourceVersion: string, size = 0): Packed =>
  packer.packObject({
    metadata: { name, uid: name, resourceVersion, labels: labelsOf(name, resourceVersion) },
    text: "x".repeat(size),
  });

/**
 * Returns the labels of a test object: many objects have the same labels, and few later ones have
 * those of the first.
 */
const labelsOf = (name: string, resourceVersion: string) => ({
  app: name.slice(0, 1),
  hundred: `${Math.floor(Number(resourceVersion) / 100)}`,
});

/** Returns a test object of another implementation of `Packer`. */
function foreign(name: string, resourceVersion: string): Packed {
  const real = pod(name, resourceVersion);
  const { key, labels, uid, namespace, ownerReferences, finalizers, annotations } = real;
  const facts = { name, key, labels, uid, namespace, ownerReferences, finalizers, annotations };
  return {
    ...facts,
    resourceVersion,
    generation: undefined,
    deletionTimestamp: undefined,
    byteLength: 1,
    read: () => real.read(),
    view: () => real.view(),
    sameVersionAs: (other) => other.resourceVersion === resourceVersion,
  };
}

const told = (objects: Iterable<Packed>): string[] =>
  [...objects].map((each) => {
    const { labels, resourceVersion } = each.read().metadata;
    assert.deepEqual(each.labels, labels);
    return `${each.key}@${resourceVersion}/${each.labels["app"]}`;
  });

Deno.test("objects are found by key, in the order in which the keys were added; of two with one key, the last", () => {
  const objects = new KeyedObjects([pod("b", "1"), pod("a", "1"), pod("b", "2")]);
  assert.deepEqual(told(objects), ["b@2/b", "a@1/a"]);
  assert.deepEqual([objects.size, objects.has("a"), objects.has("c")], [2, true, false]);
  assert.equal(objects.get("c"), undefined);
  objects.delete("c");
  objects.delete("b");
  objects.set(pod("b", "3"));
  assert.deepEqual(told(objects), ["a@1/a", "b@3/b"]);
  assert.deepEqual([...objects.keys()], ["a", "b"]);
});

Deno.test("keyed objects belong to the first caller of own(), and others receive a copy", () => {
  const objects = new KeyedObjects([pod("a", "1"), pod("b", "1")]);
  const first = KeyedObjects.own(objects);
  const second = KeyedObjects.own(objects);
  assert.equal(first, objects);
  first.delete("a");
  assert.deepEqual([told(first), told(second)], [["b@1/b"], ["a@1/a", "b@1/b"]]);
  assert.deepEqual(told(KeyedObjects.own([pod("c", "1")])), ["c@1/c"]);
});

Deno.test("random changes: a collection equals a map of objects, and lists made meanwhile do not change", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  for (let round = 0; round < 20; round++) {
    const objects = new KeyedObjects<UnstructuredObject>();
    const model = new Map<string, Packed>();
    const lists: { list: PackedList<UnstructuredObject>; expected: string[] }[] = [];
    // More than one block of rows.
    const names = Array.from({ length: below(2) === 0 ? 12 : 700 }, (_, i) => `n${i}`);
    for (let step = 0; step < 3000; step++) {
      const context = `seed=${seed} round=${round} step=${step}`;
      const name = names[below(names.length)]!;
      const dice = below(100);
      if (dice < 30) {
        objects.delete(name);
        model.delete(name);
      } else {
        const object = dice < 40 ? foreign(name, `${step}`) : pod(name, `${step}`, below(300));
        objects.set(object);
        model.set(name, object);
      }
      if (dice === 99) evacuateOne(objects, [...model.values()], below);
      if (dice === 98 && lists.length < 20) {
        lists.push({ list: objects.list(), expected: told(model.values()) });
      }
      assert.equal(objects.size, model.size, context);
      assert.equal(objects.get(name)?.resourceVersion, model.get(name)?.resourceVersion, context);
    }
    assert.deepEqual(told(objects), told(model.values()), `seed=${seed} round=${round}`);
    assertKeepsNothingElse(objects, names.length);
    for (const { list, expected } of lists) {
      assert.deepEqual(told(list), expected, `seed=${seed} round=${round}`);
      const some = below(list.length);
      list.release(some);
      list.release(some);
      expected.splice(some, 1);
      assert.deepEqual(told(list), expected, `seed=${seed} round=${round}`);
    }
    assert.deepEqual(told(objects), told(model.values()), "a list that lets go takes nothing away");
  }
});

Deno.test("a list of some objects, created in steps, is right although they are moved and replaced meanwhile", () => {
  const objects = new KeyedObjects(Array.from({ length: 700 }, (_, i) => pod(`n${i}`, "1", 2000)));
  const keys = [...objects.keys()].filter((_, i) => i % 3 > 0);
  const places = keys.map((key) => objects.placeOf(key));
  const steps = objects.listOf(keys, places);
  assert(!steps.next().done, "it takes more than a step");
  evacuateOne(objects, [...objects], (limit) => limit - 1);
  evacuateOne(objects, [...objects], () => 0);
  for (const key of keys.slice(0, 100)) objects.set(pod(key, "1"));
  let step = steps.next();
  while (!step.done) step = steps.next();
  const list = step.value;
  for (let i = 0; i < 700; i++) objects.set(pod(`m${i % 350}`, "2"));
  for (const key of keys) objects.set(pod(key, "2"));
  assert.deepEqual(told(list), keys.map((key) => `${key}@1/n`));
  for (let i = 0; i < list.length; i++) list.release(i);
  assert.deepEqual([...list], []);
});

/**
 * Asserts that rows refer only to the shared metadata of the objects in the collection, and are
 * reused.
 */
function assertKeepsNothingElse(
  objects: KeyedObjects<UnstructuredObject>,
  mostAtOnce: number,
): void {
  const entries = [...objects].filter((each) => each instanceof PackedEntry);
  const arenas = new Set(entries.map(({ arena }) => arena)).size;
  const commonFacts = new Set(entries.map(({ common }) => common)).size;
  const { rows, ...references } = objects.usage;
  assert.deepEqual(references, { arenas, commonFacts });
  assert(rows <= mostAtOnce, `${rows} rows`);
}

/** Moves the texts of one arena to another, as a compaction does. */
function evacuateOne(
  objects: KeyedObjects<UnstructuredObject>,
  stored: readonly Packed[],
  below: (limit: number) => number,
): void {
  const entries = stored.filter((each) => each instanceof PackedEntry);
  if (entries.length === 0) return;
  const { key } = entries[below(entries.length)]!;
  const from = arenaOf(objects.get(key))!;
  const to = new Arena(from.pool, new Uint8Array(4 * 1024 * 1024));
  objects.evacuate(from, (offset, extent) => {
    to.bytes.set(from.bytes.subarray(offset, offset + extent), to.used);
    to.used += extent;
    return to;
  });
  assert.equal(arenaOf(objects.get(key)), to);
  for (const each of objects) assert.notEqual(arenaOf(each), from);
}

function arenaOf(object: Packed | undefined): Arena | undefined {
  return object instanceof PackedEntry ? object.arena : undefined;
}
