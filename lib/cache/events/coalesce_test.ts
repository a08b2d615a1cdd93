import assert from "node:assert/strict";
import type { Change } from "./change.ts";
import { coalesce, INITIAL_END, type Pending } from "./coalesce.ts";
import { HandlerBuffer } from "./handler_buffer.ts";
import { chance, type Doc, packed, Recorder } from "../informer/informer_fakes_test.ts";
import { observe } from "./observed_object.ts";

/** Parses a change: `add a1`, `update a1>2`, `delete a2`; a UID may follow, as in `add a3/x`. */
function change(text: string): Pending<Doc> {
  if (text === "|") return INITIAL_END;
  const [, type, name, from, to, uid = "u"] = /^(\w+) ([a-z])(\d+)(?:>(\d+))?(?:\/(\w+))?$/
    .exec(text)!;
  const at = (version: string | undefined) => observe(packed(name!, { version: version!, uid }));
  if (type === "add") return { type, current: at(from), isInInitialList: false };
  if (type === "update") return { type, old: at(from), current: at(to) };
  return { type: "delete", last: at(from) };
}

function text(each: Pending<Doc>): string {
  if (each === INITIAL_END) return "|";
  const { name, resourceVersion, uid } = each.type === "delete" ? each.last : each.current;
  const from = each.type === "update" ? `${each.old.resourceVersion}>` : "";
  return `${each.type} ${name}${from}${resourceVersion}${uid === "u" ? "" : `/${uid}`}`;
}

function merged(...texts: string[]): string[] {
  return coalesce(texts.map(change)).map(text);
}

Deno.test("F34 coalesce() merges updates into one, from the oldest old to the newest new object", () => {
  assert.deepEqual(merged("update a1>2", "update b1>2", "update a2>3", "update a3>4"), [
    "update a1>4",
    "update b1>2",
  ]);
});

Deno.test("F34 coalesce() merges later updates into an addition", () => {
  assert.deepEqual(merged("add a1", "update a1>2", "update a2>3"), ["add a3"]);
  const initial: Change<Doc> = { ...change("add a1") as Change<Doc> & { type: "add" } };
  const [only] = coalesce([{ ...initial, isInInitialList: true }, change("update a1>2")]);
  assert(only !== undefined && only !== INITIAL_END && only.type === "add");
  assert.equal(only.isInInitialList, true);
});

Deno.test("F34 coalesce() drops an addition and its deletion", () => {
  assert.deepEqual(merged("add a1", "add b1", "update a1>2", "delete a3"), ["add b1"]);
});

Deno.test("F34 coalesce() drops an update before a deletion", () => {
  assert.deepEqual(merged("update a1>2", "delete a3"), ["delete a3"]);
});

Deno.test("F34 coalesce() keeps a deletion and the addition after it", () => {
  assert.deepEqual(merged("update a1>2", "delete a3", "add a4/v", "update a4>5/v"), [
    "delete a3",
    "add a5/v",
  ]);
  assert.deepEqual(merged("delete a3", "add a4/v", "delete a5/v"), ["delete a3"]);
  assert.deepEqual(merged("delete a3", "add a4/v", "delete a5/v", "add a6/w"), [
    "delete a3",
    "add a6/w",
  ]);
});

Deno.test("F34 coalesce() merges later changes into the initial list, and keeps the position of its end", () => {
  assert.deepEqual(merged("add a1", "|", "update a1>2", "update b1>2"), [
    "add a2",
    "|",
    "update b1>2",
  ]);
  assert.deepEqual(merged("add a1", "|", "delete a1"), ["|"]);
});

Deno.test("F34 the queue of a slow handler is bounded by the number of keys, however many changes arrive", () => {
  const buffer = new HandlerBuffer<Doc>(50, () => 3);
  let longest = 0;
  for (let round = 1; round <= 2_000; round++) {
    for (const name of ["a", "b", "c"]) buffer.push(change(`update ${name}${round}>${round + 1}`));
    longest = Math.max(longest, buffer.length);
  }
  assert(longest <= 50, `it grew to ${longest}`);
  const merged: Pending<Doc>[] = [];
  for (let each = buffer.shift(); each !== undefined; each = buffer.shift()) merged.push(each);
  const last = merged.findLast((each) => text(each).startsWith("update a"));
  assert.match(text(last!), />2001$/);
  assert.match(text(merged[0]!), /^update a1>/);
});

Deno.test("F34 one change for each of many objects is never merged in vain", () => {
  const buffer = new HandlerBuffer<Doc>(5, () => 26);
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (const name of letters) assert.equal(buffer.push(change(`add ${name}1`)), false);
  for (const name of letters) assert.equal(buffer.push(change(`update ${name}1>2`)), false);
  assert.equal(buffer.push(change("update a2>3")), true);
  assert.equal(buffer.length, 26);
});

Deno.test("F34 changes that cannot be merged are not examined again before their number has doubled", () => {
  const buffer = new HandlerBuffer<Doc>(4, () => 0);
  const merges: number[] = [];
  for (const [i, name] of [..."abcdefghijklmnopqrstuvwxyz"].entries()) {
    if (buffer.push(change(`add ${name}1`))) merges.push(i + 1);
  }
  assert.deepEqual(merges, [5, 11, 23]);
});

Deno.test("F34 merging at any moment leaves a handler with the same view and a consistent sequence of changes", () => {
  const { seed, pick } = chance();
  for (let run = 0; run < 200; run++) {
    const buffer = new HandlerBuffer<Doc>(1 + pick(8), () => run % 4);
    const plain = new Recorder();
    const merging = new Recorder();
    const live = new Map<string, { version: number; uid: string }>();
    let version = 0;
    for (let step = 0; step < 80; step++) {
      const name = "abcde"[pick(5)]!;
      const there = live.get(name);
      const uid = there?.uid ?? `u${version}`;
      version++;
      const next = there === undefined
        ? `add ${name}${version}/${uid}`
        : pick(3) === 0
        ? `delete ${name}${there.version}/${uid}`
        : `update ${name}${there.version}>${version}/${uid}`;
      if (next.startsWith("delete")) live.delete(name);
      else live.set(name, { version, uid });
      const pushed = change(next);
      tellTo(plain, pushed);
      buffer.push(pushed);
      for (let taken = pick(3); taken > 1; taken--) tellTo(merging, buffer.shift());
    }
    while (buffer.length > 0) tellTo(merging, buffer.shift());
    assert.deepEqual(plain.faults, [], `seed=${seed} run=${run}`);
    assert.deepEqual(merging.faults, [], `seed=${seed} run=${run}`);
    assert.equal(merging.text, plain.text, `seed=${seed} run=${run}`);
  }
});

function tellTo(recorder: Recorder, each: Pending<Doc> | undefined): void {
  if (each === undefined || each === INITIAL_END) return;
  if (each.type === "add") recorder.onAdd(each.current, each);
  else if (each.type === "update") recorder.onUpdate(each.old, each.current);
  else recorder.onDelete(each.last);
}
