/** Tests of RBAC manifests, of their comparison with what operators need, and of merged rules. */
import assert from "node:assert/strict";
import { ConfigMap, Secret, type UnstructuredObject } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { xcaOperator } from "../../xca/xca_operator.ts";
import { mergeRules, type PolicyRule } from "../policy_rule.ts";
import { needsOf } from "../rules_of.ts";
import { compareManifests, type GrantingManifest } from "./compare_manifests.ts";
import { rbacManifests } from "./rbac_manifests.ts";

const operator = defineOperator({
  name: "copier",
  controllers: [controllerFor(ConfigMap).uses(Secret, ["apply"]).reconcile(() => {})],
});

Deno.test("rbac: the manifests have each role with its binding, in the order of their use", () => {
  const objects = rbacManifests(operator, {
    namespace: "ops",
    namespaces: ["shop"],
    leaderElection: { namespace: "leases" },
    metricsServer: {},
    labels: { app: "copier" },
    serviceAccount: "robot",
  });
  assert.deepEqual(
    objects.map(({ kind, metadata: { name, namespace = "*" } }) => `${kind} ${namespace} ${name}`),
    [
      "ServiceAccount ops robot",
      "Role shop copier",
      "RoleBinding shop copier",
      "Role leases copier-leader-election",
      "RoleBinding leases copier-leader-election",
      "ClusterRole * copier-metrics-auth",
      "ClusterRoleBinding * copier-metrics-auth",
      "ClusterRole * copier-metrics-reader",
    ],
  );
  for (const { metadata, subjects = [] } of objects) {
    assert.deepEqual(metadata.labels, { app: "copier" });
    for (const subject of subjects) {
      assert.deepEqual(subject, { kind: "ServiceAccount", name: "robot", namespace: "ops" });
    }
  }
});

Deno.test("rbac: users of a kind get roles that are part of view, edit and admin, without the right to write the status", () => {
  const roles = rbacManifests(xcaOperator, { namespace: "xca-system" })
    .filter(({ metadata }) => /-(viewer|editor|admin)$/.test(metadata.name));
  const group = "apps.xca.k8s.kb.cx";
  assert.deepEqual(roles.map(({ metadata }) => metadata.name), [
    "xca-xca-viewer",
    "xca-xca-editor",
    "xca-xca-admin",
    "xca-xtls-viewer",
    "xca-xtls-editor",
    "xca-xtls-admin",
  ]);
  const [viewer, editor, admin] = roles;
  assert.deepEqual(Object.keys(viewer!.metadata.labels!).map((label) => label.split("-to-")[1]), [
    "view",
    "edit",
    "admin",
  ]);
  assert.deepEqual(viewer!.rules, [
    { apiGroups: [group], resources: ["xcas"], verbs: ["get", "list", "watch"] },
    { apiGroups: [group], resources: ["xcas/status"], verbs: ["get"] },
  ]);
  assert(!editor!.rules![0]!.verbs.includes("deletecollection"));
  assert(admin!.rules![0]!.verbs.includes("deletecollection"));
  assert(!JSON.stringify(roles).includes("*"));
  const plain = rbacManifests(xcaOperator, { namespace: "xca-system", aggregate: false });
  assert(plain.every(({ metadata }) => metadata.labels === undefined));
});

Deno.test("rbac: the roles for users of kinds of the same name in different groups have different names", () => {
  const crd = (group: string, kind: string): UnstructuredObject => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: { group, names: { kind, plural: `${kind.toLowerCase()}s` }, versions: [] },
  });
  const of = (name: string, ...crds: UnstructuredObject[]) =>
    defineOperator({ name, crds, controllers: [controllerFor(ConfigMap).reconcile(() => {})] });
  const names = rbacManifests([
    of("a", crd("a.example.org", "Shop"), crd("a.example.org", "Till")),
    of("b", crd("b.example.org", "Shop")),
  ], { namespace: "ops" }).map(({ metadata }) => metadata.name).filter((name) =>
    name.endsWith("-viewer")
  );
  assert.deepEqual(names, [
    "a-shop.a.example.org-viewer",
    "a-till-viewer",
    "a-shop.b.example.org-viewer",
  ]);
});

Deno.test("rbac: names that cannot be are refused", () => {
  for (const namespace of ["", "A b", undefined]) {
    assert.throws(
      () => rbacManifests(operator, { namespace: namespace as string }),
      /Cannot make RBAC manifests: namespace must be/,
    );
  }
  assert.throws(() => rbacManifests(operator, { namespace: "a", name: "A" }), /: name must be/);
  assert.throws(
    () => rbacManifests(operator, { namespace: "a", namespaces: [] }),
    /the list of namespaces is empty/,
  );
});

const setup = { namespace: "ops", leaderElection: {}, metricsServer: {} };

