import assert from "node:assert/strict";
import { verbOfMethod, VERBS, verbsOfMethod } from "./verbs.ts";

Deno.test("verbs: each method stands for the verbs that kube-apiserver gives it", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  assert.deepEqual(methods.map(verbOfMethod), [
    ...["get", "get", "create", "update", "patch", "delete"],
    undefined,
  ]);
  assert.deepEqual(verbsOfMethod("GET"), ["get", "list", "watch"]);
  assert.deepEqual(verbsOfMethod("DELETE"), ["delete", "deletecollection"]);
  assert.deepEqual([...VERBS], [...VERBS].sort());
});
