import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { applyMergePatch } from "./merge_patch.ts";

type Fields = Record<string, unknown>;

const patched = (object: Fields, patch: Fields) =>
  applyMergePatch(structuredClone(object), structuredClone(patch));

Deno.test("applyMergePatch() passes the examples of RFC 7386", () => {
  const examples: [Fields, Fields, Fields][] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [object, patch, expected] of examples) {
    assert.deepEqual(patched(object, patch), expected);
  }
});

function randomFields(random: Random, depth: number, nulls: boolean): Fields {
  const names = ["a", "b", "c"].filter(() => random.next() < 0.6);
  return Object.fromEntries(names.map((name) => {
    const kind = Math.floor(random.next() * 4);
    if (kind === 0 && depth > 0) return [name, randomFields(random, depth - 1, nulls)];
    if (kind === 1) return [name, [1, { x: 1 }].slice(Math.floor(random.next() * 3))];
    return [name, kind === 2 && nulls ? null : Math.floor(random.next() * 3)];
  }));
}

Deno.test("applyMergePatch() is idempotent", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 2_000; round++) {
    const object = randomFields(random, 3, false);
    const patch = randomFields(random, 3, true);
    const once = patched(object, patch);
    assert.deepEqual(patched(once, patch), once);
    assert.deepEqual(patched(object, {}), object);
  }
});

Deno.test("a generated merge patch converts one object to another", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 2_000; round++) {
    const [from, to] = [randomFields(random, 3, false), randomFields(random, 3, false)];
    assert.deepEqual(patched(from, diff(from, to)), to);
  }
});

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function diff(from: Fields, to: Fields): Fields {
  const patch: Fields = {};
  for (const name of Object.keys(from)) if (!(name in to)) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const before = from[name];
    if (isFields(before) && isFields(value)) patch[name] = diff(before, value);
    else if (JSON.stringify(before) !== JSON.stringify(value)) patch[name] = value;
  }
  return patch;
}

Deno.test("names such as constructor and __proto__ are ordinary names", () => {
  const patch = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2}}');
  const result = patched({}, patch);
  assert.equal(JSON.stringify(result), '{"__proto__":{"x":1},"constructor":{"y":2}}');
  assert.equal(({} as Fields).x, undefined);
});
