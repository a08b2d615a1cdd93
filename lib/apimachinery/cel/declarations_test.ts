import assert from "node:assert/strict";
import { namedType } from "./declarations.ts";

Deno.test("namedType() takes a name that objects inherit for the name of a struct type", () => {
  const type = namedType("constructor");
  assert.deepEqual([type.kind, type.name], ["struct", "constructor"]);
  assert.equal(namedType("constructor"), type);
});
