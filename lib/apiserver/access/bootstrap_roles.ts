import type { ApiObject } from "../machinery/api_object.ts";
import type { RegistryPort } from "../machinery/registry_port.ts";
import { RBAC_GROUP } from "./role_rules.ts";

/** A line of the facts: resource, namespace, name, further labels, and the fields beside the metadata. */
type Line = readonly [string, string, string, Record<string, string>, Record<string, unknown>];

const KINDS: Readonly<Record<string, string>> = {
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
  roles: "Role",
  rolebindings: "RoleBinding",
};

/**
 * Makes the roles and bindings that a kube-apiserver makes at its start. What is there already, as in
 * data kept from an earlier run, stays as it is.
 */
export async function bootstrapRoles(registry: RegistryPort): Promise<void> {
  const { BOOTSTRAP_ROLES } = await import("../facts/bootstrap_roles.ts");
  for (const text of BOOTSTRAP_ROLES.trim().split("\n")) {
    const [resource, namespace, name, labels, fields] = JSON.parse(text) as Line;
    if (registry.get(RBAC_GROUP, resource, namespace, name)) continue;
    const object: ApiObject = {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: KINDS[resource]!,
      metadata: {
        name,
        ...(namespace && { namespace }),
        labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
        annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
      },
      ...fields,
    };
    const address = { group: RBAC_GROUP, resource, namespace, name };
    await registry.create(address, object, { fieldManager: "kube-apiserver" });
  }
}
