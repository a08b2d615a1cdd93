import assert from "node:assert/strict";
import type { AccessAttributes } from "@xca/apimachinery/internal/access";
import { FakeRegistry } from "./fake_registry_test.ts";
import { authorizeNode } from "./node_authorizer.ts";

const UNRELATED = "no relationship found between node 'one' and this object";

async function cluster(): Promise<FakeRegistry> {
  const registry = new FakeRegistry();
  const put = (group: string, resource: string, namespace: string, name: string, more: object) =>
    registry.create(
      { group, resource, namespace, name },
      { apiVersion: "v1", kind: "Any", metadata: { name, namespace }, ...more },
    );
  const spec = {
    serviceAccountName: "builder",
    imagePullSecrets: [{ name: "pull" }],
    resourceClaims: [{ name: "gpu", resourceClaimName: "gpu" }],
    initContainers: [{ envFrom: [{ secretRef: { name: "all" } }] }],
    containers: [{
      env: [
        { name: "A", valueFrom: { secretKeyRef: { name: "one-key", key: "k" } } },
        { name: "B", valueFrom: { configMapKeyRef: { name: "one-setting", key: "k" } } },
      ],
    }],
    volumes: [
      { name: "s", secret: { secretName: "mounted" } },
      { name: "p", projected: { sources: [{ secret: { name: "projected" } }] } },
      { name: "c", configMap: { name: "mounted" } },
      { name: "claimed", persistentVolumeClaim: { claimName: "claimed" } },
      { name: "scratch", ephemeral: {} },
    ],
  };
  await put("", "pods", "shop", "here", { spec: { ...spec, nodeName: "one" } });
  await put("", "pods", "shop", "there", {
    spec: { nodeName: "two", volumes: [{ name: "s", secret: { secretName: "of-two" } }] },
  });
  await put("", "persistentvolumes", "", "disk", {
    spec: {
      claimRef: { namespace: "shop", name: "claimed" },
      csi: {
        nodeStageSecretRef: { namespace: "shop", name: "stage" },
        controllerPublishSecretRef: { namespace: "shop", name: "publish" },
      },
    },
  });
  await put("storage.k8s.io", "volumeattachments", "", "attached", { spec: { nodeName: "one" } });
  await put("rbac.authorization.k8s.io", "clusterroles", "", "system:node", {
    rules: [{ verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["services"] }],
  });
  return registry;
}

function asking(more: Partial<AccessAttributes>): AccessAttributes {
  return {
    user: { name: "system:node:one", groups: ["system:nodes"] },
    verb: "get",
    isResource: true,
    group: "",
    version: "v1",
    resource: "secrets",
    subresource: "",
    namespace: "shop",
    name: "",
    path: "",
    ...more,
  };
}

Deno.test("a node reads what the pods on it refer to, and nothing of other nodes", async () => {
  const registry = await cluster();
  const may = (resource: string, name: string, more: Partial<AccessAttributes> = {}) =>
    authorizeNode(registry, asking({ resource, name, ...more }));
  for (const name of ["pull", "all", "one-key", "mounted", "projected", "stage"]) {
    assert.equal(may("secrets", name), true, name);
  }
  for (const name of ["of-two", "publish", "unknown"]) {
    assert.equal(may("secrets", name), UNRELATED, name);
  }
  assert.equal(may("secrets", "mounted", { namespace: "other" }), UNRELATED);
  assert.equal(may("secrets", ""), "No Object name found");
  assert.equal(
    may("secrets", "mounted", { verb: "update" }),
    "can only read resources of this type",
  );
  for (const name of ["one-setting", "mounted"]) assert.equal(may("configmaps", name), true, name);
  for (const name of ["claimed", "here-scratch"]) {
    assert.equal(may("persistentvolumeclaims", name), true, name);
  }
  assert.equal(may("persistentvolumes", "disk", { namespace: "" }), true);
  assert.equal(may("resourceclaims", "gpu", { group: "resource.k8s.io" }), true);
  assert.equal(may("pods", "here"), true);
  assert.equal(may("pods", "there"), UNRELATED);
  const attachment = { group: "storage.k8s.io", namespace: "" };
  assert.equal(may("volumeattachments", "attached", attachment), true);
  assert.equal(may("serviceaccounts", "builder", { verb: "create", subresource: "token" }), true);
});

Deno.test("a node lists the pods that its name selects, and writes its own node, lease and status", async () => {
  const registry = await cluster();
  const may = (more: Partial<AccessAttributes>) => authorizeNode(registry, asking(more));
  const pods = { resource: "pods", namespace: "", verb: "list" };
  assert.equal(may({ ...pods, fieldSelector: "spec.nodeName=one" }), true);
  assert.match(String(may({ ...pods, fieldSelector: "spec.nodeName=two" })), /field selector$/);
  assert.match(String(may(pods)), /field selector$/);
  const escaped = "spec.nodeName!=a\\,spec.nodeName=one";
  assert.match(String(may({ ...pods, fieldSelector: escaped })), /field selector$/);
  const nodes = { resource: "nodes", namespace: "" };
  assert.equal(may({ ...nodes, name: "one" }), true);
  assert.match(String(may({ ...nodes, name: "two" })), /only its own Node object$/);
  assert.equal(may({ ...nodes, name: "one", verb: "patch", subresource: "status" }), true);
  const leases = { group: "coordination.k8s.io", resource: "leases", verb: "update" };
  assert.equal(may({ ...leases, namespace: "kube-node-lease", name: "one" }), true);
  assert.match(String(may({ ...leases, namespace: "shop", name: "one" })), /system namespace$/);
  assert.equal(may({ resource: "services", verb: "list" }), true);
  assert.equal(may({ resource: "endpoints", verb: "list" }), "");
});

Deno.test("a user that is not a node is left to other authorizers", async () => {
  const registry = await cluster();
  const may = (name: string, groups: readonly string[]) =>
    authorizeNode(registry, asking({ name: "mounted", user: { name, groups } }));
  assert.equal(may("system:node:one", []), "");
  assert.equal(may("jane", ["system:nodes"]), "");
  assert.equal(may("system:node:", ["system:nodes"]), 'unknown node for user "system:node:"');
});
