import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { parseJsonPath } from "./json_path.ts";

const ROOT = {
  a: { b: 1, "c.d": 2 },
  list: [{ name: "x", n: 1 }, { name: "y", n: 2 }, { n: 3 }],
};

const CASES: Readonly<Record<string, unknown[]>> = {
  ".": [ROOT],
  ".a.b": [1],
  ".a.c\\.d": [2],
  ".a['c.d']": [2],
  ".['a'].b": [1],
  ".list[0].name": ["x"],
  ".list[-1].n": [3],
  ".list[1:].n": [2, 3],
  ".list[-1:].n": [3],
  ".list[0:3:2].n": [1, 3],
  ".list[0,2].n": [1, 3],
  ".list[*].name": ["x", "y"],
  ".a.*": [1, 2],
  "..name": ["x", "y"],
  '.list[?(@.name=="y")].n': [2],
  ".list[?(@.n>1)].n": [2, 3],
  ".list[?(@.name)].n": [1, 2],
  ".list[?(@.n!=2)].n": [1, 3],
  ".none.b": [],
  ".list[9]": [],
  ".a[0]": [],
  ".toString": [],
  "..a..b": [1],
  ".list..": [ROOT.list, ...ROOT.list],
  ".a.b..": [],
};
for (const [path, found] of Object.entries(CASES)) {
  Deno.test(`${path} finds ${JSON.stringify(found).slice(0, 40)}`, () => {
    assert.deepEqual(parseJsonPath(path).find(ROOT), found);
  });
}

Deno.test("a JSONPath with several recursive descents visits each value once per descent", () => {
  let value: unknown = 1;
  for (let level = 0; level < 10_000; level++) value = { a: value };
  const search = parseJsonPath(".spec..a..a..a..a..a..b").findInSteps({ spec: value });
  let pauses = 0;
  for (;;) {
    const { done, value: found } = search.next();
    if (!done) pauses++;
    else {
      assert.deepEqual(found, []);
      break;
    }
  }
  assert.ok(pauses > 100 && pauses < 1000, `${pauses} pauses of some hundred values`);
});

for (const path of ["a", ".a[", ".a[b]", ".a[?(b)]", ".a{}"]) {
  Deno.test(`${path} is not a JSONPath`, () => {
    assert.throws(() => parseJsonPath(path), SyntaxError);
  });
}

Deno.test("a random JSONPath text is parsed or throws a SyntaxError", () => {
  const { random } = printedRandom();
  const pieces = [
    ".",
    "..",
    "a",
    "list",
    "[",
    "]",
    "*",
    "0",
    ":",
    "?(",
    "@.n",
    ")",
    "==",
    "'",
    '"',
  ];
  for (let round = 0; round < 3_000; round++) {
    let text = ".";
    for (let part = 0; part < random.next() * 12; part++) {
      text += pieces[Math.floor(random.next() * pieces.length)]!;
    }
    try {
      assert.ok(Array.isArray(parseJsonPath(text).find(ROOT)), text);
    } catch (error) {
      assert.ok(error instanceof SyntaxError, `${text}: ${error}`);
    }
  }
});

Deno.test("a filter with many spaces is parsed in linear time", () => {
  const spaces = " ".repeat(1_000_000);
  const found = parseJsonPath(`.l[?(${spaces}@.a${spaces}==${spaces}1${spaces})]`)
    .find({ l: [{ a: 1 }, { a: 2 }] });
  assert.deepEqual(found, [{ a: 1 }]);
  assert.throws(() => parseJsonPath(`.l[?(@.a${spaces}1)]`), SyntaxError);
  assert.throws(() => parseJsonPath(`.l[?(${spaces}x]`), SyntaxError);
});
