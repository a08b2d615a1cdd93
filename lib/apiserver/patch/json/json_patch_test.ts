import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { applyJsonPatch } from "./json_patch.ts";
import { readJsonPatch } from "./json_patch_request.ts";
import { UnfitPatchError } from "../patch_error.ts";
import { StatusError } from "@xca/apimachinery/internal/errors";

const patched = (document: unknown, ...operations: Parameters<typeof applyJsonPatch>[1]) =>
  applyJsonPatch(structuredClone(document), operations);

Deno.test("applyJsonPatch() applies the operations of RFC 6902", () => {
  assert.deepEqual(patched({ a: [1, 2] }, { op: "add", path: "/a/1", value: 9 }), { a: [1, 9, 2] });
  assert.deepEqual(patched({ a: [1] }, { op: "add", path: "/a/-", value: 9 }), { a: [1, 9] });
  assert.deepEqual(patched({ a: 1, b: 2 }, { op: "remove", path: "/a" }), { b: 2 });
  assert.deepEqual(patched({ a: [1, 2, 3] }, { op: "remove", path: "/a/1" }), { a: [1, 3] });
  assert.deepEqual(patched({ a: 1 }, { op: "replace", path: "/a", value: 2 }), { a: 2 });
  assert.deepEqual(patched({ a: { b: 1 } }, { op: "move", from: "/a/b", path: "/c" }), {
    a: {},
    c: 1,
  });
  assert.deepEqual(patched({ a: { b: 1 } }, { op: "copy", from: "/a", path: "/c" }), {
    a: { b: 1 },
    c: { b: 1 },
  });
  assert.deepEqual(patched({ "a/b": 1, "~1": 2 }, { op: "remove", path: "/a~1b" }), { "~1": 2 });
  assert.deepEqual(patched({ "~1": 2 }, { op: "remove", path: "/~01" }), {});
  assert.deepEqual(patched({ "": 1 }, { op: "replace", path: "/", value: 2 }), { "": 2 });
});

Deno.test("applyJsonPatch() has the deviations of kube-apiserver's library", () => {
  assert.deepEqual(patched({}, { op: "replace", path: "/new", value: 1 }), { new: 1 });
  assert.deepEqual(patched({ a: [1, 2] }, { op: "remove", path: "/a/-1" }), { a: [1] });
  assert.deepEqual(patched({ a: [1, 2] }, { op: "add", path: "/a/-1", value: 3 }), {
    a: [1, 2, 3],
  });
  assert.deepEqual(patched({}, { op: "add", path: "/a" }), { a: null });
  assert.deepEqual(patched({}, { op: "test", path: "/none", value: null }), {});
  assert.deepEqual(patched({ a: 1 }, { op: "replace", path: "", value: { b: 2 } }), { b: 2 });
});

Deno.test("applyJsonPatch() refuses operations that do not apply", () => {
  for (
    const operation of [
      { op: "remove", path: "/none" },
      { op: "add", path: "/none/x", value: 1 },
      { op: "add", path: "/list/5", value: 1 },
      { op: "add", path: "/list/x", value: 1 },
      { op: "replace", path: "/list/2", value: 1 },
      { op: "test", path: "/text", value: "other" },
      { op: "add", path: "/text/x", value: 1 },
      { op: "move", from: "/none", path: "/x" },
      { op: "bogus", path: "/x" },
      { op: "add", path: "x", value: 1 },
      { op: "add", value: 1 },
      null,
    ]
  ) {
    const text = JSON.stringify(operation);
    assert.throws(() => patched({ list: [1, 2], text: "x" }, operation), UnfitPatchError, text);
  }
});

Deno.test("names such as constructor and __proto__ are ordinary names", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.throws(() => patched({}, { op: "remove", path: `/${name}` }), UnfitPatchError);
    assert.throws(() => patched({}, { op: "add", path: `/${name}/x`, value: 1 }), UnfitPatchError);
    const result = patched({}, { op: "add", path: `/${name}`, value: { x: 1 } });
    assert.deepEqual(JSON.stringify(result), `{"${name}":{"x":1}}`);
  }
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

Deno.test("applyJsonPatch() applies generated patches between random documents", () => {
  const { random } = printedRandom();
  const value = (depth: number): unknown => {
    const kind = Math.floor(random.next() * (depth > 0 ? 4 : 2));
    if (kind === 0) return Math.floor(random.next() * 3);
    if (kind === 1) return ["a", "b", null][Math.floor(random.next() * 3)];
    const length = Math.floor(random.next() * 4);
    if (kind === 2) return Array.from({ length }, () => value(depth - 1));
    return Object.fromEntries(
      Array.from({ length }, () => ["x", "y/z", "~"][Math.floor(random.next() * 3)]!)
        .map((name) => [name, value(depth - 1)]),
    );
  };
  for (let round = 0; round < 2_000; round++) {
    const from = { root: value(3) };
    const to = { root: value(3) };
    const operations = diff(from.root, to.root, "/root");
    assert.deepEqual(patched(from, ...operations), to);
    const guarded = [{ op: "test", path: "", value: from }, ...operations];
    assert.deepEqual(patched(from, ...guarded), to);
  }
});

