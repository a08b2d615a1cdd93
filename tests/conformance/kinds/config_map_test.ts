import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("a created object is read back", async (t) => {
  const created = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { x: "1" },
  });
  assert.equal(created.code, 201);
  const read = await t.get(t.path("configmaps/a"));
  assert.deepEqual(read.body, created.body);
});

conformance("an object that is not there", async (t) => {
  const { code, body } = await t.get(t.path("configmaps/none"));
  assert.equal(code, 404);
  assert.equal(body.reason, "NotFound");
});

conformance("a key that is no key is refused", async (t) => {
  const { code, body } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { "no/key": "1" },
  });
  assert.equal(code, 422);
  assert.equal(body.details.causes[0].field, "data[no/key]");
});

conformance("keys of dots are refused", async (t) => {
  for (const key of [".", "..", "..a", "a".repeat(254)]) {
    const { code } = await t.post(t.path("configmaps"), {
      metadata: { name: "a" },
      binaryData: { [key]: "AAAA" },
    });
    assert.equal(code, 422);
  }
});

conformance("a key in data and in binaryData is refused", async (t) => {
  const { body } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { both: "1" },
    binaryData: { both: "AAAA" },
  });
  assert.match(body.message, /duplicate of key present in binaryData/);
});

conformance("binaryData that is not base64 is refused", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    binaryData: { x: "not base64!" },
  });
  assert.equal(code, 400);
});

conformance("more than one mebibyte of data is refused", async (t) => {
  const { code, body } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { x: "x".repeat(1024 * 1024), y: "y" },
  });
  assert.equal(code, 422);
  assert.equal(body.details.causes[0].reason, "FieldValueTooLong");
});

conformance("an immutable map keeps its data and its mark", async (t) => {
  const map = { metadata: { name: "a" }, data: { x: "1" }, immutable: true };
  await t.post(t.path("configmaps"), map);
  const changed = await t.put(t.path("configmaps/a"), { ...map, data: { x: "2" } });
  assert.equal(changed.code, 422);
  await t.put(t.path("configmaps/a"), { ...map, binaryData: { y: "AAAA" } });
  await t.put(t.path("configmaps/a"), { ...map, immutable: false });
  const labelled = await t.patch("merge", t.path("configmaps/a"), {
    metadata: { labels: { still: "changes" } },
  });
  assert.equal(labelled.code, 200);
});

conformance("a map becomes immutable", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" }, data: { x: "1" } });
  const marked = await t.patch("merge", t.path("configmaps/a"), { immutable: true });
  assert.equal(marked.body.immutable, true);
  const changed = await t.patch("merge", t.path("configmaps/a"), { data: { x: "2" } });
  assert.equal(changed.code, 422);
});

conformance("empty data are left out", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" }, data: {}, binaryData: {} });
  await t.post(t.path("configmaps"), { metadata: { name: "b" }, data: null });
  await t.post(t.path("configmaps"), { metadata: { name: "c" }, data: { empty: "" } });
  const { body } = await t.get(t.path("configmaps/c"));
  assert.deepEqual(body.data, { empty: "" });
});

conformance("data that are no texts are refused", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { number: 1 },
  });
  assert.equal(code, 400);
});

conformance("a name that is no subdomain is refused", async (t) => {
  const { code } = await t.post(t.path("configmaps"), { metadata: { name: "A_b" } });
  assert.equal(code, 422);
});

conformance("a PUT of a map that is not there", async (t) => {
  const { code } = await t.put(t.path("configmaps/none"), { metadata: { name: "none" } });
  assert.equal(code, 404);
});

conformance("applied binaryData that is not base64 is refused with the applied name", async (t) => {
  const map = { apiVersion: "v1", kind: "ConfigMap", binaryData: { a: "?" } };
  const path = t.path("configmaps/a?fieldManager=applier");
  await t.patch("apply", path, { ...map, metadata: { name: "a" } });
  const { code } = await t.patch("apply", path, {
    ...map,
    metadata: { name: "a", namespace: t.namespace },
  });
  assert.equal(code, 500);
});
