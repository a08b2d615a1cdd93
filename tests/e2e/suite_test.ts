import assert from "node:assert/strict";
import { CONTROL_PLANE_VERSION } from "../../lib/testing/plane/control_plane_assets.ts";
import { releaseOf } from "../control_plane/module.ts";

const read = (name: string): Promise<string> => Deno.readTextFile(new URL(name, import.meta.url));

/** The lines of a `go.mod` that name the versions of staging modules. */
function replaced(goMod: string): string[] {
  return goMod.split("\n").filter((line) => line.includes("=>")).sort();
}

Deno.test("the end-to-end suite is that of the control plane's release", async () => {
  const goMod = await read("go.mod");
  assert.equal(releaseOf(goMod), CONTROL_PLANE_VERSION);
  assert.deepEqual(replaced(goMod), replaced(await read("../control_plane/go.mod")));
});

Deno.test("the list of specs names each once, in order", async () => {
  const names = (await read("specs.txt")).split("\n").filter((name) => name !== "");
  assert(names.length > 100);
  assert.deepEqual(names, [...new Set(names)].sort());
});
