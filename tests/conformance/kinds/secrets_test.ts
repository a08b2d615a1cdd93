import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("a secret without type is opaque", async (t) => {
  const { body } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    data: { x: btoa("1") },
  });
  assert.equal(body.type, "Opaque");
});

conformance("stringData become data and win", async (t) => {
  const { body } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    data: { x: btoa("old"), y: btoa("kept") },
    stringData: { x: "new" },
  });
  assert.deepEqual(body.data, { x: btoa("new"), y: btoa("kept") });
  assert.equal(body.stringData, undefined);
});

conformance("stringData of a merge patch are merged into data", async (t) => {
  await t.post(t.path("secrets"), { metadata: { name: "a" }, data: { x: btoa("1") } });
  const { body } = await t.patch("merge", t.path("secrets/a"), { stringData: { y: "ünï" } });
  assert.equal(body.data.x, btoa("1"));
});

conformance("the type of a secret stays", async (t) => {
  const secret = { metadata: { name: "a" }, type: "example.com/a" };
  await t.post(t.path("secrets"), secret);
  const { code } = await t.put(t.path("secrets/a"), { ...secret, type: "example.com/b" });
  assert.equal(code, 422);
  const without = await t.put(t.path("secrets/a"), { metadata: { name: "a" } });
  assert.equal(without.code, 422);
});

conformance("an immutable secret keeps its data and its mark", async (t) => {
  const secret = { metadata: { name: "a" }, data: { x: "MQ==" }, immutable: true };
  await t.post(t.path("secrets"), secret);
  await t.put(t.path("secrets/a"), { ...secret, data: { x: "Mg==" } });
  await t.put(t.path("secrets/a"), { ...secret, stringData: { x: "2" } });
  const { code } = await t.put(t.path("secrets/a"), { ...secret, immutable: false });
  assert.equal(code, 422);
  await t.put(t.path("secrets/a"), { ...secret, stringData: { x: "1" } });
});

conformance("a token of a service account names the account", async (t) => {
  const secret = { metadata: { name: "a" }, type: "kubernetes.io/service-account-token" };
  const { code } = await t.post(t.path("secrets"), secret);
  assert.equal(code, 422);
});

conformance("a docker configuration needs its key, and JSON in it", async (t) => {
  const type = "kubernetes.io/dockerconfigjson";
  await t.post(t.path("secrets"), { metadata: { name: "a" }, type });
  for (const text of ["no json", "{", "[]", '{"a":1}x', "3", '{"a" 1}']) {
    await t.post(t.path("secrets"), {
      metadata: { name: "a" },
      type,
      stringData: { ".dockerconfigjson": text },
    });
  }
  const { code } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    type,
    stringData: { ".dockerconfigjson": "{}" },
  });
  assert.equal(code, 201);
});

conformance("an old docker configuration needs its key", async (t) => {
  const { code } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    type: "kubernetes.io/dockercfg",
    stringData: { ".dockerconfigjson": "{}" },
  });
  assert.equal(code, 422);
});

conformance("basic authentication needs a name or a password", async (t) => {
  const type = "kubernetes.io/basic-auth";
  const { code } = await t.post(t.path("secrets"), { metadata: { name: "a" }, type });
  assert.equal(code, 422);
  const named = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    type,
    stringData: { username: "" },
  });
  assert.equal(named.code, 201);
});

conformance("SSH authentication needs a key that is not empty", async (t) => {
  const { code } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    type: "kubernetes.io/ssh-auth",
    stringData: { "ssh-privatekey": "" },
  });
  assert.equal(code, 422);
});

conformance("a TLS secret needs both parts", async (t) => {
  const type = "kubernetes.io/tls";
  const { code } = await t.post(t.path("secrets"), { metadata: { name: "a" }, type });
  assert.equal(code, 422);
});

conformance("a TLS secret whose parts are no PEM is warned of", async (t) => {
  const { code } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": "no", "tls.key": "no" },
  });
  assert.equal(code, 201);
});

conformance("data that are not base64 are refused", async (t) => {
  const { code } = await t.post(t.path("secrets"), {
    metadata: { name: "a" },
    data: { x: "?" },
  });
  assert.equal(code, 400);
});

conformance("secrets are selected by type", async (t) => {
  await t.post(t.path("secrets"), { metadata: { name: "a" }, type: "example.com/a" });
  await t.post(t.path("secrets"), { metadata: { name: "b" } });
  const { body } = await t.get(t.path("secrets?fieldSelector=type=example.com/a"));
  assert.equal(body.items.length, 1);
  const others = await t.get(t.path("secrets?fieldSelector=type!=example.com/a,metadata.name=b"));
  assert.equal(others.body.items.length, 1);
});

conformance("secrets are not selected by their data", async (t) => {
  const { code } = await t.get(t.path("secrets?fieldSelector=data.x=1"));
  assert.equal(code, 400);
});

conformance("who writes stringData owns data", async (t) => {
  t.managedFields = true;
  await t.post(t.path("secrets?fieldManager=maker"), {
    metadata: { name: "a" },
    stringData: { x: "1" },
  });
  const { code } = await t.patch("strategic", t.path("secrets/a?fieldManager=patcher"), {
    stringData: { y: "2" },
  });
  assert.equal(code, 200);
});

conformance("stringData are applied", async (t) => {
  t.managedFields = true;
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
  const path = t.path("secrets/a?fieldManager=applier");
  await t.patch("apply", path, { ...secret, stringData: { x: "1", y: "2" } });
  const { body } = await t.patch("apply", path, { ...secret, stringData: { x: "3" } });
  assert.equal(body.data.x, btoa("3"));
});
