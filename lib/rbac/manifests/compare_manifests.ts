import { type Access, type AccessNeed, accessText, rulesOfAccess } from "../access_need.ts";
import type { AccessDifference } from "../observation/compare_access.ts";
import type { PolicyRule } from "../policy_rule.ts";
import { metricsNeeds } from "../rules_of.ts";

/** The fields of a manifest that determine its grants; a field that is `null` counts as absent. */
export interface GrantingManifest {
  /** The kind of the manifest's object. */
  readonly kind?: string;
  /** The metadata of the manifest's object. */
  readonly metadata?: {
    /** The name of the manifest's object. */
    readonly name?: string;
    /** The namespace of the manifest's object. */
    readonly namespace?: string;
  } | null;
  /** The rules of the manifest's Role or ClusterRole. */
  readonly rules?: readonly PolicyRule[] | null;
  /** The role that the manifest's binding grants. */
  readonly roleRef?: {
    /** The kind of the granted role. */
    readonly kind?: string;
    /** The name of the granted role. */
    readonly name?: string;
  } | null;
  /** The accounts that the manifest's binding grants a role to. */
  readonly subjects?:
    | readonly {
      /** The kind of the account in a binding. */
      readonly kind?: string;
    }[]
    | null;
}

/** An RBAC role that a binding grants, in one namespace or in all. */
interface Grant {
  /** The granted role as a message names it, such as `ClusterRole greeter`. */
  readonly role: string;
  /** The namespace of the grant; empty for all namespaces. */
  readonly namespace: string;
  /** The rules of the granted role; `undefined` when the manifests lack the role. */
  readonly rules: readonly PolicyRule[] | undefined;
}

/** An access that RBAC manifests grant, with the rule and the role that it comes from. */
interface Granted extends Access {
  readonly role: string;
  readonly rule: PolicyRule;
}

/**
 * The name of the ClusterRole of Kubernetes by which a metrics server may review the access of its
 * readers.
 */
const DELEGATOR = "system:auth-delegator";

/**
 * Returns the differences between the accesses that operators need and those that manifests grant
 * to service accounts, by RoleBindings and ClusterRoleBindings. If the manifests have no binding,
 * all their roles count as granted; otherwise unbound roles, such as those for users of a kind, are
 * ignored. The names of the service accounts are not compared. A rule with a `*` covers needs, but
 * is an excess, and so is a bound role that the manifests lack.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compareManifests, needsOf, rbacManifests } from "@xca/operator/rbac";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const manifests = rbacManifests(xcaOperator, { namespace: "xca-system" });
 * assert.deepEqual(compareManifests(needsOf(xcaOperator), manifests), []);
 * ```
 */
export function compareManifests(
  needs: readonly AccessNeed[],
  manifests: readonly GrantingManifest[],
): AccessDifference[] {
  const grants = grantsOf(manifests);
  const granted = grants.flatMap(expanded);
  const lacks = needs
    .filter((need) => !granted.some((each) => grantCovers(each, need)))
    .map((need): AccessDifference => {
      const { controller, reason } = need;
      const [rule] = rulesOfAccess([need]);
      return {
        kind: "lack",
        rule: rule!,
        controller,
        message: `${controller === "" ? reason : `controller ${controller}: ${reason}`}, which ` +
          `needs ${accessText(need)}, and no manifest grants it; add ${JSON.stringify(rule)}`,
      };
    });
  return [
    ...lacks,
    ...grants.flatMap((grant) => excessOf(grant, needs)),
  ];
}

/**
 * Returns the excess of a granted role: the accesses that no operator needs, combined per rule; the
 * rules with a `*` or with URL paths; and a bound role whose rules the manifests lack (unless the
 * role is `system:auth-delegator`).
 */
