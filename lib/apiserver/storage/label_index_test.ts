import assert from "node:assert/strict";
import { runAll } from "@xca/apimachinery/internal/base";
import type { StoredObject } from "./arena.ts";
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

Deno.test("an index whose construction throws at once is not kept up to date by later writes", () => {
  const indexes = new LabelIndexes(NONE);
  assert.throws(() =>
    indexes.of("app", () => {
      throw new Error("gone");
    }), /^Error: gone$/);
  let reads = 0;
  const bytes = (): Uint8Array => {
    reads++;
    return new TextEncoder().encode("{}");
  };
  indexes.note(undefined, { key: "a", bytes } as unknown as StoredObject);
  assert.equal(reads, 0);
});
