import assert from "node:assert/strict";
import { Additions, type AdditionsOptions } from "./additions.ts";
import type { Pending } from "./coalesce.ts";
import { HandlerBuffer } from "./handler_buffer.ts";
import { type Doc, packed } from "./informer_fakes_test.ts";

function additionsOf(
  names: string,
  options: Partial<AdditionsOptions<Doc>> = {},
): Additions<Doc> {
  const objects = [...names].map((name) => packed(name));
  return new Additions({ objects, takers: 1, isInInitialList: true, freeze: false, ...options });
}

function nameOf(entry: Pending<Doc> | undefined): string {
  if (entry === undefined || entry === "initial end") return "|";
  return (entry.type === "delete" ? entry.last : entry.current).name;
}

/** The names of all that waits. */
function taken(buffer: HandlerBuffer<Doc>): string {
  let names = "";
  while (buffer.length > 0) names += nameOf(buffer.shift());
  return names;
}

Deno.test("an addition is made when the first handler takes it, and shared by all", () => {
  const objects = [..."ab"].map((name) => packed(name));
  const additions = additionsOf("", { objects, takers: 2, isInInitialList: false });
  const [one, other] = [additions.run(), additions.run()];
  const [a, b] = [one.next(), one.next()];
  assert.equal(one.left, 0);
  assert.equal(a.isInInitialList, false);
  assert.deepEqual([a, b].map(nameOf), ["a", "b"]);
  assert.ok(objects[0], "another handler has it still to be told");
  assert.equal(other.left, 2);
  assert.equal(other.next(), a);
  assert.equal(objects[0], undefined, "who was told last lets go of it");
  assert.ok(objects[1]);
  assert.equal(other.next(), b);
});

Deno.test("additions that are frozen are frozen when they are read", () => {
  const { current } = additionsOf("a", { freeze: true }).run().next();
  assert.throws(() => (current.object.metadata as { name: string }).name = "b", TypeError);
});

Deno.test("many additions wait behind what waited before, and before what comes then", () => {
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

Deno.test("F34 what is left of many additions is merged with what else waits, all that was taken is not", () => {
  const buffer = new HandlerBuffer<Doc>(3, () => 0);
  assert.equal(buffer.pushAll(additionsOf("abc")), false);
  assert.equal(nameOf(buffer.shift()), "a");
  buffer.push("initial end");
  const update = additionsOf("b", { takers: 2 }).run().next().current;
  assert.equal(buffer.push({ type: "update", old: update, current: update }), true);
  assert.equal(buffer.length, 3);
  const merged = buffer.shift();
  assert.ok(merged !== "initial end" && merged?.type === "add" && merged.current === update);
  assert.equal(taken(buffer), "c|");
  buffer.pushAll(additionsOf("xyz"));
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.equal(buffer.shift(), undefined);
});

Deno.test("a handler that is gone keeps nothing of what others are told", () => {
  const objects = [..."abcd"].map((name) => packed(name));
  const additions = additionsOf("", { objects, takers: 3 });
  const [gone, fast, slow] = [0, 0, 0].map(() => new HandlerBuffer<Doc>(100, () => 0));
  for (const buffer of [gone!, fast!, slow!]) buffer.pushAll(additions);
  gone!.shift();
  fast!.shift();
  fast!.shift();
  slow!.shift();
  gone!.clear();
  gone!.clear();
  assert.deepEqual(objects.map((each) => each === undefined), [true, false, false, false]);
  assert.equal(nameOf(slow!.shift()), "b");
  assert.equal(objects[1], undefined, "told to both that are left");
  slow!.clear();
  assert.equal(taken(fast!), "cd");
  assert.deepEqual(objects, Array(4).fill(undefined));
});
