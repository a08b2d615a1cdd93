import assert from "node:assert/strict";
import { EVERY_KIND } from "./every_kind_bodies.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);
const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

/** Reads a table; what its columns are about is not compared, and the age depends on time. */
async function readTable(t: Target, path: string): Promise<void> {
  const { code, body } = await t.get(path, { ...TABLE, unrecorded: true });
  for (const column of body.columnDefinitions) delete column.description;
  // One kind is given a time in 2020.
  t.mask(/^\d+(s|y(\d+d)?)$/, "<age>");
  t.exchanges.push({ request: `GET ${path} as a table`, code, body });
}

/** The headers of another user, for kinds that record their creator. */
const SOMEBODY = {
  headers: { "impersonate-user": "somebody", "impersonate-group": "system:masters" },
};

/** The kinds whose status a controller of kube-apiserver writes at any time. */
const CONTROLLED = new Set(["apiservices", "flowschemas"]);

for (const { apiVersion, resource, namespaced, status, body, name } of EVERY_KIND) {
  conformance(`${resource} of ${apiVersion} are made, read, changed and deleted`, async (t) => {
    const run = t.unique("kind");
    const own = name?.(run) ?? run;
    t.names.set(own, "<kind>");
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const all = namespaced ? t.path(resource, apiVersion) : `${root}/${resource}`;
    const one = `${all}/${own}`;
    const labelled = `${all}?labelSelector=run%3D${run}`;
    const object = { metadata: { name: own, labels: { run } }, ...body(own, t.namespace) };

    t.managedFields = true;
    const wrong = { ...object, metadata: { name: "Not_A_Name", labels: { run } }, spec: {} };
    if (CONTROLLED.has(resource)) {
      await t.post(`${all}?fieldManager=m&dryRun=All`, object);
      await t.post(`${all}?fieldManager=m`, wrong);
      return;
    }
    const made = await t.post(`${all}?fieldManager=m`, object, SOMEBODY);
    assert.equal(made.code, 201, made.body.message);
    await t.post(all, object);
    await t.get(one);
    await readTable(t, one);
    await t.get(labelled);
    await t.patch("merge", `${one}?fieldManager=m`, { metadata: { labels: { more: "x" } } });
    await t.patch("merge", `${one}?fieldManager=m`, { metadata: { labels: { more: "x" } } });
    await t.patch("apply", `${one}?fieldManager=other`, {
      apiVersion,
      kind: made.body.kind,
      metadata: { name: own, annotations: { a: "b" } },
    });
    const { body: { metadata, ...rest } } = await t.get(one);
    const relabelled = { ...rest, metadata: { ...metadata, labels: { run } } };
    await t.put(`${one}?fieldManager=m`, relabelled);
    if (status) {
      await t.get(`${one}/status`);
      const annotated = { metadata: { annotations: { a: "c" } } };
      await t.patch("merge", `${one}/status?fieldManager=m`, annotated);
    }
    await t.post(`${all}?fieldManager=m`, wrong);
    const deleted = await t.delete(one, { gracePeriodSeconds: 0 });
    assert.equal(deleted.code, 200);
    await t.delete(labelled);
    await t.get(labelled);
  });
}
