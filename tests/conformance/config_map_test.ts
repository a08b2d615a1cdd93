import assert from "node:assert/strict";
import { conformanceSuite } from "./suite.ts";

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