function excessOf(grant: Grant, needs: readonly AccessNeed[]): AccessDifference[] {
  const { role, namespace, rules } = grant;
  const where = namespace === "" ? "" : ` in namespace ${namespace}`;
  const difference = (rule: PolicyRule, text: string): AccessDifference => ({
    kind: "excess",
    rule,
    controller: "",
    message: `${role}${where} ${text}`,
  });
  if (!rules) {
    return [difference(
      { verbs: [] },
      "is bound, and the manifests lack it, so that its rules cannot be compared",
    )];
  }
  return rules.flatMap((rule): AccessDifference[] => {
    const text = JSON.stringify(rule);
    const parts: readonly (string | null | undefined)[] = Object.values(rule).flat();
    if (parts.some((part) => part?.startsWith("*"))) {
      return [difference(rule, `grants ${text} with a *; name what is needed`)];
    }
    if (rule.nonResourceURLs?.length) {
      return [difference(rule, `grants ${text}, which no operator needs; remove it`)];
    }
    const needless = expanded({ ...grant, rules: [rule] })
      .filter((each) => !needs.some((need) => grantCovers(each, need)));
    if (needless.length === 0) return [];
    return rulesOfAccess(needless).map((each) =>
      difference(each, `grants ${JSON.stringify(each)}, which no operator needs; remove it`)
    );
  });
}

/**
 * Returns the roles that manifests bind to service accounts, or all roles of the manifests if these
 * have no binding.
 */
function grantsOf(manifests: readonly GrantingManifest[]): Grant[] {
  const isRole = ({ kind }: GrantingManifest): boolean => kind === "Role" || kind === "ClusterRole";
  const roles = manifests.filter(isRole);
  const bindings = manifests.filter(({ kind }) =>
    kind === "RoleBinding" || kind === "ClusterRoleBinding"
  );
  if (bindings.length === 0) {
    return roles.map(({ kind, metadata, rules }) => ({
      role: `${kind} ${metadata?.name ?? ""}`,
      namespace: kind === "ClusterRole" ? "" : metadata?.namespace ?? "",
      rules: rules ?? [],
    }));
  }
  return bindings.flatMap(({ kind, metadata, roleRef, subjects }): Grant[] => {
    if (!subjects?.some((subject) => subject.kind === "ServiceAccount")) return [];
    const namespace = kind === "ClusterRoleBinding" ? "" : metadata?.namespace ?? "";
    const found = roles.find((role) =>
      role.kind === roleRef?.kind && role.metadata?.name === roleRef?.name &&
      (role.kind === "ClusterRole" || (role.metadata?.namespace ?? "") === namespace)
    );
    const isDelegator = !found && roleRef?.name === DELEGATOR;
    return [{
      role: `${roleRef?.kind} ${roleRef?.name}`,
      namespace,
      rules: isDelegator ? rulesOfAccess(metricsNeeds()) : found && (found.rules ?? []),
    }];
  });
}

/**
 * Returns the single accesses of a grant, one for each verb, API group, resource and name; none for
 * rules of URL paths.
 */
function expanded({ role, namespace, rules = [] }: Grant): Granted[] {
  return rules.flatMap((rule) => {
    const { apiGroups, resources, resourceNames, verbs } = rule;
    const names = resourceNames?.length ? resourceNames : [undefined];
    return (apiGroups ?? []).flatMap((group) =>
      (resources ?? []).flatMap((resource) =>
        names.flatMap((name) =>
          (verbs ?? []).map((verb) => ({
            verb,
            group,
            resource,
            namespace,
            ...(name !== undefined && { name }),
            role,
            rule,
          }))
        )
      )
    );
  });
}

/**
 * Reports whether a granted access includes a needed one; a `*` as its verb, group or resource, or
 * before the slash of a subresource, matches any.
 */
function grantCovers(grant: Access, need: Access): boolean {
  const fits = (given: string, wanted: string): boolean => given === "*" || given === wanted;
  return fits(grant.verb, need.verb) && fits(grant.group, need.group) &&
    [need.resource, need.resource.replace(/^[^/]+\//, "*/")]
      .some((each) => fits(grant.resource, each)) &&
    (grant.namespace === "" || grant.namespace === need.namespace) &&
    (grant.name === undefined || grant.name === need.name);
}
