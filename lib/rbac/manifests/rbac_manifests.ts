import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { PolicyRule } from "../policy_rule.ts";
import { rulesOf, type RulesOptions } from "../rules_of.ts";
import { checkSetup } from "../setup_options.ts";
import { userRoles } from "./user_roles.ts";

/** The API version of RBAC objects. */
const RBAC = "rbac.authorization.k8s.io/v1";

/** Options of {@linkcode rbacManifests}, which generates the RBAC objects of an operator. */
export interface RbacManifestsOptions extends RulesOptions {
  /**
   * The name of the generated RBAC objects, and the prefix of the names of further ones; also the
   * default name of the Lease. Pass the same name to `createManager()`.
   *
   * @default the name of the first operator, or `manager`; for the Lease always `manager`, as for
   * `createManager()`
   */
  readonly name?: string | undefined;
  /** The namespace of the operator's pod, its service account, and by default its Lease. */
  readonly namespace: string;
  /** The name of the operator's ServiceAccount. @default {RbacManifestsOptions.name} */
  readonly serviceAccount?: string | undefined;
  /** The labels of all generated RBAC objects. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Sets whether ClusterRoles for users of each defined kind are generated: viewers, editors,
   * admins.
   *
   * @default {true}
   */
  readonly userRoles?: boolean | undefined;
  /**
   * Sets whether Kubernetes aggregates the ClusterRoles for users into its ClusterRoles `view`,
   * `edit` and `admin`.
   *
   * @default {true}
   */
  readonly aggregate?: boolean | undefined;
}

/** An RBAC object of a manifest: a ServiceAccount, a role, or a binding of a role. */
export interface RbacManifest {
  /** The API version of the RBAC object. */
  readonly apiVersion: string;
  /** The kind of the RBAC object, such as `ClusterRole`. */
  readonly kind: string;
  /** The metadata of the RBAC object. */
  readonly metadata: {
    /** The name of the RBAC object. */
    readonly name: string;
    /** The namespace of the RBAC object; absent for cluster-scoped ones. */
    readonly namespace?: string;
    /** The labels of the RBAC object. */
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** The rules of the RBAC object, if it is a Role or ClusterRole. */
  readonly rules?: readonly PolicyRule[];
  /** The role that the RBAC object grants, if it is a binding. */
  readonly roleRef?: {
    /** The API group of the granted role. */
    readonly apiGroup: string;
    /** The kind of the granted role, `Role` or `ClusterRole`. */
    readonly kind: string;
    /** The name of the granted role. */
    readonly name: string;
  };
  /** The accounts that the binding grants the role to. */
  readonly subjects?: readonly {
    /** The kind of the bound account, `ServiceAccount`. */
    readonly kind: string;
    /** The name of the bound account. */
    readonly name: string;
    /** The namespace of the bound account. */
    readonly namespace: string;
  }[];
}

/**
 * Returns the RBAC objects of an operator as manifests, in the order in which they are applied: the
 * ServiceAccount, the roles of the operator with their bindings, and ClusterRoles for users of its
 * kinds and of its metrics. A role without rules is left out, with its binding, and with
 * `NAME-metrics-auth` also `NAME-metrics-reader`.
 *
 * | object | name | rules |
 * | --- | --- | --- |
 * | ClusterRole | `NAME` | the operator's rules for all namespaces |
 * | Role per namespace | `NAME` | the operator's rules for the namespace |
 * | Role in the namespace of the Lease | `NAME-leader-election` | the rules for the Lease |
 * | ClusterRole | `NAME-metrics-auth` | the reviews of the access of metrics readers |
 * | ClusterRole, not bound | `NAME-metrics-reader` | reading the metrics |
 * | ClusterRole, not bound | `NAME-KIND-viewer`, `-editor`, `-admin` | the rules for the kind |
 *
 * KIND is the kind in lower case, followed by a dot and the group if several groups define a kind
 * of the name.
 *
 * @throws {TypeError} When a name or the namespace of the objects is not valid, or an option is
 * unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rbacManifests } from "@xca/operator/rbac";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const objects = rbacManifests(xcaOperator, { namespace: "xca-system", userRoles: false });
 * assert.deepEqual(
 *   objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
 *   ["ServiceAccount xca", "ClusterRole xca", "ClusterRoleBinding xca"],
 * );
 * ```
 */
export function rbacManifests(
  operator: Operator | readonly Operator[],
  options: RbacManifestsOptions,
): RbacManifest[] {
  checkSetup("Cannot make RBAC manifests", options);
  const operators = "controllers" in operator ? [operator] : operator;
  const { namespace, labels, aggregate = true } = options;
  const name = options.name ?? operators[0]?.name ?? "manager";
  checkName("name", name);
  checkName("namespace", namespace);
  const account = options.serviceAccount ?? name;
  checkName("serviceAccount", account);
  const rules = rulesOf(operators, options);
  const made = new Objects({
    account: { kind: "ServiceAccount", name: account, namespace },
    labels,
  });
  return [
    made.serviceAccount(),
    ...made.bound(name, undefined, rules.cluster),
    ...Object.entries(rules.namespaces).flatMap(([each, own]) => made.bound(name, each, own)),
    ...rules.leaderElection
      ? made.bound(
        `${name}-leader-election`,
        rules.leaderElection.namespace,
        rules.leaderElection.rules,
      )
      : [],
    ...made.bound(`${name}-metrics-auth`, undefined, rules.metrics),
    ...rules.metrics.length > 0
      ? [made.role(`${name}-metrics-reader`, undefined, [
        { nonResourceURLs: ["/metrics"], verbs: ["get"] },
      ])]
      : [],
    ...options.userRoles === false
      ? []
      : userRoles(operators.flatMap(({ crds }) => crds), { aggregate }).map((role) =>
        made.role(`${name}-${role.name}`, undefined, role.rules, role.labels)
      ),
  ];
}

/** The generator of the RBAC objects for one service account. */
class Objects {
  readonly #account: NonNullable<RbacManifest["subjects"]>[number];
  readonly #labels: Readonly<Record<string, string>> | undefined;

