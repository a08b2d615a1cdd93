/** Tests of authorization: the access that roles give a user, and the messages of refusals. */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { as, bind, clusterScoped, grant, quiet, RBAC, untilAllowed } from "./access.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

const PODS = { apiGroups: [""], resources: ["pods"] };
const READ_PODS = { ...PODS, verbs: ["get", "list"] };
const ROLES = { apiGroups: ["rbac.authorization.k8s.io"], resources: ["*"], verbs: ["*"] };
const roleRef = (kind: string, name: string): Record<string, string> => ({
  apiGroup: "rbac.authorization.k8s.io",
  kind,
  name,
});
const subjects = (name: string, kind = "User"): Record<string, string>[] => [
  { apiGroup: "rbac.authorization.k8s.io", kind, name },
];

conformance("a user without roles may not list in a namespace", async (t) => {
  const { code } = await t.get(t.path("pods"), as("jane"));
  assert.equal(code, 403);
});

conformance("a user without roles may not list all namespaces", async (t) => {
  await t.get("/api/v1/pods", as("jane"));
});

conformance("a user without roles may not read a named object", async (t) => {
  await t.get(t.path("secrets/a"), as("jane"));
});

conformance("a user without roles may not read a cluster-scoped object", async (t) => {
  await t.get("/api/v1/nodes/a", as("jane"));
});

conformance("a user without roles may not write", async (t) => {
  const object = { metadata: { name: "a" } };
  await t.post(t.path("configmaps"), object, as("jane"));
  await t.put(t.path("configmaps/a"), object, as("jane"));
  await t.patch("merge", t.path("configmaps/a"), {}, as("jane"));
  await t.delete(t.path("configmaps/a"), undefined, as("jane"));
  await t.delete(t.path("configmaps"), undefined, as("jane"));
});

conformance("a user without roles may not watch", async (t) => {
  await t.get(t.path("configmaps?watch=true"), as("jane"));
});

conformance("a refusal about a subresource names it", async (t) => {
  await t.get(t.path("pods/a/log"), as("jane"));
  await t.put(t.path("deployments/a/scale", "apps/v1"), {}, as("jane"));
});

conformance("a refusal about a path that is no resource", async (t) => {
  await t.get("/metrics", as("jane"));
  await t.get("/no/such/path", as("jane"));
});

conformance("an unknown resource is forbidden before it is not found", async (t) => {
  await t.get("/apis/example.org/v1/things", as("jane"));
});

conformance("a user's name is quoted in a refusal, and does not look like HTML", async (t) => {
  await t.get(t.path("pods"), as("<b>&\\"));
});

conformance("a namespace is refused by its name", async (t) => {
  await t.get(`/api/v1/namespaces/${t.namespace}`, as("jane"));
  await t.get("/api/v1/namespaces", as("jane"));
});

conformance("a role allows the verbs that it names and no other", async (t) => {
  await grant(t, "reader", [READ_PODS], { await: { verb: "get", resource: "pods" } });
  assert.equal((await t.get(t.path("pods"), as("reader"))).code, 200);
  assert.equal((await t.get(t.path("pods/a"), as("reader"))).code, 404);
  assert.equal((await t.delete(t.path("pods/a"), undefined, as("reader"))).code, 403);
});

conformance("a role of one namespace counts for nothing in another", async (t) => {
  await grant(t, "local", [READ_PODS], { await: { verb: "get", resource: "pods" } });
  assert.equal((await t.get("/api/v1/namespaces/default/pods", as("local"))).code, 403);
  assert.equal((await t.get("/api/v1/pods", as("local"))).code, 403);
});

conformance("a cluster role that is bound in a namespace counts there alone", async (t) => {
  const name = t.unique("role");
  await using _role = await clusterScoped(t, "clusterroles", {
    metadata: { name },
    rules: [READ_PODS],
  });
  await bind(t, name, [{ kind: "User", name: "visitor" }], "ClusterRole");
  await untilAllowed(t, "visitor", { verb: "list", resource: "pods" });
  assert.equal((await t.get(t.path("pods"), as("visitor"))).code, 200);
  assert.equal((await t.get("/api/v1/pods", as("visitor"))).code, 403);
});

