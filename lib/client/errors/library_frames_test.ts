import assert from "node:assert/strict";
import { LIBRARY, libraryOf } from "./library_frames.ts";

Deno.test("the library in stack traces is the folder lib, its packages, or a bundle's folder", () => {
  assert.equal(LIBRARY, new URL("../../", import.meta.url).href);
  const module = "lib/client/errors/library_frames";
  for (
    const [url, library] of [
      [`file:///a%20b/${module}.js`, "file:///a%20b/lib/"],
      [`https://example.invalid/@xca/operator/0.1.0/${module}.ts`, "https://example.invalid/@xca/"],
      [`file:///n/@jsr/xca__operator/${module}.js`, "file:///n/@jsr/xca__"],
      ["file:///app/main.js", "file:///app/"],
    ] as const
  ) assert.equal(libraryOf(url), library);
});