  constructor(
    { account, labels }: {
      readonly account: NonNullable<RbacManifest["subjects"]>[number];
      readonly labels: Readonly<Record<string, string>> | undefined;
    },
  ) {
    this.#account = account;
    this.#labels = labels;
  }

  serviceAccount(): RbacManifest {
    const { kind, name, namespace } = this.#account;
    return { apiVersion: "v1", kind, metadata: this.#metadata(name, namespace) };
  }

  /**
   * Returns a role and its binding to the service account; an empty list for a role without rules.
   */
  bound(
    name: string,
    namespace: string | undefined,
    rules: readonly PolicyRule[],
  ): RbacManifest[] {
    if (rules.length === 0) return [];
    const role = this.role(name, namespace, rules);
    const [apiGroup = ""] = RBAC.split("/");
    return [role, {
      apiVersion: RBAC,
      kind: `${role.kind}Binding`,
      metadata: this.#metadata(name, namespace),
      roleRef: { apiGroup, kind: role.kind, name },
      subjects: [this.#account],
    }];
  }

  role(
    name: string,
    namespace: string | undefined,
    rules: readonly PolicyRule[],
    labels: Readonly<Record<string, string>> = {},
  ): RbacManifest {
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    return { apiVersion: RBAC, kind, metadata: this.#metadata(name, namespace, labels), rules };
  }

  #metadata(
    name: string,
    namespace: string | undefined,
    own: Readonly<Record<string, string>> = {},
  ): RbacManifest["metadata"] {
    const labels = { ...this.#labels, ...own };
    return {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(Object.keys(labels).length > 0 && { labels }),
    };
  }
}

function checkName(field: string, name: unknown): void {
  if (typeof name === "string" && /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/.test(name)) return;
  throw new TypeError(
    `Cannot make RBAC manifests: ${field} must be lower-case letters, digits, dashes and dots, is ` +
      JSON.stringify(name),
  );
}
