import assert from "node:assert/strict";
import { type CustomKind, withKind } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const ANYTHING = { "x-kubernetes-preserve-unknown-fields": true };
const OBJECT = { type: "object" };
const SPEC = {
  bare: OBJECT,
  deep: { ...OBJECT, properties: { in: OBJECT } },
  list: { type: "array", items: OBJECT },
  map: { ...OBJECT, additionalProperties: OBJECT },
  any: ANYTHING,
  free: { ...OBJECT, ...ANYTHING },
  named: { ...OBJECT, ...ANYTHING, properties: { known: OBJECT } },
  anyMap: { ...OBJECT, additionalProperties: ANYTHING },
  nullable: { type: "string", nullable: true },
  text: { type: "string" },
  intOrString: { "x-kubernetes-int-or-string": true },
  filled: { type: "string", default: "x" },
  embedded: { ...OBJECT, ...ANYTHING, "x-kubernetes-embedded-resource": true },
};
const STATUS = { ...OBJECT, default: { phase: "New" }, properties: { phase: { type: "string" } } };
const schema = {
  ...OBJECT,
  properties: { spec: { ...OBJECT, properties: SPEC }, status: STATUS },
};
const WITH_STATUS = { schema, version: { subresources: { status: {} } } };

/** Each is a spec that is not what reads show of it. */
const LOOSE: Readonly<Record<string, object>> = {
  "a field within an object without properties": { bare: { x: 1 } },
  "a field within such an object of an object": { deep: { in: { y: 1 } } },
  "a field within such an item of a list": { list: [{ q: 1 }, {}] },
  "a field within such a value of a map": { map: { k: { v: 1 } } },
  "a field within such an object that an open one names": { named: { known: { a: 1 }, other: 1 } },
  "null of a field without a type": { any: null },
  "null within a field without a type": { any: { a: null } },
  "null of a value without a type": { anyMap: { z: null } },
  "null within an open object": { free: { a: null, b: { c: null } } },
  "null of a field that may be it": { nullable: null },
  "null of a field with a default": { filled: null },
  "null of a text": { text: null },
  "null of a number or text": { intOrString: null },
  "null of a list": { list: null },
  "null of an object": { deep: null },
  "an unknown field of embedded metadata": {
    embedded: { apiVersion: "v1", kind: "A", metadata: { name: "a", x: 1 } },
  },
};

function apply(t: Target, kind: CustomKind, fields: object, query = ""): Promise<Answer> {
  return t.patch("apply", `${kind.path("/a")}?fieldManager=m${query}`, kind.object({ ...fields }));
}

for (const [what, spec] of Object.entries(LOOSE)) {
  conformance(`apply of a custom object: ${what}`, async (t) => {
    t.managedFields = true;
    await withKind(t, { schema }, async (kind) => {
      await apply(t, kind, { spec }, "&dryRun=All");
      await apply(t, kind, { spec });
      await t.get(kind.path("/a"));
      await apply(t, kind, { spec });
      await apply(t, kind, { spec: { ...spec, text: "t" } });
      await t.get(kind.path("/a"));
      await apply(t, kind, { spec: { text: "t" } });
    });
  });
}

conformance("a default of the status shows in the answers of all writes", async (t) => {
  await withKind(t, WITH_STATUS, async (kind) => {
    const from = await kind.watchableFrom();
    const dry = await kind.create({ metadata: { name: "dry" } }, "?dryRun=All");
    assert.deepEqual(dry.body.status, { phase: "New" });
    const created = await kind.create();
    assert.deepEqual(created.body.status, { phase: "New" });
    await t.get(kind.path("/a"));
    const { body } = await t.put(kind.path("/a"), created.body);
    assert.notEqual(body.metadata.resourceVersion, created.body.metadata.resourceVersion);
    await t.put(kind.path("/a"), body);
    await t.patch("merge", `${kind.path("/a")}/status`, { status: null });
    const applied = await t.patch(
      "apply",
      `${kind.path("/b")}?fieldManager=m`,
      kind.object({ metadata: { name: "b" } }),
    );
    assert.deepEqual(applied.body.status, { phase: "New" });
    await t.get(kind.path());
    await t.watch(
      `${kind.path()}?watch=1&resourceVersion=${from}`,
      (events) => events.some(({ object }) => object.metadata.name === "b"),
    );
  });
});

conformance("a default of the status comes with the definition", async (t) => {
  const plain = { ...schema, properties: { ...schema.properties, status: OBJECT } };
  await withKind(t, { ...WITH_STATUS, schema: plain }, async (kind) => {
    await kind.create();
    const patch = [{
      op: "replace",
      path: "/spec/versions/0/schema/openAPIV3Schema/properties/status",
      value: STATUS,
    }];
    await t.patch("json", kind.definitionPath, patch, { unrecorded: true });
    await kind.waitForObject("a", (object) => object.status?.phase === "New");
    await t.get(kind.path("/a"));
    await t.patch("merge", kind.path("/a"), { spec: { text: "a" } });
  });
});
