/** The reviews that say who may do what: SubjectAccessReview and its kin. */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { as, bind, clusterScoped, grant, quiet, RBAC, untilAllowed } from "./access.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, CallOptions, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const V1 = "/apis/authorization.k8s.io/v1";
const READ_PODS = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };

function review(t: Target, spec: unknown, more: Record<string, unknown> = {}): Promise<Answer> {
  return t.post(`${V1}/subjectaccessreviews`, { spec, ...more });
}

function selfReview(t: Target, spec: unknown, options: CallOptions): Promise<Answer> {
  return t.post(`${V1}/selfsubjectaccessreviews`, { spec }, options);
}

conformance("a review of a user without roles says no", async (t) => {
  const resourceAttributes = { verb: "list", resource: "pods", namespace: t.namespace };
  const { body } = await review(t, { user: "jane", resourceAttributes });
  assert.equal(body.status.allowed, false);
});

conformance("a review says by which binding a user is allowed", async (t) => {
  const allowed = { verb: "get", resource: "pods" };
  await grant(t, "reader", [READ_PODS], { await: allowed });
  const resourceAttributes = { ...allowed, namespace: t.namespace, name: "a" };
  const { body } = await review(t, { user: "reader", resourceAttributes });
  assert.equal(body.status.allowed, true);
});

conformance("a review of groups alone", async (t) => {
  const resourceAttributes = { verb: "delete", resource: "nodes" };
  const { body } = await review(t, { groups: ["system:masters"], resourceAttributes });
  assert.equal(body.status.allowed, true);
});

conformance("a review of a group says which binding", async (t) => {
  await t.post(t.path("roles", RBAC), { metadata: { name: "r" }, rules: [READ_PODS] }, quiet);
  await bind(t, "r", [{ kind: "Group", name: "g" }]);
  const resourceAttributes = { verb: "get", resource: "pods", namespace: t.namespace };
  await until(async () => {
    const spec = { groups: ["g"], resourceAttributes };
    const { body } = await t.post(`${V1}/subjectaccessreviews`, { spec }, quiet);
    return body.status.allowed;
  }, "that the group is allowed");
  await review(t, { user: "u", groups: ["f", "g"], resourceAttributes });
});

conformance("a review of a service account says which binding", async (t) => {
  const user = `system:serviceaccount:${t.namespace}:robot`;
  await t.post(t.path("roles", RBAC), { metadata: { name: "r" }, rules: [READ_PODS] }, quiet);
  await bind(t, "r", [{ kind: "ServiceAccount", name: "robot", namespace: t.namespace }]);
  const resourceAttributes = { verb: "get", resource: "pods", namespace: t.namespace };
  await until(async () => {
    const spec = { user, resourceAttributes };
    const { body } = await t.post(`${V1}/subjectaccessreviews`, { spec }, quiet);
    return body.status.allowed;
  }, "that the account is allowed");
  await review(t, { user, resourceAttributes });
});

conformance("a review of a path that is no resource", async (t) => {
  const groups = ["system:authenticated"];
  await review(t, { user: "jane", groups, nonResourceAttributes: { verb: "get", path: "/api" } });
  await review(t, {
    user: "jane",
    groups,
    nonResourceAttributes: { verb: "get", path: "/metrics" },
  });
});

conformance("a review of a subresource", async (t) => {
  const rules = [{ apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["update"] }];
  const allowed = { verb: "update", group: "apps", resource: "deployments", subresource: "scale" };
  await grant(t, "scaler", rules, { await: allowed });
  const namespace = t.namespace;
  await review(t, { user: "scaler", resourceAttributes: { ...allowed, namespace } });
  const { subresource: _, ...whole } = allowed;
  await review(t, { user: "scaler", resourceAttributes: { ...whole, namespace } });
});

conformance("a review of all verbs is answered by a rule of all verbs alone", async (t) => {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }, READ_PODS];
  await grant(t, "u", rules, { await: { verb: "get", resource: "pods" } });
  for (const resource of ["configmaps", "pods"]) {
    const resourceAttributes = { verb: "*", resource, namespace: t.namespace };
    await review(t, { user: "u", resourceAttributes });
  }
});

conformance("a review of all resources, of all groups", async (t) => {
  const resourceAttributes = { verb: "*", group: "*", resource: "*" };
  await review(t, { user: "jane", resourceAttributes });
  await review(t, { groups: ["system:masters"], resourceAttributes });
});

conformance("a review in another namespace", async (t) => {
  await grant(t, "reader", [READ_PODS], { await: { verb: "get", resource: "pods" } });
  const resourceAttributes = { verb: "get", resource: "pods", namespace: "default" };
  await review(t, { user: "reader", resourceAttributes });
});

conformance("a review keeps uid, extra and selectors of its spec", async (t) => {
  const resourceAttributes = {
    verb: "list",
    resource: "pods",
    namespace: t.namespace,
    version: "v1",
    fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n"] }] },
    labelSelector: { rawSelector: "a=b" },
  };
  await review(t, { user: "jane", uid: "1", extra: { k: ["a", "b"] }, resourceAttributes });
});

conformance("a review with two questions is refused", async (t) => {
  await review(t, {
    user: "jane",
    resourceAttributes: { verb: "get", resource: "pods" },
    nonResourceAttributes: { verb: "get", path: "/x" },
  });
});

