import assert from "node:assert/strict";
import { layoutOf } from "../../client/decode/object_layout.ts";
import { DecodeError } from "../../client/errors/decode_error.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { compileStage } from "../../../tests/support/stage.ts";
import type { PackedObject } from "./packed_object.ts";
import { createPacker } from "./packer.ts";

compileStage(); // Long texts are scanned on the stage, short ones in place.
const encoder = new TextEncoder();

type Json = Record<string, unknown>;

/** Returns the metadata that the extractor should find, taken from the parsed object. */
function factsOf(tree: Json): Json | undefined {
  const metadata = record(tree.metadata);
  const name = text(metadata.name);
  if (name === "") return undefined;
  const namespace = text(metadata.namespace);
  return {
    key: namespace === "" ? name : `${namespace}/${name}`,
    namespace,
    name,
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
    generation: typeof metadata.generation === "number" ? metadata.generation : undefined,
    deletionTimestamp: text(metadata.deletionTimestamp) || undefined,
    labels: strings(metadata.labels),
    annotations: strings(metadata.annotations),
    ownerReferences: array(metadata.ownerReferences).filter((each) => isRecord(each)),
    finalizers: array(metadata.finalizers).filter((each) => typeof each === "string"),
  };
}

function factsIn(packed: PackedObject): Json {
  const { key, namespace, name, uid, resourceVersion, generation, deletionTimestamp } = packed;
  const { labels, annotations, ownerReferences, finalizers } = packed;
  return {
    key,
    namespace,
    name,
    uid,
    resourceVersion,
    generation,
    deletionTimestamp,
    labels,
    annotations,
    ownerReferences,
    finalizers,
  };
}

const text = (value: unknown): string => typeof value === "string" ? value : "";
const array = (value: unknown): unknown[] => Array.isArray(value) ? value : [];
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const record = (value: unknown): Json => isRecord(value) ? value : {};
const strings = (value: unknown): Json =>
  Object.fromEntries(Object.entries(record(value)).filter(([, each]) => typeof each === "string"));

Deno.test("facts agree with JSON.parse on every valid object", () => {
  const maker = new JsonTextMaker(testSeed());
  const packers = [{}, { dropManagedFields: true }, { compress: true }].map((options) =>
    createPacker({ type: ConfigMap, ...options })
  );
  let packedObjects = 0;
  for (let i = 0; i < 6000; i++) {
    const json = maker.space() + maker.kubeObject() + maker.space();
    const packer = packers[i % packers.length]!;
    const tree = JSON.parse(json);
    const expected = factsOf(tree);
    if (expected === undefined) {
      assert.throws(() => packer.pack(encoder.encode(json)), /it has no metadata.name/, json);
      continue;
    }
    const packed = packer.pack(encoder.encode(json));
    assert.deepEqual(factsIn(packed), expected, json);
    if (i % packers.length === 1) delete tree.metadata.managedFields;
    tree.apiVersion ||= "v1";
    tree.kind ||= "ConfigMap";
    assert.deepEqual(packed.read(), tree, json);
    packedObjects++;
  }
  assert.ok(packedObjects > 3000, "most objects have a name");
});

Deno.test("F15 pack() and read() throw nothing but DecodeError, and accept no invalid UTF-8", () => {
  const maker = new JsonTextMaker(testSeed());
  const packer = createPacker({ type: ConfigMap, dropManagedFields: true });
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  for (let i = 0; i < 4000; i++) {
    const mutated = maker.mutate(encoder.encode(maker.kubeObject()));
    try {
      const packed = packer.pack(mutated);
      assert.doesNotThrow(() => utf8.decode(mutated), "bad UTF-8 is refused");
      packed.read();
      assert.ok(packed.annotations);
    } catch (error) {
      assert.ok(error instanceof DecodeError, String(error));
    }
  }
});

Deno.test("facts never modify a prototype, whatever the keys", () => {
  const json =
    '{"__proto__":{"x":1},"metadata":{"name":"n","labels":{"__proto__":"a","constructor":"b"},' +
    '"annotations":{"__proto__":"c"}}}';
  const packed = createPacker({ type: ConfigMap }).pack(encoder.encode(json));
  assert.deepEqual(Object.entries(packed.labels), [["__proto__", "a"], ["constructor", "b"]]);
  assert.deepEqual(Object.entries(packed.annotations), [["__proto__", "c"]]);
  assert.deepEqual(Object.getPrototypeOf(packed.labels), Object.prototype);
  assert.equal(Object.getPrototypeOf(packed.read()), Object.prototype);
  assert.ok(Object.hasOwn(packed.read(), "__proto__"));
  assert.equal(({} as { x?: number }).x, undefined);
});

Deno.test("facts of related objects are shared and frozen", () => {
  const packer = createPacker({ type: ConfigMap });
  const pack = (name: string): PackedObject =>
    packer.packObject({
      metadata: {
        name,
        labels: { app: "web" },
        finalizers: ["f"],
        ownerReferences: [{ apiVersion: "v1", kind: "K", name: "o", uid: "u" }],
      },
    });
  const [one, two] = [pack("one"), pack("two")];
  assert.equal(one.labels, two.labels);
  assert.equal(one.ownerReferences, two.ownerReferences);
  assert.equal(one.finalizers, two.finalizers);
  for (const shared of [one.labels, one.ownerReferences, one.ownerReferences[0], one.finalizers]) {
    assert.ok(Object.isFrozen(shared));
  }
});

Deno.test("layoutOf() finds the object between white space, and refuses text after it", () => {
  const layout = layoutOf(encoder.encode(' \n{"metadata":{"name":"n"}} '));
  assert.equal(layout.start, 2);
  assert.equal(layout.end, 27);
  assert.equal(layoutOf(encoder.encode("{}{}")).end, -1);
});