conformance("a cluster role that is bound in the cluster counts everywhere", async (t) => {
  const name = t.unique("role");
  const user = t.unique("user");
  await using _role = await clusterScoped(t, "clusterroles", {
    metadata: { name },
    rules: [{ apiGroups: [""], resources: ["nodes", "configmaps"], verbs: ["get"] }],
  });
  await using _binding = await clusterScoped(t, "clusterrolebindings", {
    metadata: { name },
    roleRef: roleRef("ClusterRole", name),
    subjects: subjects(user),
  });
  await untilAllowed(t, user, { verb: "get", resource: "nodes", namespace: "" });
  assert.equal((await t.get("/api/v1/nodes/none", as(user))).code, 404);
  assert.equal((await t.get(t.path("configmaps/none"), as(user))).code, 404);
});

conformance("resource names allow the objects so named, and a list of one of them", async (t) => {
  const rules = [{ ...PODS, resourceNames: ["mine"], verbs: ["get", "list", "create"] }];
  const allowed = { verb: "get", resource: "pods", name: "mine" };
  await grant(t, "owner", rules, { await: allowed });
  assert.equal((await t.get(t.path("pods/mine"), as("owner"))).code, 404);
  assert.equal((await t.get(t.path("pods/other"), as("owner"))).code, 403);
  assert.equal((await t.get(t.path("pods"), as("owner"))).code, 403);
  const one = t.path("pods?fieldSelector=metadata.name%3Dmine");
  assert.equal((await t.get(one, as("owner"))).code, 200);
  assert.equal((await t.post(t.path("pods"), {}, as("owner"))).code, 403);
});

conformance("a star stands for all verbs", async (t) => {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }];
  await grant(t, "writer", rules, { await: { verb: "create", resource: "configmaps" } });
  const made = await t.post(t.path("configmaps"), { metadata: { name: "a" } }, as("writer"));
  assert.equal(made.code, 201);
  assert.equal((await t.delete(t.path("configmaps/a"), undefined, as("writer"))).code, 200);
});

conformance("a star stands for all resources of a group, subresources too", async (t) => {
  const rules = [{ apiGroups: ["apps"], resources: ["*"], verbs: ["get"] }];
  await grant(t, "appsman", rules, {
    await: { verb: "get", resource: "deployments", group: "apps" },
  });
  assert.equal((await t.get(t.path("deployments/a", "apps/v1"), as("appsman"))).code, 404);
  assert.equal((await t.get(t.path("deployments/a/status", "apps/v1"), as("appsman"))).code, 404);
  assert.equal((await t.get(t.path("pods/a"), as("appsman"))).code, 403);
});

conformance("a star stands for all groups", async (t) => {
  const rules = [{ apiGroups: ["*"], resources: ["deployments", "pods"], verbs: ["get"] }];
  await grant(t, "all", rules, { await: { verb: "get", resource: "pods" } });
  assert.equal((await t.get(t.path("deployments/a", "apps/v1"), as("all"))).code, 404);
  assert.equal((await t.get(t.path("pods/a"), as("all"))).code, 404);
});

conformance("a resource does not bring its subresources", async (t) => {
  await grant(t, "half", [READ_PODS], { await: { verb: "get", resource: "pods" } });
  assert.equal((await t.get(t.path("pods/a/status"), as("half"))).code, 403);
});

