import assert from "node:assert/strict";
import { Pod } from "../meta/builtin.ts";
import { byKey, objectsOf } from "./keyed_objects.ts";
import { createPacker } from "./packer.ts";

const packer = createPacker({ type: Pod });
const pod = (name: string, resourceVersion: string) =>
  packer.packObject({ metadata: { name, uid: name, resourceVersion } });

Deno.test("objects that come out of a map are found by their keys without making another", () => {
  const map = new Map([["a", pod("a", "1")], ["b", pod("b", "2")]]);
  const objects = objectsOf(map);
  assert.deepEqual(objects.map(({ name }) => name), ["a", "b"]);
  assert.equal(byKey(objects), map);
  const another = byKey(objects);
  assert.notEqual(another, map, "it was given away");
  assert.deepEqual([...another], [...map]);
});

Deno.test("objects from elsewhere are found by their keys; of two with one key, the last", () => {
  const [first, last] = [pod("a", "1"), pod("a", "2")];
  assert.deepEqual([...byKey([first, last])], [["a", last]]);
});
