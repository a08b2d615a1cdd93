import assert from "node:assert/strict";
import { runAll } from "@xca/apimachinery/internal/base";
import { LabelIndexes } from "./label_index.ts";

const NONE = { keys: () => [], get: () => undefined };

Deno.test("an index whose construction failed is built again for the next request", async () => {
  const indexes = new LabelIndexes(NONE);
  await assert.rejects(async () =>
    await indexes.of("app", () => Promise.reject(new Error("gone")))
  );
  assert.equal(indexes.known("app"), undefined);
  const index = await indexes.of("app", runAll);
  assert.equal(index.count(["web"]), 0);
  assert.equal(indexes.known("app"), index);
});
