import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { compareObjects } from "./compare.ts";
import { difference, EMPTY, isEmpty, setsEqual } from "../field_set/field_set.ts";
import { mergeObjects } from "./merge.ts";
import { DEDUCED, mergeTypeOf } from "./merge_type.ts";
import { randomObject, SCHEMA } from "./random_typed_fakes_test.ts";
import { reconcileSet } from "./reconcile_set.ts";
import { removeItems } from "./remove_items.ts";
import { toFieldSet } from "./to_field_set.ts";
import { validateTyped } from "./validate_typed.ts";

const TYPE = mergeTypeOf(SCHEMA);

Deno.test("mergeObjects() is idempotent and contains the applied object", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 1_000; round++) {
    const live = randomObject(random, 0.3);
    const applied = randomObject(random, 0.5);
    const texts = [JSON.stringify(live), JSON.stringify(applied)];
    const merged = mergeObjects(live, applied, TYPE) as Record<string, unknown>;
    assert.deepEqual([JSON.stringify(live), JSON.stringify(applied)], texts, "inputs stay");
    assert.deepEqual(mergeObjects(merged, applied, TYPE), merged);
    assert.deepEqual(mergeObjects(live, live, TYPE), live);
    validateTyped(merged, TYPE);
    const { modified, removed } = compareObjects(applied, merged, TYPE);
    assert.ok(isEmpty(modified) && isEmpty(removed));
  }
});

Deno.test("compareObjects() finds the differences, and swapped sides swap added and removed", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 1_000; round++) {
    const [a, b] = [randomObject(random, 0.4), randomObject(random, 0.4)];
    const there = compareObjects(a, b, TYPE);
    const back = compareObjects(b, a, TYPE);
    assert.ok(setsEqual(there.added, back.removed));
    assert.ok(setsEqual(there.removed, back.added));
    assert.ok(setsEqual(there.modified, back.modified));
    const same = compareObjects(a, structuredClone(a), TYPE);
    assert.deepEqual(same, { added: EMPTY, removed: EMPTY, modified: EMPTY });
  }
});

Deno.test("removeItems() with a value's own set leaves nothing of it", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 500; round++) {
    const object = randomObject(random, 0.4);
    const set = toFieldSet(object, TYPE);
    const bare = removeItems(object, set, TYPE);
    assert.ok(isEmpty(bare === null ? EMPTY : withoutNulls(toFieldSet(bare, TYPE))));
    assert.ok(jsonEqual(removeItems(object, EMPTY, TYPE), object));
  }
});

/** Returns a field set in which emptied containers, which are `null`, are members. */
function withoutNulls(set: ReturnType<typeof toFieldSet>): ReturnType<typeof toFieldSet> {
  return difference(set, set);
}

Deno.test("a deduced type is owned by field, and lists as a whole", () => {
  const value = { a: { b: [1, { c: 2 }], d: null }, e: {}, f: "x" };
  assert.deepEqual(toFieldSet(value, DEDUCED), {
    "f:a": { ".": {}, "f:b": {}, "f:d": {} },
    "f:e": {},
    "f:f": {},
  });
});

Deno.test("reconcileSet() adapts a set to a field that became atomic", () => {
  const set = { "f:spec": { "f:atom": { ".": {}, "f:a": {} }, "f:whole": { 'v:"x"': {} } } };
  assert.deepEqual(reconcileSet(set, TYPE), { "f:spec": { "f:atom": {}, "f:whole": {} } });
});

Deno.test("duplicate list items are owned as one", () => {
  const one = { spec: { items: [{ name: "a", value: 1 }, { name: "a", value: 2 }] } };
  const item = 'k:{"name":"a"}';
  assert.deepEqual(toFieldSet(one, TYPE), { "f:spec": { "f:items": { [item]: {} } } });
  const { added, removed } = compareObjects(
    { spec: { items: [{ name: "a", value: 1 }] } },
    one,
    TYPE,
  );
  assert.deepEqual(added, { "f:spec": { "f:items": { [item]: {} } } });
  assert.deepEqual(removed, {
    "f:spec": { "f:items": { [item]: { ".": {}, "f:name": {}, "f:value": {} } } },
  });
});

Deno.test("a merged list has the applied order around the items that are not applied", () => {
  const list = (...names: string[]) => ({ spec: { items: names.map((name) => ({ name })) } });
  const names = (value: unknown) =>
    (value as ReturnType<typeof list>).spec.items.map(({ name }) => name).join("");
  const merged = (live: string, applied: string) =>
    names(mergeObjects(list(...live), list(...applied), TYPE));
  assert.equal(merged("abc", "ca"), "bca");
  assert.equal(merged("abc", "xb"), "axbc");
  assert.equal(merged("abc", "cxab"), "cxab");
  assert.equal(merged("abcd", "x"), "abcdx");
  assert.equal(merged("abc", "b"), "abc");
});

Deno.test("validateTyped() names each mismatch", () => {
  const error = (value: unknown) => {
    try {
      validateTyped(value, TYPE);
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(error({ spec: { bogus: 1 } }), ".spec.bogus: field not declared in schema");
  assert.equal(
    error({ spec: { count: "x" } }),
    ".spec.count: expected numeric (int or float), got string",
  );
  assert.equal(
    error({ spec: { tags: ["a", "a"] } }),
    '.spec.tags: duplicate entries for key [="a"]',
  );
  assert.equal(
    error({ spec: { items: [{ value: 1 }] } }),
    '.spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] ' +
      "(and doesn't have default values for any key fields)",
  );
});
