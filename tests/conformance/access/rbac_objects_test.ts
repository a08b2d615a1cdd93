import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);
const RBAC = "rbac.authorization.k8s.io/v1";
const CLUSTER_ROLES = `/apis/${RBAC}/clusterroles`;
const CLUSTER_BINDINGS = `/apis/${RBAC}/clusterrolebindings`;
const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" };

conformance("a role without rules has none", async (t) => {
  const { body } = await t.post(t.path("roles", RBAC), { metadata: { name: "a" } });
  assert.equal(body.rules, null);
  await t.post(t.path("roles", RBAC), { metadata: { name: "b" }, rules: [] });
  await t.get(t.path("roles", RBAC));
});

conformance("a role's name is a segment of a path", async (t) => {
  const { code } = await t.post(t.path("roles", RBAC), { metadata: { name: "system:A_b" } });
  assert.equal(code, 201);
  const refused = await t.post(t.path("roles", RBAC), { metadata: { name: "a%b" } });
  assert.equal(refused.code, 422);
});

conformance("rules say verbs, groups and resources", async (t) => {
  const { code, body } = await t.post(t.path("roles", RBAC), {
    metadata: { name: "a" },
    rules: [{}, { verbs: ["get"] }, rule],
  });
  assert.equal(code, 422);
  assert.equal(body.details.causes.length, 5);
});

conformance("a role of a namespace grants no paths", async (t) => {
  const { code } = await t.post(t.path("roles", RBAC), {
    metadata: { name: "a" },
    rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }],
  });
  assert.equal(code, 422);
});

conformance("a rule is about paths or about resources", async (t) => {
  const name = t.unique("e", "name");
  const { code } = await t.post(CLUSTER_ROLES, {
    metadata: { name },
    rules: [{ ...rule, nonResourceURLs: ["/healthz"] }],
  });
  assert.equal(code, 422);
});

conformance("a PUT creates a role", async (t) => {
  const { code } = await t.put(t.path("roles/a", RBAC), { metadata: { name: "a" }, rules: [rule] });
  assert.equal(code, 201);
});

conformance("an aggregation needs selectors that are valid", async (t) => {
  const name = t.unique("e", "name");
  const selectors = [
    [],
    [{ matchExpressions: [{ key: "a", operator: "Other" }] }],
    [{ matchExpressions: [{ key: "a", operator: "In" }] }],
    [{ matchLabels: { "no key": "x" } }],
  ];
  for (const clusterRoleSelectors of selectors) {
    const { code } = await t.post(CLUSTER_ROLES, {
      metadata: { name },
      aggregationRule: { clusterRoleSelectors },
    });
    assert.equal(code, 422);
  }
});

conformance("a binding gets the groups that it leaves out", async (t) => {
  const { body } = await t.post(t.path("rolebindings", RBAC), {
    metadata: { name: "a" },
    roleRef: { kind: "Role", name: "a" },
    subjects: [
      { kind: "User", name: "u" },
      { kind: "Group", name: "g" },
      { kind: "ServiceAccount", name: "s" },
    ],
  });
  assert.equal(body.roleRef.apiGroup, "rbac.authorization.k8s.io");
  assert.equal(body.subjects[0].apiGroup, "rbac.authorization.k8s.io");
  assert.equal(body.subjects[2].apiGroup, undefined);
});

conformance("a binding names a role", async (t) => {
  await t.post(t.path("rolebindings", RBAC), { metadata: { name: "a" } });
  const { code } = await t.post(t.path("rolebindings", RBAC), {
    metadata: { name: "a" },
    roleRef: { apiGroup: "other", kind: "Other", name: "a/b" },
  });
  assert.equal(code, 422);
});

conformance("a binding keeps its role", async (t) => {
  const binding = { metadata: { name: "a" }, roleRef };
  await t.post(t.path("rolebindings", RBAC), binding);
  const { code } = await t.put(t.path("rolebindings/a", RBAC), {
    ...binding,
    roleRef: { ...roleRef, name: "b" },
  });
  assert.equal(code, 422);
});

conformance("subjects of a binding are checked", async (t) => {
  const { code } = await t.post(t.path("rolebindings", RBAC), {
    metadata: { name: "a" },
    roleRef,
    subjects: [
      { kind: "User" },
      { kind: "ServiceAccount", name: "No_Name", apiGroup: "other" },
      { kind: "User", name: "u", apiGroup: "other" },
      { kind: "Other", name: "o" },
    ],
  });
  assert.equal(code, 422);
});

conformance("a binding of the cluster names a role of the cluster", async (t) => {
  const name = t.unique("e", "name");
  const { code } = await t.post(CLUSTER_BINDINGS, {
    metadata: { name },
    roleRef,
    subjects: [{ kind: "ServiceAccount", name: "s" }],
  });
  assert.equal(code, 422);
});

conformance("a binding without subjects", async (t) => {
  const name = t.unique("e", "name");
  const { body } = await t.post(CLUSTER_BINDINGS, {
    metadata: { name },
    roleRef: { kind: "ClusterRole", name },
    subjects: [],
  });
  assert.equal(body.subjects, undefined);
  await t.delete(`${CLUSTER_BINDINGS}/${name}`);
});

conformance("a service account has metadata and little else", async (t) => {
  await t.post(t.path("serviceaccounts"), {
    metadata: { name: "a" },
    secrets: [{ name: "s" }],
    imagePullSecrets: [{ name: "p" }],
    automountServiceAccountToken: false,
  });
  await t.patch("strategic", t.path("serviceaccounts/a"), { secrets: [{ name: "t" }] });
  const { code } = await t.post(t.path("serviceaccounts"), { metadata: { name: "A" } });
  assert.equal(code, 422);
});
