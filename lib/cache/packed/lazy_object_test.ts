import assert from "node:assert/strict";
import { Pod } from "@xca/apimachinery/meta";
import { Indexer } from "../store/indexer.ts";
import { isSameText } from "./packed_entry.ts";
import type { PackedObject } from "./packed_object.ts";
import { createPacker } from "./packer.ts";

const encoder = new TextEncoder();
const long = "x".repeat(3000);

function viewOf(text: string, options: { compress?: boolean; dropManagedFields?: boolean } = {}) {
  const packed = createPacker({ type: Pod, ...options }).pack(encoder.encode(text));
  return { view: packed.view(), whole: packed.read() };
}

const TEXTS = {
  compact:
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"x":"${long}"},"status":{"phase":"Running"}}`,
  "without kind": `{"metadata":{"name":"a"},"spec":{"x":"${long}"},"n":12,"b":true}`,
  "of odd spacing": ` {\n "metadata" : {"name":"a"} ,\t"n" :\n 1 , "x": "${long}" \n} `,
  "beyond ASCII":
    `{"metadata":{"name":"a","labels":{"é":"日本"}},"é":"ü","x":"${long}日","last":null}`,
  "of a key twice": `{"a":1,"metadata":{"name":"a"},"x":"${long}","a":2}`,
  "of an escaped key": `{"metadata":{"name":"a"},"x":"${long}","\\u0061":[1]}`,
  "with __proto__": `{"metadata":{"name":"a"},"x":"${long}","__proto__":{"polluted":true}}`,
  "of empty apiVersion and kind":
    `{"apiVersion":"","kind":null,"metadata":{"name":"a"},"x":"${long}"}`,
  "of keys that are numbers": `{"metadata":{"name":"a"},"x":"${long}","2":1,"1":2,"":3}`,
  "of many members": `{"metadata":{"name":"a"},"x":"${long}",${
    Array.from({ length: 40 }, (_, i) => `"m${i}":${i}`).join()
  }}`,
  small: `{"metadata":{"name":"a"},"x":1}`,
  "with managedFields":
    `{"metadata":{"name":"a","managedFields":[{"manager":"m"}],"uid":"u"},"x":"${long}","y":[{}]}`,
};

for (const [what, text] of Object.entries(TEXTS)) {
  for (const options of [{}, { compress: true }, { dropManagedFields: true }]) {
    Deno.test(`a view equals the whole object: ${what} ${JSON.stringify(options)}`, () => {
      const { view, whole } = viewOf(text, options);
      assert.deepEqual(Object.keys(view), Object.keys(whole));
      assert.equal(Deno.inspect(view), Deno.inspect(whole));
      assert.deepEqual(view, whole);
      assert.deepEqual({ ...view }, { ...whole });
      assert.deepEqual(structuredClone(viewOf(text, options).view), whole);
      assert.deepEqual(JSON.parse(JSON.stringify(view)), JSON.parse(JSON.stringify(whole)));
      assert.equal((view as { polluted?: boolean }).polluted, undefined);
    });
  }
}

Deno.test("a view parses a member once, and only members that are read", () => {
  const text =
    `{"metadata":{"name":"a"},"spec":{"x":"${long}"},"bad":{"y":nonsense},"status":{"n":1}}`;
  const packed = createPacker({ type: Pod }).pack(encoder.encode(text));
  const view = packed.view() as unknown as Record<string, unknown>;
  assert.equal(view.status, view.status);
  assert.throws(
    () => view.bad,
    /Cannot read the object pods.* a: the text the server sent is not JSON/,
  );
});

Deno.test("a view stays readable after it was frozen, and after its text was compacted away", () => {
  const packer = createPacker({ type: Pod });
  const store = new Indexer();
  const text = (at: number, version: number) =>
    encoder.encode(
      `{"metadata":{"name":"a${at}","resourceVersion":"${version}"},"x":"${long}","n":${at}}`,
    );
  for (let at = 0; at < 300; at++) store.upsert(packer.pack(text(at, 1)));
  const packed = [...store.packed()];
  const views = packed.map((each) => each.view() as unknown as Record<string, unknown>);
  Object.freeze(views[0]);
  for (let at = 0; at < 300; at++) if (at % 3 > 0) store.upsert(packer.pack(text(at, 2)));
  const hasMoved = (before: PackedObject): boolean => {
    const after = store.getPacked(before.key)!;
    return after.resourceVersion === "1" && !isSameText(before, after);
  };
  assert(packed.some(hasMoved), "none has moved");
  views.forEach((view, at) => assert.deepEqual([view.n, view.x], [at, long]));
});