conformance("a review without a question is refused", async (t) => {
  await review(t, { user: "jane" });
});

conformance("a review of nobody is refused", async (t) => {
  await review(t, { resourceAttributes: { verb: "get", resource: "pods" } });
  await review(t, {});
});

conformance("a review with a name is refused", async (t) => {
  t.mask(/,"managedFields":\[.*?\](?=\}: must)/g, "");
  const spec = { user: "jane", resourceAttributes: { verb: "get", resource: "pods" } };
  await review(t, spec, { metadata: { name: "a" } });
});

conformance("a review with a selector that says nothing, or two things, is refused", async (t) => {
  const of = (selectors: Record<string, unknown>): Record<string, unknown> => ({
    user: "jane",
    resourceAttributes: { verb: "list", resource: "pods", ...selectors },
  });
  await review(t, of({ fieldSelector: {} }));
  const requirements = [{ key: "a", operator: "Exists" }];
  await review(t, of({ labelSelector: { rawSelector: "a", requirements } }));
});

conformance("a review is created, and nothing else", async (t) => {
  assert.equal((await t.get(`${V1}/subjectaccessreviews`)).code, 405);
  assert.equal((await t.get(`${V1}/subjectaccessreviews/a`)).code, 404);
  assert.equal((await t.delete(`${V1}/selfsubjectaccessreviews`)).code, 405);
});

conformance("a user without the right to review others", async (t) => {
  const spec = { user: "x", resourceAttributes: { verb: "get", resource: "pods" } };
  const { code } = await t.post(`${V1}/subjectaccessreviews`, { spec }, as("jane"));
  assert.equal(code, 403);
});

conformance("a local review is about its own namespace", async (t) => {
  const path = t.path("localsubjectaccessreviews", "authorization.k8s.io/v1");
  const ask = (namespace: string, metadata?: unknown): Promise<Answer> => {
    const resourceAttributes = { verb: "get", resource: "pods", namespace };
    return t.post(path, { metadata, spec: { user: "jane", resourceAttributes } });
  };
  assert.equal((await ask(t.namespace)).code, 201);
  assert.equal((await ask(t.namespace, { namespace: t.namespace })).code, 201);
  assert.equal((await ask("default")).code, 422);
  assert.equal((await ask("default", { namespace: "default" })).code, 400);
});

conformance("a local review is about no other path", async (t) => {
  const path = t.path("localsubjectaccessreviews", "authorization.k8s.io/v1");
  const nonResourceAttributes = { verb: "get", path: "/api" };
  const answer = await t.post(path, { spec: { user: "jane", nonResourceAttributes } });
  assert.equal(answer.code, 422);
});

conformance("everybody may ask about themselves", async (t) => {
  await grant(t, "reader", [READ_PODS], { await: { verb: "get", resource: "pods" } });
  for (const verb of ["get", "delete"]) {
    const resourceAttributes = { verb, resource: "pods", namespace: t.namespace };
    await selfReview(t, { resourceAttributes }, as("reader"));
  }
  const nonResourceAttributes = { verb: "get", path: "/api" };
  await selfReview(t, { nonResourceAttributes }, as("reader"));
});

conformance("a question about oneself that is none is refused", async (t) => {
  await selfReview(t, {}, as("jane"));
  const resourceAttributes = { verb: "get", resource: "pods" };
  const nonResourceAttributes = { verb: "get", path: "/version" };
  await selfReview(t, { resourceAttributes, nonResourceAttributes }, as("jane"));
});

conformance("whoever is not known may not ask about themselves", async (t) => {
  const resourceAttributes = { verb: "get", resource: "pods" };
  const { code } = await selfReview(t, { resourceAttributes }, as("system:anonymous"));
  assert.equal(code, 403);
});

conformance("the rules of a user in a namespace", async (t) => {
  const rules = [
    READ_PODS,
    { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["a"], verbs: ["*"] },
  ];
  const user = t.unique("user");
  await grant(t, user, rules, { await: { verb: "get", resource: "pods" } });
  const name = t.unique("role");
  const apiGroups = ["authorization.k8s.io"];
  await using _role = await clusterScoped(t, "clusterroles", {
    metadata: { name },
    rules: [{ apiGroups, resources: ["selfsubjectrulesreviews"], verbs: ["create"] }],
  });
  const apiGroup = "rbac.authorization.k8s.io";
  await using _binding = await clusterScoped(t, "clusterrolebindings", {
    metadata: { name },
    roleRef: { apiGroup, kind: "ClusterRole", name },
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
  await untilAllowed(t, user, {
    verb: "create",
    group: "authorization.k8s.io",
    resource: "selfsubjectrulesreviews",
  });
  const spec = { namespace: t.namespace };
  const path = `${V1}/selfsubjectrulesreviews`;
  // What all who are known are granted comes in no certain order.
  const { body } = await t.post(path, { spec }, as(user, "system:unauthenticated"));
  assert.equal(body.status.resourceRules.length, 3);
});

conformance("the rules of a user take a namespace", async (t) => {
  const { code } = await t.post(`${V1}/selfsubjectrulesreviews`, { spec: {} }, as("jane"));
  assert.equal(code, 400);
});
