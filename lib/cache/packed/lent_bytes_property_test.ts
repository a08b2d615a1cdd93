import assert from "node:assert/strict";
import type { Random } from "@xca/apimachinery/base";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { PackedObject } from "./packed_object.ts";
import { createPacker } from "./packer.ts";

const encoder = new TextEncoder();
const TEXTS = ["a", "é", "漢字", "😀", '"\\', "plain ascii ", "\u2028"];

function randomText(random: Random, most: number): string {
  const text = TEXTS[Math.floor(random.next() * TEXTS.length)]!;
  return text.repeat(Math.floor(random.next() * most));
}

function randomObject(random: Random, name: string): UnstructuredObject {
  const maybe = <V>(value: V): V | undefined => random.next() < 0.5 ? value : undefined;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace: "default",
      uid: randomText(random, 9),
      resourceVersion: `${Math.floor(random.next() * 1e9)}`,
      annotations: { note: randomText(random, 30) },
      managedFields: maybe([{ manager: randomText(random, 40) || "m" }]),
      labels: maybe({ app: randomText(random, 6) }),
      deletionTimestamp: maybe("2026-01-02T03:04:05Z"),
      generation: maybe(Math.floor(random.next() * 1000)),
    },
    data: { text: randomText(random, 2_000) },
    more: maybe({ deep: [randomText(random, 10)] }),
  } as unknown as UnstructuredObject;
}

for (const options of [{}, { compress: true }, { dropManagedFields: true }]) {
  Deno.test(`objects packed from one buffer that is overwritten at once read back as they were ${JSON.stringify(options)}`, () => {
    const { seed, random } = printedRandom();
    const packer = createPacker<UnstructuredObject>({ type: ConfigMap, ...options });
    const lent = new Uint8Array(64 * 1024);
    const expected: [PackedObject<UnstructuredObject>, UnstructuredObject][] = [];
    for (let i = 0; i < 600; i++) {
      const object = randomObject(random, `n${i}`);
      const { written } = encoder.encodeInto(JSON.stringify(object), lent);
      const packed = packer.pack(lent.subarray(0, written));
      lent.fill(0x7a); // What the next batch of a stream does to the bytes.
      const kept = JSON.parse(JSON.stringify(object)) as UnstructuredObject;
      if ("dropManagedFields" in options) delete kept.metadata.managedFields;
      expected.push([packed, kept]);
    }
    for (const [packed, object] of expected) {
      const { metadata } = object;
      assert.deepEqual(packed.read(), object, `seed=${seed} ${packed.key}`);
      assert.deepEqual({ ...packed.view() }, object, `seed=${seed} ${packed.key}`);
      assert.deepEqual(
        [packed.uid, packed.resourceVersion, packed.generation, packed.deletionTimestamp],
        [metadata.uid, metadata.resourceVersion, metadata.generation, metadata.deletionTimestamp],
        `seed=${seed} ${packed.key}`,
      );
      assert.deepEqual({ ...packed.labels }, metadata.labels ?? {}, `seed=${seed} ${packed.key}`);
      assert.deepEqual({ ...packed.annotations }, metadata.annotations, `seed=${seed}`);
    }
  });
}
