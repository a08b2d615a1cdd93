import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../../tests/support/seed.ts";
import { compileStage } from "../../../../tests/support/stage.ts";
import { MemberCursor } from "./json_scan.ts";
import { stage, stageIsAscii } from "./json_stage.ts";

const encoder = new TextEncoder();

Deno.test("the stage is compiled once a megabyte has been scanned, and is used for texts above a length", () => {
  const kilobyte = new Uint8Array(1024);
  for (let i = 0; i < 1023; i++) assert.equal(stage(kilobyte), false);
  assert.equal(stage(kilobyte), true);
  assert.equal(stage(new Uint8Array(100)), false, "short text is scanned where it is");
  assert.equal(stage(new Uint8Array(1024 * 1024)), true);
  assert.equal(stage(new Uint8Array(1024 * 1024 + 1)), false, "there is no room for more");
});

Deno.test("the stage detects ASCII text, whatever was there before", () => {
  compileStage();
  assert.ok(stage(encoder.encode("é".repeat(1000))));
  assert.equal(stageIsAscii(), false);
  assert.ok(stage(encoder.encode("e".repeat(999))));
  assert.equal(stageIsAscii(), true);
});

/**
 * Returns the positions of a MemberCursor's walk through the members of a JSON object, step by
 * step.
 */
function walk(bytes: Uint8Array, start: number, end: number, isStaged: boolean): number[] {
  const cursor = new MemberCursor();
  const steps: number[] = [];
  cursor.enter(bytes, start, end, isStaged);
  while (cursor.nextKey()) {
    steps.push(cursor.at);
    if (!cursor.skipValue()) break;
  }
  return [...steps, cursor.at];
}

Deno.test("MemberCursor visits the same members on the stage, also in invalid JSON", () => {
  compileStage();
  const maker = new JsonTextMaker(testSeed());
  let whole = 0;
  for (let i = 0; i < 5000; i++) {
    const text = encoder.encode(maker.kubeObject());
    const object = maker.happens(0.3) ? text : maker.mutate(text);
    const start = maker.below(100);
    const line = new Uint8Array(start + object.length + 300).fill(0x20);
    line.set(object, start);
    const end = maker.happens(0.8) ? line.length : start + maker.below(object.length + 1);
    assert.ok(stage(line));
    const steps = walk(line, start, end, true);
    assert.deepEqual(steps, walk(line, start, end, false), new TextDecoder().decode(object));
    if (steps.length > 3 && steps.at(-1) === start + object.length) whole++;
  }
  assert.ok(whole > 1000, "many are walked to their end");
});

Deno.test("a backslash outside of strings is handled on the stage as in JavaScript", () => {
  compileStage();
  const text = `{"a":[1\\,2],"b":{\\"c":"]}"},"d":[${" ".repeat(300)}]}`;
  const bytes = encoder.encode(text);
  assert.ok(stage(bytes));
  const steps = walk(bytes, 0, bytes.length, true);
  assert.deepEqual(steps, walk(bytes, 0, bytes.length, false));
  assert.equal(steps.at(-1), bytes.length);
});