type Operation = { op: string; path: string; value?: unknown };

function diff(from: unknown, to: unknown, path: string): Operation[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const objects = [from, to].every((each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
  );
  if (!objects) return [{ op: "replace", path, value: to }];
  const [left, right] = [from, to] as Record<string, unknown>[];
  const at = (name: string) => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return [
    ...Object.keys(left!).filter((name) => !(name in right!))
      .map((name) => ({ op: "remove", path: at(name) })),
    ...Object.keys(right!).flatMap((name) =>
      name in left!
        ? diff(left![name], right![name], at(name))
        : [{ op: "add", path: at(name), value: right![name] }]
    ),
  ];
}

Deno.test("a random JSON patch is applied or refused with a Status", () => {
  const { random } = printedRandom();
  const pieces = [
    '{"op":"add"',
    ',"path":"/a"',
    "}",
    "[",
    "]",
    ",",
    '"value":1',
    "null",
    "{",
    "1",
    '"',
    "\\u",
    ":",
  ];
  for (let round = 0; round < 5_000; round++) {
    const length = Math.floor(random.next() * 8);
    const text = Array.from({ length }, () => pieces[Math.floor(random.next() * pieces.length)])
      .join("");
    try {
      readJsonPatch(new TextEncoder().encode(text), random.next() < 0.5).apply({ metadata: {} });
    } catch (error) {
      assert.ok(error instanceof StatusError, `${text}: ${error}`);
    }
  }
});

Deno.test("a test operation compares Go's encoding of characters and numbers", () => {
  const document = { text: "a<b", n: 1, list: ["&", { x: ">" }] };
  const apply = (patch: string): unknown =>
    readJsonPatch(new TextEncoder().encode(patch), false).apply(structuredClone(document) as never);
  for (
    const [path, value] of [
      ["/text", '"a<b"'],
      ["/text", '"\\u0061\\u003cb"'],
      ["/n", "1.0"],
      ["/list", '["&", {"x": "\\u003e"}]'],
      ["", '{"text": "a<b", "n": 1, "list": ["&", {"x": ">"}]}'],
    ]
  ) {
    const test = `[{"op": "test", "path": "${path}", "value": ${value}}]`;
    assert.throws(() => apply(test), (error) => error instanceof StatusError, test);
  }
  for (
    const [path, value] of [
      ["/text", '"a\\u003cb"'],
      ["/n", "1"],
      ["/list", '[ "\\u0026",{"x":"\\u003e"} ]'],
    ]
  ) assert.deepEqual(apply(`[{"op": "test", "path": "${path}", "value": ${value}}]`), document);
  const added = '[{"op":"add","path":"/o","value":{"v":["<",1.50]}},';
  assert.deepEqual(apply(`${added}{"op":"test","path":"/o/v","value":["<",1.50]}]`), {
    ...document,
    o: { v: ["<", 1.5] },
  });
  const copied = `${added}{"op":"copy","from":"/o/v/0","path":"/c"},`;
  assert.throws(() => apply(`${copied}{"op":"test","path":"/c","value":"<"}]`));
  assert.deepEqual(apply(`${copied}{"op":"test","path":"/c","value":"\\u003c"}]`), {
    ...document,
    o: { v: ["<", 1.5] },
    c: "<",
  });
});

Deno.test("the copies of a JSON patch are limited by the bytes of their JSON", () => {
  const limit = 3 * 1024 * 1024;
  const copies = (value: string, count: number): unknown =>
    patched(
      { from: value },
      ...Array.from(
        { length: count },
        (_, at) => ({ op: "copy", from: "/from", path: `/to${at}` }),
      ),
    );
  // Each value has 1 MiB of JSON, with the quotes.
  const bytes = limit / 3 - 2;
  for (const character of ["x", "é", "<"]) {
    const size = { x: 1, "é": 2, "<": 6 }[character]!;
    const value = character.repeat(Math.floor(bytes / size)) + "x".repeat(bytes % size);
    copies(value, 3);
    assert.throws(() => copies(value, 4), {
      message: "Unable to complete the copy, the accumulated size increase of copy is " +
        `${limit / 3 * 4}, exceeding the limit ${limit}`,
    });
  }
});
