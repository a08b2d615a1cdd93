import assert from "node:assert/strict";
import { testSeed } from "../../../tests/support/seed.ts";
import { checkConversion, ConversionError, defineResource, s } from "../mod.ts";

/** The conversion functions of a test, without types. */
// deno-lint-ignore no-explicit-any -- wrong functions are tried on purpose.
type Convert = { toStored(object: any): any; fromStored(object: any): any };

const right: Convert = {
  toStored: ({ spec: { size, ...spec }, ...rest }) => ({
    ...rest,
    spec: { ...spec, gibibytes: Number.parseInt(size) },
  }),
  fromStored: ({ spec: { gibibytes, ...spec }, ...rest }) => ({
    ...rest,
    spec: { ...spec, size: `${gibibytes}Gi` },
  }),
};

function diskWith(convert: Convert) {
  const fields = {
    note: s.optional(s.string()),
    zones: s.array(s.string(), { default: ["a"] }),
    mode: s.enum(["fast", "safe"]),
  };
  return defineResource({
    group: "example.org",
    kind: "Disk",
    storedVersion: "v1",
    versions: {
      v1alpha1: {
        spec: s.object({ ...fields, size: s.string({ pattern: "^([1-9][0-9]{0,3}|0)Gi$" }) }),
        convert,
      },
      v1: {
        spec: s.object({ ...fields, gibibytes: s.integer({ minimum: 0, maximum: 9999 }) }),
        status: s.object({ ready: s.boolean() }),
      },
    },
  });
}

/** Returns the loss that the check finds. */
async function lossOf(convert: Convert, from = ["v1alpha1", "v1"]) {
  const seed = testSeed();
  try {
    await checkConversion(diskWith(convert), { seed, from });
  } catch (error) {
    if (error instanceof ConversionError) return error.loss;
    throw error;
  }
  return undefined;
}

Deno.test("checkConversion() accepts functions that lose nothing", async () => {
  assert.equal(await lossOf(right, ["v1alpha1"]), undefined);
});

Deno.test("checkConversion() reports the field that is lost, with the smallest object that shows it", async () => {
  const forgets: Convert = {
    ...right,
    toStored: (object) => {
      const { note: _, ...spec } = right.toStored(object).spec;
      return { ...object, spec };
    },
  };
  const loss = await lossOf(forgets);
  assert.deepEqual([loss?.field, loss?.version, loss?.other], ["spec.note", "v1alpha1", "v1"]);
  assert.equal(loss?.reason, '"" becomes absent');
  assert.deepEqual(loss?.object.metadata, { name: "a" });
  const { spec } = loss?.object as unknown as { spec: Record<string, unknown> };
  assert.deepEqual(Object.keys(spec).sort(), ["mode", "note", "size", "zones"]);
  assert.deepEqual(spec.zones, []);
});

Deno.test("checkConversion() reports fields that only the stored version has, unless it is left out", async () => {
  const loss = await lossOf(right);
  assert.deepEqual([loss?.version, loss?.other, loss?.field], ["v1", "v1alpha1", "status"]);
});

Deno.test("checkConversion() reports functions that throw, drop annotations, or make invalid objects", async () => {
  const throws = await lossOf({
    ...right,
    toStored: () => {
      throw new Error("no such size");
    },
  });
  assert.match(throws!.reason, /from v1alpha1 to v1 throws no such size/);
  const forgets = await lossOf({
    ...right,
    toStored: (object) => ({ ...right.toStored(object), metadata: { name: "a" } }),
  });
  assert.match(forgets!.field, /^metadata\.(labels|annotations)/);
  const invalid = await lossOf({
    ...right,
    toStored: (object) => ({ ...object, spec: { ...right.toStored(object).spec, gibibytes: -1 } }),
  });
  assert.match(invalid!.reason, /^the object is not valid in v1: Invalid value: -1/);
});

Deno.test("checkConversion() refuses a resource that it cannot check, with the reason", async () => {
  const One = defineResource({ group: "example.org", version: "v1", kind: "One" });
  await assert.rejects(checkConversion(One), /Cannot check the conversion of One/);
  await assert.rejects(
    checkConversion(diskWith(right), { from: ["v9"] }),
    /versions are v1alpha1, v1/,
  );
});
