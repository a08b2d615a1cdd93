import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { jsonPatchBetween } from "./json_patch.ts";
import { patchedJson } from "./patched_json.ts";

Deno.test("jsonPatchBetween() names added, changed and removed fields, and items of lists", () => {
  const cases: [before: string, after: string, patch: unknown][] = [
    ["{}", "{}", []],
    ['{"a":1}', '{"a":2}', [{ op: "replace", path: "/a", value: 2 }]],
    ['{"a/b~c":1}', "{}", [{ op: "remove", path: "/a~1b~0c" }]],
    ["{}", '{"a":{"b":[1]}}', [{ op: "add", path: "/a", value: { b: [1] } }]],
    ['{"a":null}', "{}", [{ op: "remove", path: "/a" }]],
    ['{"a":[]}', '{"a":{}}', [{ op: "replace", path: "/a", value: {} }]],
    ["[1,2,3]", "[1,3]", [{ op: "remove", path: "/1" }]],
    ["[1,3]", "[1,2,3]", [{ op: "add", path: "/1", value: 2 }]],
    ["[1,2,3,4]", "[]", [3, 2, 1, 0].map((at) => ({ op: "remove", path: `/${at}` }))],
    ['[{"a":1}]', '[{"a":2}]', [{ op: "replace", path: "/0/a", value: 2 }]],
    ["{}", '{"__proto__":{"a":1}}', [
      { op: "add", path: "/__proto__", value: { a: 1 } },
    ]],
  ];
  for (const [before, after, patch] of cases) {
    assert.deepEqual(jsonPatchBetween(JSON.parse(before), JSON.parse(after)), patch, after);
  }
  assert.deepEqual(jsonPatchBetween({ a: 1, b: 2 }, { a: undefined, b: 2, c: undefined }), [
    { op: "remove", path: "/a" },
  ]);
});

Deno.test("jsonPatchBetween() is linear in the lengths of lists that change throughout", () => {
  const before = Array.from({ length: 50_000 }, (_, at) => ({ at }));
  const after = before.map(({ at }) => ({ at: at + 1 }));
  assert.equal(jsonPatchBetween(before, after).length, 50_000);
});

Deno.test("jsonPatchBetween() of random values gives a patch that turns the one into the other", () => {
  const { random } = printedRandom();
  const pick = (count: number): number => Math.floor(random.next() * count);
  const make = (depth: number): unknown => {
    switch (pick(depth > 0 ? 7 : 5)) {
      case 0:
        return pick(3);
      case 1:
        return ["", "a", "~/"][pick(3)];
      case 2:
        return null;
      case 3:
        return pick(2) === 0;
      case 4:
        return {};
      case 5:
        return Array.from({ length: pick(6) }, () => make(depth - 1));
      default: {
        const names = ["a", "b", "c~", "d/e", "", "__proto__", "0"].filter(() => pick(2) === 0);
        return Object.fromEntries(names.map((name) => [name, make(depth - 1)]));
      }
    }
  };
  const change = (value: unknown, depth: number): unknown => {
    if (pick(4) === 0 || typeof value !== "object" || value === null) return make(depth);
    if (Array.isArray(value)) {
      const kept = value.filter(() => pick(5) > 0).map((each) => pick(3) ? each : change(each, 1));
      if (pick(3) === 0) kept.splice(pick(kept.length + 1), 0, make(1));
      return kept;
    }
    const kept = Object.entries(value).filter(() => pick(5) > 0)
      .map(([name, each]) => [name, pick(2) ? each : change(each, depth - 1)] as const);
    return Object.fromEntries([...kept, ...(pick(2) ? [] : [["new", make(1)]])]);
  };
  for (let round = 0; round < 2_000; round++) {
    const before = make(3);
    const after = change(before, 3);
    const text = JSON.stringify(before);
    const patch = jsonPatchBetween(before, after);
    assert.deepEqual(sorted(patchedJson(before, patch)), sorted(after));
    assert.equal(JSON.stringify(before), text, "the value before was changed");
  }
});

/** Returns a value as text, with the fields of maps in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.entries(each).sort(([a], [b]) => a < b ? -1 : 1);
  });
}
