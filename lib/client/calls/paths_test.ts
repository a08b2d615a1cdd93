import assert from "node:assert/strict";
import { Deployment, Namespace, Pod } from "@xca/apimachinery/meta";
import { checkPath, objectPath, resourcePath } from "./paths.ts";

Deno.test("resourcePath() returns paths of the core group and of other groups", () => {
  assert.equal(resourcePath(Pod), "/api/v1/pods");
  assert.equal(resourcePath(Pod, { namespace: "a" }), "/api/v1/namespaces/a/pods");
  assert.equal(
    resourcePath(Deployment, { namespace: "a", name: "b", subresource: "status" }),
    "/apis/apps/v1/namespaces/a/deployments/b/status",
  );
  assert.equal(resourcePath(Namespace, { name: "a" }), "/api/v1/namespaces/a");
});

Deno.test("resourcePath() encodes characters that names may have and paths may not", () => {
  assert.equal(resourcePath(Namespace, { name: "a b?c#d" }), "/api/v1/namespaces/a%20b%3Fc%23d");
});

for (const bad of ["", ".", "..", "a/b", "%2f", "..%2f..", "a%00"]) {
  Deno.test(`resourcePath() refuses ${JSON.stringify(bad)} as a name and as a namespace`, () => {
    assert.throws(() => resourcePath(Pod, { namespace: "a", name: bad }), TypeError);
    if (bad !== "") assert.throws(() => resourcePath(Pod, { namespace: bad }), TypeError);
  });
}

Deno.test("resourcePath() refuses a namespace for a cluster-scoped resource", () => {
  assert.throws(() => resourcePath(Namespace, { namespace: "a", name: "b" }), /cluster-scoped/);
});

Deno.test("objectPath() requires a namespace in keys of namespaced resources", () => {
  assert.equal(objectPath(Pod, "a/b"), "/api/v1/namespaces/a/pods/b");
  assert.throws(() => objectPath(Pod, "b"), /namespace\/name/);
  assert.throws(() => objectPath(Namespace, "a/b"), /cluster-scoped/);
  assert.throws(() => objectPath(Pod, "a/b/c"), TypeError);
});

Deno.test("checkPath() accepts valid paths", () => {
  for (const path of ["/", "/version", "/apis/", "/api/v1/nodes/https:a:10250/proxy/x%20y"]) {
    assert.equal(checkPath(path), path);
  }
});

for (
  const path of [
    "version",
    "/a/../b",
    "/a/%2e%2E/b",
    "/a/./b",
    "/a//b",
    "/a%2fb",
    "/a?b",
    "/a#b",
    "/a\\b",
    "/a b",
    "/a%zz",
    "//evil.example/",
  ]
) {
  Deno.test(`checkPath() refuses ${JSON.stringify(path)}`, () => {
    assert.throws(() => checkPath(path), TypeError);
  });
}