conformance("a subresource can be allowed of every resource", async (t) => {
  const rules = [{ apiGroups: ["*"], resources: ["*/status"], verbs: ["get"] }];
  await grant(t, "watcher", rules, {
    await: { verb: "get", resource: "pods", subresource: "status" },
  });
  assert.equal((await t.get(t.path("pods/a/status"), as("watcher"))).code, 404);
  assert.equal((await t.get(t.path("jobs/a/status", "batch/v1"), as("watcher"))).code, 404);
  assert.equal((await t.get(t.path("pods/a"), as("watcher"))).code, 403);
});

conformance(
  "URLs that are no resources are allowed one by one, or by how they begin",
  async (t) => {
    const name = t.unique("role");
    const user = t.unique("user");
    await using _role = await clusterScoped(t, "clusterroles", {
      metadata: { name },
      rules: [{ nonResourceURLs: ["/exact", "/below/*"], verbs: ["get"] }],
    });
    await using _binding = await clusterScoped(t, "clusterrolebindings", {
      metadata: { name },
      roleRef: roleRef("ClusterRole", name),
      subjects: subjects(user),
    });
    await untilAllowed(t, user, { verb: "get", path: "/exact" });
    assert.equal((await t.get("/exact", { ...as(user), ...quiet })).code, 404);
    assert.equal((await t.get("/exact/more", as(user))).code, 403);
    assert.equal((await t.get("/below/a/b", { ...as(user), ...quiet })).code, 404);
    assert.equal((await t.get("/below", as(user))).code, 403);
    assert.equal((await t.post("/exact", {}, as(user))).code, 403);
  },
);

conformance("a group has what is bound to it", async (t) => {
  const group = t.unique("group");
  await t.post(t.path("roles", RBAC), { metadata: { name: "r" }, rules: [READ_PODS] }, quiet);
  await bind(t, "r", [{ kind: "Group", name: group }]);
  await untilAllowed(t, "member", { verb: "list", resource: "pods" }, [group]);
  assert.equal((await t.get(t.path("pods"), as("member", group))).code, 200);
  assert.equal((await t.get(t.path("pods"), as("member"))).code, 403);
});

conformance(
  "a service account has what is bound to it, in its own namespace by default",
  async (t) => {
    const robot = `system:serviceaccount:${t.namespace}:robot`;
    await t.post(t.path("roles", RBAC), { metadata: { name: "r" }, rules: [READ_PODS] }, quiet);
    await bind(t, "r", [{ kind: "ServiceAccount", name: "robot", namespace: t.namespace }]);
    await untilAllowed(t, robot, { verb: "list", resource: "pods" });
    assert.equal((await t.get(t.path("pods"), as(robot))).code, 200);
    const other = "system:serviceaccount:default:robot";
    assert.equal((await t.get(t.path("pods"), as(other))).code, 403);
  },
);

conformance("a binding whose role is missing is named in the refusal", async (t) => {
  const rules = [READ_PODS];
  await grant(t, "lost", rules, { await: { verb: "list", resource: "pods" } });
  await t.delete(t.path("roles/granted", RBAC), undefined, quiet);
  await until(
    async () => (await t.get(t.path("pods"), { ...as("lost"), ...quiet })).code === 403,
    "that the role is lost",
  );
  assert.equal((await t.get(t.path("pods"), as("lost"))).code, 403);
});

conformance("members of system:masters may do everything", async (t) => {
  const { code } = await t.get(t.path("secrets"), as("anyone", "system:masters"));
  assert.equal(code, 200);
});

conformance("every user that is known may look at the version and the discovery", async (t) => {
  for (const path of ["/version", "/api", "/apis", "/openapi/v3"]) {
    assert.equal((await t.get(path, { ...as("jane"), ...quiet })).code, 200, path);
  }
});

conformance("a user that is not known may look at the health", async (t) => {
  const nobody = as("system:anonymous");
  assert.equal((await t.get("/livez", { ...nobody, ...quiet })).code, 200);
  assert.equal((await t.get("/api", nobody)).code, 403);
});

