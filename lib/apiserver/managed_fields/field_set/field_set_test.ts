import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import {
  difference,
  EMPTY,
  type FieldSet,
  forEachPath,
  hasPath,
  intersection,
  isEmpty,
  recursiveDifference,
  setOf,
  setsEqual,
  union,
} from "./field_set.ts";
import { readFieldSet } from "./read_field_set.ts";

const ELEMENTS = [
  "f:a",
  "f:b",
  "f:c",
  'k:{"name":"x"}',
  'k:{"n":2}',
  'v:"x"',
  "v:10",
  "v:9",
  "i:0",
];

function randomPath(random: Random): string[] {
  const length = 1 + Math.floor(random.next() * 3);
  return Array.from(
    { length },
    () => ELEMENTS[Math.floor(random.next() * ELEMENTS.length)]!,
  );
}

function randomPaths(random: Random): string[][] {
  return Array.from({ length: Math.floor(random.next() * 8) }, () => randomPath(random));
}

function pathsOf(set: FieldSet): Set<string> {
  const paths = new Set<string>();
  forEachPath(set, (path) => paths.add(path.join(" ")));
  return paths;
}

const texts = (paths: readonly (readonly string[])[]) =>
  new Set(paths.map((path) => path.join(" ")));

Deno.test("field sets follow the algebra of sets of paths", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 2_000; round++) {
    const [left, right] = [randomPaths(random), randomPaths(random)];
    const [a, b] = [setOf(...left), setOf(...right)];
    const [x, y] = [texts(left), texts(right)];
    assert.deepEqual(pathsOf(a), x);
    assert.deepEqual(pathsOf(union(a, b)), x.union(y));
    assert.deepEqual(pathsOf(intersection(a, b)), x.intersection(y));
    assert.deepEqual(pathsOf(difference(a, b)), x.difference(y));
    const outside = left.filter((path) =>
      !right.some((prefix) => prefix.every((element, index) => path[index] === element))
    );
    assert.deepEqual(pathsOf(recursiveDifference(a, b)), texts(outside));
    for (const path of left) assert.ok(hasPath(a, path));
    assert.equal(isEmpty(a), left.length === 0);
    assert.ok(setsEqual(union(a, b), union(b, a)));
    assert.equal(JSON.stringify(union(a, b)), JSON.stringify(union(b, a)));
  }
});

Deno.test("a field set survives encoding and decoding in order", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 1_000; round++) {
    const set = setOf(...randomPaths(random));
    const text = JSON.stringify(set);
    assert.equal(JSON.stringify(readFieldSet(JSON.parse(text))), text);
    assert.equal(JSON.stringify(readFieldSet(shuffled(random, JSON.parse(text)))), text);
  }
});

function shuffled(random: Random, set: FieldSet): FieldSet {
  const entries = Object.entries(set).map(([element, inner]) =>
    [random.next(), element, shuffled(random, inner)] as const
  );
  entries.sort(([a], [b]) => a - b);
  return Object.fromEntries(entries.map(([, element, inner]) => [element, inner]));
}

Deno.test("path elements sort as fields, keys, values, indices, and numbers by size", () => {
  const set = setOf(
    ["i:10"],
    ["v:9"],
    ["v:10"],
    ['k:{"p":443}'],
    ['k:{"p":80}'],
    ["f:b"],
    ["f:a"],
    [
      "f:a",
      "f:x",
    ],
    ["i:9"],
    ['v:"a"'],
  );
  assert.equal(
    JSON.stringify(set),
    '{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"p\\":80}":{},"k:{\\"p\\":443}":{},' +
      '"v:9":{},"v:10":{},"v:\\"a\\"":{},"i:9":{},"i:10":{}}',
  );
});

Deno.test("readFieldSet() normalizes elements and skips unknown ones", () => {
  const set = readFieldSet({ 'k:{"b": 1, "a":"<"}': {}, "x:new": { "f:a": {} }, "v: 1.0": {} });
  assert.deepEqual(set, { 'k:{"a":"\\u003c","b":1}': {}, "v:1": {} });
});

Deno.test("readFieldSet() refuses invalid sets", () => {
  for (
    const bad of [[], "x", 1, { x: {} }, { "f": {} }, { "v:{": {} }, { "k:[]": {} }, { "i:x": {} }]
  ) {
    assert.throws(() => readFieldSet(bad), SyntaxError, JSON.stringify(bad));
  }
  assert.equal(readFieldSet(undefined), EMPTY);
});

Deno.test("readFieldSet() throws nothing but SyntaxErrors", () => {
  const { random } = printedRandom();
  const letters = ["f:", "k:", "v:", "i:", ".", '{"a":1}', "[", '"', "0", "\u2028", "__proto__"];
  for (let round = 0; round < 5_000; round++) {
    const make = (depth: number): unknown => {
      if (depth === 0 || random.next() < 0.2) {
        return [{}, null, 1, "x", []][Math.floor(random.next() * 5)];
      }
      const length = Math.floor(random.next() * 3);
      return Object.fromEntries(Array.from({ length }, () => {
        const parts = Array.from(
          { length: 3 },
          () => letters[Math.floor(random.next() * letters.length)],
        );
        return [parts.slice(0, 1 + Math.floor(random.next() * 3)).join(""), make(depth - 1)];
      }));
    };
    try {
      readFieldSet(make(3));
    } catch (error) {
      assert.ok(error instanceof SyntaxError, String(error));
    }
  }
});
