import assert from "node:assert/strict";
import { systemClock } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import { ChangeList, type ChangeListOptions } from "./change_list.ts";
import type { Pending } from "./coalesce.ts";
import { HandlerBuffer } from "./handler_buffer.ts";
import { HandlerListener } from "./handler_listener.ts";
import { type Doc, packed } from "../informer/informer_fakes_test.ts";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { PackedList } from "../store/packed_list.ts";

/** Returns a packed list of test objects with the given names. */
function listOf(names: string): PackedList<Doc> {
  return new KeyedObjects([...names].map((name) => packed(name))).list();
}

/** Runs a generator to its end, and returns its result. */
function ended<V>(steps: Generator<unknown, V>): V {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as V;
  }
}

/** Returns a change list with one added test object per name. */
function additionsOf(
  names: string,
  options: Partial<ChangeListOptions<Doc>> = {},
): ChangeList<Doc> {
  const now = listOf(names);
  return new ChangeList({ now, takers: 1, isInInitialList: true, freeze: false, ...options });
}

function nameOf(entry: Pending<Doc> | undefined): string {
  if (entry === undefined || entry === "initial end") return "|";
  return (entry.type === "delete" ? entry.last : entry.current).name;
}

/** Takes all queued changes from a handler buffer, and returns the names of their objects. */
function taken(buffer: HandlerBuffer<Doc>): string {
  let names = "";
  while (buffer.length > 0) names += nameOf(buffer.shift());
  return names;
}

Deno.test("a change is created when the first handler takes it, and shared by all handlers", () => {
  const now = listOf("ab");
  const additions = additionsOf("", { now, takers: 2, isInInitialList: false });
  const [one, other] = [additions.run(), additions.run()];
  const [a, b] = [one.next(), one.next()];
  assert.equal(one.left, 0);
  assert(a.type === "add" && !a.isInInitialList);
  assert.deepEqual([a, b].map(nameOf), ["a", "b"]);
  assert.ok(now.at(0), "another handler has it still to be told");
  assert.equal(other.left, 2);
  assert.equal(other.next(), a);
  assert.equal(now.at(0), undefined, "who was told last lets go of it");
  assert.ok(now.at(1));
  assert.equal(other.next(), b);
});

Deno.test("the difference between the old and the new list determines the kind of change", () => {
  const [before, now] = ["1", "2"].map((resourceVersion) =>
    new KeyedObjects([..."abc"].map((name) => packed(name, { version: Number(resourceVersion) })))
  );
  const keys = ["a", "b", "c"].map((name) => `default/${name}`);
  const at = (objects: KeyedObjects<Doc> | undefined, of: string) =>
    keys.map((key) => of.includes(key.at(-1)!) ? objects?.placeOf(key) : undefined);
  const lists = {
    before: ended(before!.listOf(keys, at(before, "ac"))),
    now: ended(now!.listOf(keys, at(now, "ab"))),
  };
  const changes = additionsOf("", lists).run();
  const [updated, added, deleted] = [changes.next(), changes.next(), changes.next()];
  assert(updated.type === "update" && added.type === "add" && deleted.type === "delete");
  assert.deepEqual([updated.old, updated.current].map((each) => each.resourceVersion), ["1", "2"]);
  assert.deepEqual([added.current.key, added.isInInitialList], ["default/b", true]);
  assert.deepEqual([deleted.last.key, deleted.last.finalStateUnknown], ["default/c", true]);
  assert.deepEqual([[...lists.before], [...lists.now]], [[], []], "all that was told is let go of");
});

Deno.test("an unchanged object is the same one in old and current", () => {
  const now = listOf("a");
  const change = additionsOf("", { now, before: now }).run().next();
  assert(change.type === "update");
  assert.equal(change.old, change.current);
  assert.equal(now.at(0), undefined);
});

Deno.test("ChangeList with freeze freezes an object when it is read", () => {
  const change = additionsOf("a", { freeze: true }).run().next();
  assert(change.type === "add");
  const { metadata } = change.current.object;
  assert.throws(() => (metadata as { name: string }).name = "b", TypeError);
});

Deno.test("a list of changes keeps its position between single changes", () => {
  const buffer = new HandlerBuffer<Doc>(100, () => 0);
  buffer.push(additionsOf("a").run().next());
  buffer.pushAll(additionsOf("bcd"));
  buffer.push("initial end");
  buffer.pushAll(additionsOf(""));
  buffer.pushAll(additionsOf("ef"));
  assert.equal(buffer.length, 7);
  buffer.shift();
  buffer.shift();
  assert.equal(buffer.length, 5);
  assert.equal(taken(buffer), "cd|ef");
  assert.equal(buffer.length, 0);
});

Deno.test("F34 the remaining changes of a list are merged with other changes; taken ones are not", () => {
  const buffer = new HandlerBuffer<Doc>(3, () => 0);
  assert.equal(buffer.pushAll(additionsOf("abc")), false);
  assert.equal(nameOf(buffer.shift()), "a");
  buffer.push("initial end");
  const change = additionsOf("b", { takers: 2 }).run().next();
  assert(change.type === "add");
  const update = change.current;
  const push = () => buffer.push({ type: "update", old: update, current: update });
  assert.deepEqual([push(), push(), push(), push()], [false, false, false, true]);
  assert.equal(buffer.length, 3);
  const merged = buffer.shift();
  assert.ok(merged !== "initial end" && merged?.type === "add" && merged.current === update);
  assert.equal(taken(buffer), "c|");
  buffer.pushAll(additionsOf("xyz"));
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.equal(buffer.shift(), undefined);
});

Deno.test("F34 a list of changes is not merged however few objects are stored; the third list in a row is", () => {
  const buffer = new HandlerBuffer<Doc>(3, () => 0);
  const pushAll = (now = listOf("abcdefgh")) =>
    buffer.pushAll(additionsOf("", { now, before: now }));
  assert.deepEqual([pushAll(), pushAll(), pushAll()], [false, false, true]);
  assert.equal(buffer.length, 8);
  assert.equal(taken(buffer), "abcdefgh");
});

Deno.test("a removed handler keeps no object of the changes that others receive", () => {
  const now = listOf("abcd");
  const changes = additionsOf("", { now, takers: 3 });
  const [gone, fast, slow] = [0, 0, 0].map(() => new HandlerBuffer<Doc>(100, () => 0));
  for (const buffer of [gone!, fast!, slow!]) buffer.pushAll(changes);
  const left = () => [...now].map(({ name }) => name).join("");
  gone!.shift();
  fast!.shift();
  fast!.shift();
  slow!.shift();
  gone!.clear();
  gone!.clear();
  assert.equal(left(), "bcd");
  assert.equal(nameOf(slow!.shift()), "b");
  assert.equal(left(), "cd", "told to both that are left");
  slow!.clear();
  assert.equal(taken(fast!), "cd");
  assert.equal(left(), "");
});

Deno.test("a handler removed before it was notified keeps no object of the changes that another receives", () => {
  const now = listOf("ab");
  const changes = additionsOf("", { now, takers: 2 });
  const gone = new HandlerListener<Doc>({
    name: "gone",
    informerName: "i",
    handler: {},
    coalesceAbove: 100,
    stored: () => 0,
    clock: systemClock,
    slice: new TimeSlice(systemClock),
    onRemove: () => {},
  });
  gone.remove();
  gone.pushAll(changes);
  const there = changes.run();
  assert.deepEqual([there.next(), there.next()].map(nameOf), ["a", "b"]);
  assert.deepEqual([...now], []);
});