conformance("nobody gives away by a role what is not theirs", async (t) => {
  await grant(t, "giver", [ROLES, READ_PODS], { await: { verb: "get", resource: "pods" } });
  await dropEscalation(t);
  const rules = [{ ...PODS, verbs: ["get", "delete", "create"] }];
  const role = { metadata: { name: "more" }, rules };
  assert.equal((await t.post(t.path("roles", RBAC), role, as("giver"))).code, 403);
});

/** `roles` with all verbs would bring `escalate` and `bind`. */
async function dropEscalation(t: Parameters<typeof grant>[0]): Promise<void> {
  const verbs = ["get", "create", "update", "patch", "delete"];
  const rules = [{ ...ROLES, verbs }, READ_PODS];
  const { code } = await t.patch("merge", t.path("roles/granted", RBAC), { rules }, quiet);
  assert.equal(code, 200);
  const spec = {
    user: "giver",
    resourceAttributes: {
      namespace: t.namespace,
      verb: "escalate",
      group: "rbac.authorization.k8s.io",
      resource: "roles",
    },
  };
  await until(async () => {
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const { body } = await t.post(path, { spec }, quiet);
    return !body.status.allowed;
  }, "that nobody may escalate");
}

conformance("everybody may give away by a role what is theirs", async (t) => {
  await grant(t, "giver", [ROLES, READ_PODS], { await: { verb: "get", resource: "pods" } });
  await dropEscalation(t);
  const role = { metadata: { name: "less" }, rules: [{ ...PODS, verbs: ["get"] }] };
  assert.equal((await t.post(t.path("roles", RBAC), role, as("giver"))).code, 201);
});

conformance("a role may not grow beyond its writer's rights", async (t) => {
  await grant(t, "giver", [ROLES, READ_PODS], { await: { verb: "get", resource: "pods" } });
  await dropEscalation(t);
  const role = { metadata: { name: "less" }, rules: [{ ...PODS, verbs: ["get"] }] };
  await t.post(t.path("roles", RBAC), role, { ...as("giver"), ...quiet });
  const rules = [{ apiGroups: ["", "apps"], resources: ["secrets"], verbs: ["*"] }];
  const patched = await t.patch("merge", t.path("roles/less", RBAC), { rules }, as("giver"));
  assert.equal(patched.code, 403);
  const labels = { metadata: { labels: { a: "b" } } };
  assert.equal((await t.patch("merge", t.path("roles/less", RBAC), labels, as("giver"))).code, 200);
});

conformance("resource names that are not the writer's are missing too", async (t) => {
  const own = { ...PODS, resourceNames: ["a"], verbs: ["get"] };
  await grant(t, "giver", [ROLES, own], { await: { verb: "get", resource: "pods", name: "a" } });
  await dropEscalation(t);
  await t.patch("merge", t.path("roles/granted", RBAC), {
    rules: [{ ...ROLES, verbs: ["create"] }, own],
  }, quiet);
  const rules = [{ ...PODS, resourceNames: ["a", "b"], verbs: ["get"] }, {
    ...PODS,
    verbs: ["get"],
  }];
  await until(async () => {
    const probe = { metadata: { name: "probe" }, rules: [{ ...PODS, verbs: ["list"] }] };
    const { code } = await t.post(t.path("roles?dryRun=All", RBAC), probe, {
      ...as("giver"),
      ...quiet,
    });
    return code === 403;
  }, "that the rights are lost");
  const role = { metadata: { name: "more" }, rules };
  assert.equal((await t.post(t.path("roles", RBAC), role, as("giver"))).code, 403);
});

conformance("who may escalate gives away everything", async (t) => {
  const rules = [{ ...ROLES, verbs: ["create", "escalate"] }];
  const allowed = {
    verb: "escalate",
    resource: "roles",
    group: "rbac.authorization.k8s.io",
  };
  await grant(t, "boss", rules, { await: allowed });
  const role = { metadata: { name: "all" }, rules: [{ ...PODS, verbs: ["*"] }] };
  assert.equal((await t.post(t.path("roles", RBAC), role, as("boss"))).code, 201);
});

