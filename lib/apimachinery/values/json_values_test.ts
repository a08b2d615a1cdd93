import assert from "node:assert/strict";
import { canonicalJson, cloneJson, jsonEqual, jsonText, sortFields } from "./json_values.ts";

function nested(levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { b: 1, a: value };
  return value;
}

/** Returns an object with a deleted field, whose text JavaScript engines make by recursion. */
function dictionary(value: unknown): unknown {
  const made: Record<string, unknown> = { b: 1, a: value, d: undefined, c: [] };
  delete made.b;
  return made;
}

Deno.test("JSON values of 10 000 levels are copied, compared and sorted", () => {
  const value = nested(10_000, { z: 1, y: [{ x: 2, w: undefined }] });
  assert.equal(jsonEqual(cloneJson(value), value), true);
  assert.equal(jsonEqual(sortFields(value), value), true);
  assert.equal(jsonEqual(nested(10_000, 1), nested(10_000, 2)), false);
  assert.equal(jsonText(value), JSON.stringify(value));
  assert.equal(jsonText(dictionary(value)), JSON.stringify({ a: value, c: [] }));
  assert.equal(jsonEqual(nested(10_000, [1]), nested(10_000, [1, 2])), false);
});

Deno.test("a copy has the fields of its original in their order, without undefined ones", () => {
  const value = { b: [1, { d: null, c: undefined }], a: { ["__proto__"]: 1 } };
  assert.equal(JSON.stringify(cloneJson(value)), JSON.stringify(value));
  assert.equal(Object.hasOwn((cloneJson(value).b[1]) as object, "c"), false);
  assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: 3 }), '{"a":3,"b":[{"c":2,"d":1}]}');
});

Deno.test("a value that contains itself is a RangeError instead of work without an end", () => {
  const value: Record<string, unknown> = { a: 1 };
  value.self = { list: [value] };
  const other: Record<string, unknown> = { a: 1 };
  other.self = { list: [other] };
  for (
    const run of [() => cloneJson(value), () => sortFields(value), () => jsonEqual(value, other)]
  ) {
    assert.throws(run, RangeError);
  }
});
