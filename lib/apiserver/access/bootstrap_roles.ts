// Mirrors `registry/rbac/rest/storage_rbac.go, PolicyData.EnsureRBACPolicy`.
import type { Clock, Random } from "@xca/apimachinery/base";
import { formatTime } from "@xca/apimachinery/meta";
import { RBAC_GROUP } from "./role_rules.ts";

/**
 * A default role or binding of kube-apiserver, as a tuple of resource, namespace, name, additional
 * labels, and the fields other than the metadata.
 */
type Line = readonly [string, string, string, Record<string, string>, Record<string, unknown>];

/** The members of the API server's storage that the creation of the default RBAC roles uses. */
export interface FirstStore<C extends { get(key: string): unknown }> {
  readonly nextRevision: number;
  collection(name: string): C;
  put(collection: C, key: string, text: string): unknown;
}

const KINDS: Readonly<Record<string, string>> = {
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
  roles: "Role",
  rolebindings: "RoleBinding",
};

const BOOTSTRAPPING = "kubernetes.io/bootstrapping";
const AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

/**
 * Stores the default roles and bindings that kube-apiserver creates at its start; `facts` has a
 * {@linkcode Line} as JSON on each line. Roles and bindings that exist are left unchanged. The
 * objects bypass the registry, in which they would take longer than the rest of the start.
 */
export function bootstrapRoles<C extends { get(key: string): unknown }>(
  store: FirstStore<C>,
  facts: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): void {
  const time = formatTime(clock.now());
  for (const line of facts.trim().split("\n")) {
    const [resource, namespace, name, otherLabels, fields] = JSON.parse(line) as Line;
    const collection = store.collection(`${resource}.${RBAC_GROUP}`);
    const key = namespace === "" ? name : `${namespace}/${name}`;
    if (collection.get(key)) continue;
    const labels = { [BOOTSTRAPPING]: "rbac-defaults", ...otherLabels };
    const object = {
      kind: KINDS[resource],
      apiVersion: `${RBAC_GROUP}/v1`,
      metadata: {
        name,
        ...(namespace && { namespace }),
        uid: random.uuid(),
        resourceVersion: String(store.nextRevision),
        creationTimestamp: time,
        labels,
        annotations: { [AUTOUPDATE]: "true" },
        managedFields: [managedFields(labels, fields, time)],
      },
      ...fields,
    };
    store.put(collection, key, JSON.stringify(object));
  }
}

function managedFields(
  labels: Record<string, string>,
  fields: Record<string, unknown>,
  time: string,
): unknown {
  const owned = Object.keys(fields).filter((name) => fields[name] !== null).sort();
  const set = (names: readonly string[]): [string, unknown][] =>
    names.map((name) => [
      `f:${name}`,
      name === "aggregationRule" ? { ".": {}, "f:clusterRoleSelectors": {} } : {},
    ]);
  const map = (names: readonly string[]): unknown => ({
    ".": {},
    ...Object.fromEntries(set(names)),
  });
  const metadata = {
    "f:annotations": map([AUTOUPDATE]),
    "f:labels": map(Object.keys(labels).sort()),
  };
  const entries = [...set(owned), ["f:metadata", metadata] as const];
  return {
    manager: "kube-apiserver",
    operation: "Update",
    apiVersion: `${RBAC_GROUP}/v1`,
    time,
    fieldsType: "FieldsV1",
    fieldsV1: Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1)),
  };
}
