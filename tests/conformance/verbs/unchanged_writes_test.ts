/**
 * Writes that change nothing, and yet are writes: what is stored is not what is read.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type CustomKind, specSchema, withKind } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";
import { container, type Some } from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

/** Patches an object with nothing, twice; each time its version stays as it is or moves. */
async function patchTwice(t: Target, path: string): Promise<[string, string]> {
  let { body: { metadata: { resourceVersion: before } } } = await t.get(path);
  const moves: string[] = [];
  for (let time = 0; time < 2; time++) {
    const { body } = await t.patch("merge", path, {});
    const after = body.metadata.resourceVersion;
    moves.push(after === before ? "stays" : "moves");
    before = after;
  }
  return moves as [string, string];
}

function job(labels: Some | undefined, templateLabels: Some | undefined): Some {
  const spec = { restartPolicy: "Never", containers: [container()] };
  const template = { metadata: { labels: templateLabels }, spec };
  return { metadata: { name: "a", labels }, spec: { template } };
}

conformance("a new Job is stored without the labels that it reads of its template", async (t) => {
  t.managedFields = true;
  await t.post(`${t.path("jobs", "batch/v1")}?fieldManager=m`, job(undefined, undefined));
  assert.deepEqual(await patchTwice(t, t.path("jobs/a", "batch/v1")), ["moves", "stays"]);
});

for (
  const [labels, templateLabels] of [
    [{ a: "b" }, { a: "b" }],
    [undefined, { a: "b" }],
    [{ a: "b" }, undefined],
    [{}, {}],
  ]
) {
  const title = `${JSON.stringify(labels) ?? "none"}, template's ${JSON.stringify(templateLabels)}`;
  conformance(`what a Job is labelled, and what is stored: own ${title}`, async (t) => {
    t.managedFields = true;
    await t.post(`${t.path("jobs", "batch/v1")}?fieldManager=m`, job(labels, templateLabels));
    assert.deepEqual(await patchTwice(t, t.path("jobs/a", "batch/v1")), ["stays", "stays"]);
  });
}

conformance("a new claim is stored without its phase", async (t) => {
  await t.post(t.path("persistentvolumeclaims"), {
    metadata: { name: "a" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  const moves = await patchTwice(t, t.path("persistentvolumeclaims/a"));
  assert.deepEqual(moves, ["moves", "stays"]);
});

/** A version of a kind with these fields. */
function version(name: string, storage: boolean, fields: Some): Some {
  return { name, storage, served: true, schema: { openAPIV3Schema: specSchema(fields) } };
}

/** Changes the versions of the definition, and waits until objects are read by it. */
async function redefine(t: Target, kind: CustomKind, versions: readonly Some[]): Promise<void> {
  const mark = version("v9", false, {});
  const patch = { spec: { versions: [...versions, mark] } };
  await t.patch("merge", kind.definitionPath, patch, { unrecorded: true });
  await kind.waitUntilServed("v9");
}

const TEXT = { type: "string" };

conformance("an object that was stored before a field had a default", async (t) => {
  await withKind(t, { versions: [version("v1", true, { a: TEXT })] }, async (kind) => {
    await kind.create({ spec: { a: "1" } });
    assert.deepEqual(await patchTwice(t, kind.path("/a")), ["stays", "stays"]);
    await redefine(t, kind, [version("v1", true, { a: TEXT, b: { ...TEXT, default: "2" } })]);
    assert.deepEqual(await patchTwice(t, kind.path("/a")), ["moves", "stays"]);
  });
});

conformance("an object that was stored with a field that is gone", async (t) => {
  await withKind(t, { versions: [version("v1", true, { a: TEXT, b: TEXT })] }, async (kind) => {
    await kind.create({ spec: { a: "1", b: "2" } });
    await redefine(t, kind, [version("v1", true, { a: TEXT })]);
    assert.deepEqual(await patchTwice(t, kind.path("/a")), ["moves", "stays"]);
  });
});

conformance("an object that was stored in a version that is not the stored one now", async (t) => {
  const versions = (stored: string) =>
    ["v1", "v2"].map((name) => version(name, name === stored, { a: TEXT }));
  await withKind(t, { versions: versions("v1") }, async (kind) => {
    await kind.create({ spec: { a: "1" } });
    assert.deepEqual(await patchTwice(t, kind.path("/a", "v2")), ["stays", "stays"]);
    await redefine(t, kind, versions("v2"));
    assert.deepEqual(await patchTwice(t, kind.path("/a", "v1")), ["moves", "stays"]);
  });
});