Deno.test("rbac: manifests are compared by what their bindings grant, whatever the names of their roles", () => {
  const needs = needsOf(operator, setup);
  const own: GrantingManifest[] = rbacManifests(operator, setup);
  assert.deepEqual(compareManifests(needs, own), []);
  const delegated = [
    ...own.filter(({ metadata }) => !metadata?.name?.endsWith("metrics-auth")),
    {
      kind: "ClusterRoleBinding",
      roleRef: { kind: "ClusterRole", name: "system:auth-delegator" },
      subjects: [{ kind: "ServiceAccount" }],
    },
  ];
  assert.deepEqual(compareManifests(needs, delegated), []);
  const unknown = delegated.map((each) =>
    each.roleRef?.name === "copier"
      ? { ...each, roleRef: { kind: "ClusterRole", name: "admin" } }
      : each
  );
  const messages = compareManifests(needs, unknown).map(({ message }) => message);
  assert.equal(messages.length, 5);
  assert.match(messages[4]!, /^ClusterRole admin is bound, and the manifests lack it/);
});

Deno.test("rbac: a field of a manifest that is null counts as absent, as in Kubernetes", () => {
  const manifests = (text: string): GrantingManifest[] => JSON.parse(text);
  const rule = '{ "apiGroups": null, "resources": null, "resourceNames": null, "verbs": ["get"] }';
  const role = `{ "kind": "ClusterRole", "metadata": { "name": "a" }, "rules": [${rule}] }`;
  assert.deepEqual(compareManifests([], manifests(`[${role}]`)), []);
  assert.deepEqual(compareManifests([], manifests('[{ "kind": "Role", "metadata": null }]')), []);
  const unbound = '{ "kind": "ClusterRoleBinding", "metadata": null, "subjects": null }';
  assert.deepEqual(compareManifests([], manifests(`[${role}, ${unbound}]`)), []);
  const subjects = '[{ "kind": "ServiceAccount" }]';
  const bound = `{ "kind": "RoleBinding", "roleRef": null, "subjects": ${subjects} }`;
  assert.match(compareManifests([], manifests(`[${role}, ${bound}]`))[0]!.message, /lack it/);
});

Deno.test("rbac: roles without bindings grant what they have, and a * is an excess", () => {
  const needs = needsOf(operator);
  const role = (rules: readonly PolicyRule[]): GrantingManifest[] => [
    { kind: "ClusterRole", metadata: { name: "manager-role" }, rules },
  ];
  const enough: PolicyRule[] = [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] },
    { apiGroups: [""], resources: ["secrets"], verbs: ["create", "patch"] },
  ];
  assert.deepEqual(compareManifests(needs, role(enough)), []);
  const [excess, ...none] = compareManifests(
    needs,
    role([{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]),
  );
  assert.deepEqual(none, []);
  assert.match(excess!.message, /^ClusterRole manager-role grants .* with a \*/);
  const named = compareManifests(
    needs,
    role([{ ...enough[0]!, resourceNames: ["a"] }, enough[1]!]),
  );
  assert.deepEqual(named.map(({ kind, rule }) => `${kind} ${rule.verbs}`), [
    "lack list",
    "lack watch",
    "excess list,watch",
  ]);
});

Deno.test("rbac: a * before a subresource covers it for all resources, and is an excess", () => {
  const status = { verb: "update", group: "a.example", resource: "foos/status", namespace: "" };
  const need = { ...status, part: "controller", controller: "c", reason: "it writes" } as const;
  const role = (resource: string): GrantingManifest[] => [{
    kind: "ClusterRole",
    metadata: { name: "r" },
    rules: [{ apiGroups: ["a.example"], resources: [resource], verbs: ["update"] }],
  }];
  const kinds = (resource: string) =>
    compareManifests([need], role(resource)).map(({ kind }) => kind);
  assert.deepEqual(kinds("foos/status"), []);
  assert.deepEqual(kinds("*/scale"), ["lack", "excess"]);
  assert.deepEqual(kinds("*/status"), ["excess"]);
  const [excess] = compareManifests([need], role("*/status"));
  assert.match(excess!.message, /with a \*; name what is needed/);
});

/** Returns each single access of rules, sorted. */
function accesses(rules: readonly PolicyRule[]): string[] {
  const all = rules.flatMap(({ apiGroups = [], resources = [], resourceNames = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        (resourceNames.length > 0 ? resourceNames : ["*"]).flatMap((name) =>
          verbs.map((verb) => `${group}/${resource}/${name}/${verb}`)
        )
      )
    )
  );
  return [...new Set(all)].sort();
}

Deno.test("rbac: merged rules grant exactly what the rules grant, and are the same in any order", () => {
  const { random } = printedRandom();
  const some = (values: readonly string[], least: number): string[] => {
    const found = values.filter(() => random.next() < 0.4);
    return found.length >= least ? found : [values[Math.floor(random.next() * values.length)]!];
  };
  for (let round = 0; round < 500; round++) {
    const rules = Array.from({ length: 1 + Math.floor(random.next() * 6) }, (): PolicyRule => ({
      apiGroups: some(["", "apps", "batch"], 1),
      resources: some(["a", "a/status", "b", "c"], 1),
      ...(random.next() < 0.3 && { resourceNames: some(["x", "y"], 1) }),
      verbs: some(["get", "list", "watch"], 1),
    }));
    const merged = mergeRules(rules);
    assert.deepEqual(accesses(merged), accesses(rules));
    assert.deepEqual(mergeRules(rules.toReversed()), merged);
  }
});
