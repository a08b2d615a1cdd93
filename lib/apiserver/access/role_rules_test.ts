import assert from "node:assert/strict";
import { FakeRegistry } from "./fake_registry_test.ts";
import { RBAC_GROUP, RoleRules } from "./role_rules.ts";

Deno.test("RoleRules caches the objects that exist, not their absence", async () => {
  const registry = new FakeRegistry();
  const [group, namespace, name] = [RBAC_GROUP, "shop", "reader"];
  const roleRef = { apiGroup: RBAC_GROUP, kind: "Role", name };
  const subjects = [{ kind: "User", name: "jane" }];
  await registry.create({ group, resource: "roles", namespace, name }, { metadata: { name } });
  await registry.create({ group, resource: "rolebindings", namespace, name }, {
    metadata: { name, namespace },
    roleRef,
    subjects,
  });
  const read: string[] = [];
  const rules = new RoleRules(
    {
      get: (group, resource, namespace, name) => {
        read.push(`${resource} ${namespace}/${name}`);
        return registry.get(group, resource, namespace, name);
      },
      list: (group, resource, namespace) => {
        read.push(`${resource} ${namespace}`);
        return registry.list(group, resource, namespace);
      },
    } as ConstructorParameters<typeof RoleRules>[0],
  );
  for (let round = 0; round < 2; round++) {
    for (const at of [namespace, "absent"]) {
      Array.from(rules.of({ name: "jane", groups: [] }, at));
      rules.ofRole(roleRef, at);
    }
  }
  const reads = Map.groupBy(read, (each) => each).entries().map((
    [each, { length }],
  ) => [each, length]);
  assert.deepEqual(Object.fromEntries(reads), {
    "clusterrolebindings undefined": 4, // There are none.
    "rolebindings shop": 1,
    "roles shop/reader": 1,
    "rolebindings absent": 2,
    "roles absent/reader": 2,
  });
});
