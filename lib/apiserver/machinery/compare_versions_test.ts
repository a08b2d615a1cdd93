import assert from "node:assert/strict";
import { compareVersions } from "./compare_versions.ts";

Deno.test("compareVersions() sorts by stability", () => {
  const versions = ["v1alpha1", "foo", "v10", "v2", "v1beta2", "v1", "v11beta2", "bar", "v1beta1"];
  assert.deepEqual(versions.sort(compareVersions), [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v1beta2",
    "v1beta1",
    "v1alpha1",
    "bar",
    "foo",
  ]);
});
