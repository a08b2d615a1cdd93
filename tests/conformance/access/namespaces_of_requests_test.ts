import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("an object of another namespace than the path's", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a", namespace: "elsewhere" },
  });
  assert.equal(code, 400);
});

conformance("a namespaced object cannot be created without a namespace in the path", async (t) => {
  assert.equal((await t.post("/api/v1/configmaps", { metadata: { name: "a" } })).code, 405);
});

conformance("an object in a namespace that is not there", async (t) => {
  const namespace = t.unique("missing");
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  assert.equal((await t.post(path, { metadata: { name: "a" } })).code, 404);
  assert.equal((await t.get(path)).body.items.length, 0);
  assert.equal((await t.get(`${path}/a`)).code, 404);
  assert.equal((await t.delete(`${path}/a`)).code, 404);
});

conformance("a namespace in the body of a cluster-scoped object is dropped", async (t) => {
  const name = t.unique("reader");
  const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const { code } = await t.post(path, { metadata: { name, namespace: "some" }, rules: [] });
  assert.equal(code, 201);
  await t.delete(`${path}/${name}`, undefined, { unrecorded: true });
});

conformance("a cluster-scoped resource below a namespace is not there", async (t) => {
  const path = t.path("clusterroles", "rbac.authorization.k8s.io/v1");
  assert.equal((await t.get(path)).code, 404);
  assert.equal((await t.get(`${path}/admin`)).code, 404);
});

conformance("a namespaced object without a namespace in the path is not there", async (t) => {
  assert.equal((await t.get("/api/v1/configmaps/a")).code, 404);
  assert.equal((await t.delete("/api/v1/configmaps/a")).code, 404);
});

conformance("an update whose namespace is not the path's", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  const { code } = await t.put(t.path("configmaps/a"), {
    metadata: { name: "a", namespace: "elsewhere" },
  });
  assert.equal(code, 400);
});

conformance("a patch of the namespace", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  const { code } = await t.patch("merge", t.path("configmaps/a"), {
    metadata: { namespace: "elsewhere" },
  });
  assert.equal(code, 400);
});

conformance("unknown resources, versions, groups and subresources", async (t) => {
  for (
    const path of [
      t.path("things"),
      t.path("things/a"),
      t.path("configmaps", "v2"),
      t.path("configmaps", "apps/v1"),
      t.path("deployments", "apps/v9"),
      t.path("deployments", "nothing.example/v1"),
      "/api/v1/things",
    ]
  ) {
    assert.equal((await t.get(path)).code, 404, path);
  }
});

conformance("unknown subresources", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  assert.equal((await t.get(t.path("configmaps/a/status"))).code, 404);
  assert.equal((await t.get(t.path("configmaps/a/x/y"))).code, 404);
});

conformance("methods that a path does not have", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  assert.equal((await t.put(t.path("configmaps"), {})).code, 405);
  assert.equal((await t.post(t.path("configmaps/a"), {})).code, 405);
  assert.equal((await t.patch("merge", t.path("configmaps"), {})).code, 405);
  assert.equal((await t.call("OPTIONS", t.path("configmaps"))).code, 405);
});

conformance("a path with slashes at its end", async (t) => {
  await t.post(t.path("configmaps"), { metadata: { name: "a" } });
  await t.get(t.path("configmaps/"));
  await t.get(t.path("configmaps/a/"));
});
