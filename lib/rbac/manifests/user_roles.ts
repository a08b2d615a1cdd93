// Mirrors kubebuilder's templates `<kind>_viewer_role.yaml`, `<kind>_editor_role.yaml` and
// `<kind>_admin_role.yaml`, with verbs in place of `*`.
import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { PolicyRule } from "../policy_rule.ts";

/** A ClusterRole for users of a kind: its name, labels and rules. */
export interface UserRole {
  /**
   * The name of the ClusterRole for users of a kind, such as `xca-viewer`, before the caller adds
   * the prefix of the operator.
   */
  readonly name: string;
  /**
   * The labels by which Kubernetes aggregates the role for users into its own ClusterRoles; empty
   * for a role that is not aggregated.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** The RBAC rules of the role for users of a kind. */
  readonly rules: readonly PolicyRule[];
}

const VIEW = ["get", "list", "watch"];
const EDIT = ["create", "delete", "get", "list", "patch", "update", "watch"];
const ADMIN = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/**
 * The verbs of each ClusterRole for users of a kind, and the ClusterRoles of Kubernetes into which
 * the role is aggregated.
 */
const ROLES = [
  { suffix: "viewer", verbs: VIEW, partOf: ["view", "edit", "admin"] },
  { suffix: "editor", verbs: EDIT, partOf: ["edit", "admin"] },
  { suffix: "admin", verbs: ADMIN, partOf: ["admin"] },
] as const;

/** The fields of a CustomResourceDefinition that determine the roles for its users. */
interface DefinedKind {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly { readonly subresources?: { readonly status?: unknown } }[];
  };
}

/**
 * Returns three roles for users of each kind that a CustomResourceDefinition defines: to view, to
 * edit, and to administer (to edit, and to delete collections). No role allows writes of the
 * status, which belongs to the operator. The names of the roles have the group too, as in
 * `desktop.apps.example.org-viewer`, where another group defines a kind of the same name.
 *
 * With `aggregate`, the roles have labels that make them parts of Kubernetes' ClusterRoles `view`,
 * `edit` and `admin`.
 */
export function userRoles(
  crds: readonly UnstructuredObject[],
  { aggregate }: { readonly aggregate: boolean },
): UserRole[] {
  return crds.flatMap((crd) => {
    const { group = "", names: { kind = "", plural = "" } = {}, versions = [] } =
      (crd as DefinedKind).spec ?? {};
    const name = kind.toLowerCase();
    const isAmbiguous = crds.some((other) => {
      const { group: otherGroup = "", names } = (other as DefinedKind).spec ?? {};
      return otherGroup !== group && names?.kind?.toLowerCase() === name;
    });
    const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
    return ROLES.map(({ suffix, verbs, partOf }) => ({
      name: `${isAmbiguous ? `${name}.${group}` : name}-${suffix}`,
      labels: Object.fromEntries(
        aggregate
          ? partOf.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, "true"])
          : [],
      ),
      rules: [
        { apiGroups: [group], resources: [plural], verbs },
        ...hasStatus
          ? [{ apiGroups: [group], resources: [`${plural}/status`], verbs: ["get"] }]
          : [],
      ],
    }));
  });
}
