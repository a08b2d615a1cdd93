import assert from "node:assert/strict";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { realTest } from "../real/suite.ts";
import { dumpFacts, FACTS, jsonOf } from "./dump.ts";

realTest("the generated facts are those of the tests' control plane", async () => {
  await using plane = await ControlPlane.start();
  for (const [name, text] of await dumpFacts(jsonOf(plane))) {
    const committed = await Deno.readTextFile(new URL(name, FACTS));
    assert.ok(committed === text, `${name} is out of date: take it anew by deno task facts:dump`);
  }
});
