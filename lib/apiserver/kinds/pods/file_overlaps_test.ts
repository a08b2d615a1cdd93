import assert from "node:assert/strict";
import { fileOverlapWarnings } from "./file_overlaps.ts";

Deno.test("files overlap regardless of slashes at the end, of which there may be many", () => {
  const warnings = (...paths: string[]) => {
    const items = paths.map((path) => ({ key: "k", path }));
    return fileOverlapWarnings([{ name: "v", configMap: { name: "c", items } }]).length;
  };
  const slashes = "/".repeat(1_000_000);
  assert.equal(warnings("a", "b//"), 0);
  assert.equal(warnings("a", `a${slashes}`), 1);
  assert.equal(warnings("a", `b${slashes}b`), 0);
});