conformance("nobody binds a role with more than is theirs", async (t) => {
  const rules = [{ ...ROLES, verbs: ["create"] }];
  const allowed = { verb: "create", resource: "rolebindings", group: "rbac.authorization.k8s.io" };
  await grant(t, "binder", rules, { await: allowed });
  const role = { metadata: { name: "strong" }, rules: [{ ...PODS, verbs: ["delete"] }] };
  await t.post(t.path("roles", RBAC), role, quiet);
  const binding = {
    metadata: { name: "b" },
    roleRef: roleRef("Role", "strong"),
    subjects: subjects("binder"),
  };
  assert.equal((await t.post(t.path("rolebindings", RBAC), binding, as("binder"))).code, 403);
});

conformance("who may bind a role by its name binds it, and no other", async (t) => {
  const rules = [
    { ...ROLES, verbs: ["create"] },
    { ...ROLES, resources: ["roles"], resourceNames: ["strong"], verbs: ["bind"] },
  ];
  const allowed = {
    verb: "bind",
    resource: "roles",
    name: "strong",
    group: "rbac.authorization.k8s.io",
  };
  await grant(t, "binder", rules, { await: allowed });
  for (const name of ["strong", "other"]) {
    const role = { metadata: { name }, rules: [{ ...PODS, verbs: ["delete"] }] };
    await t.post(t.path("roles", RBAC), role, quiet);
    const binding = { metadata: { name }, roleRef: roleRef("Role", name), subjects: subjects("x") };
    const { code } = await t.post(t.path("rolebindings", RBAC), binding, as("binder"));
    assert.equal(code, name === "strong" ? 201 : 403);
  }
});

conformance(
  "a role that is not there cannot be bound by who might not have its rights",
  async (t) => {
    const rules = [{ ...ROLES, verbs: ["create"] }];
    const allowed = {
      verb: "create",
      resource: "rolebindings",
      group: "rbac.authorization.k8s.io",
    };
    await grant(t, "binder", rules, { await: allowed });
    const binding = { metadata: { name: "b" }, roleRef: roleRef("ClusterRole", "no-such-role") };
    assert.equal((await t.post(t.path("rolebindings", RBAC), binding, as("binder"))).code, 404);
  },
);

conformance("an aggregation rule takes an administrator of the cluster", async (t) => {
  const name = t.unique("role");
  const user = t.unique("user");
  await using _role = await clusterScoped(t, "clusterroles", {
    metadata: { name },
    rules: [{ ...ROLES, verbs: ["create"] }],
  });
  await using _binding = await clusterScoped(t, "clusterrolebindings", {
    metadata: { name },
    roleRef: roleRef("ClusterRole", name),
    subjects: subjects(user),
  });
  const allowed = { verb: "create", resource: "clusterroles", group: "rbac.authorization.k8s.io" };
  await untilAllowed(t, user, { ...allowed, namespace: "" });
  const role = {
    metadata: { name: t.unique("sum") },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  };
  assert.equal((await t.post(`/apis/${RBAC}/clusterroles`, role, as(user))).code, 403);
});

conformance("an apply that would create takes the right to create", async (t) => {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] }];
  await grant(t, "patcher", rules, { await: { verb: "patch", resource: "configmaps" } });
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const path = t.path("configmaps/a?fieldManager=me");
  assert.equal((await t.patch("apply", path, object, as("patcher"))).code, 403);
});

conformance("an update that would create takes the right to create", async (t) => {
  const rules = [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["update"] }];
  const allowed = { verb: "update", resource: "leases", group: "coordination.k8s.io" };
  await grant(t, "updater", rules, { await: allowed });
  const path = t.path("leases/a", "coordination.k8s.io/v1");
  const lease = { metadata: { name: "a" }, spec: {} };
  assert.equal((await t.put(path, lease, as("updater"))).code, 403);
});
