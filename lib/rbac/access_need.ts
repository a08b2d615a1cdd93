import { mergeRules, type PolicyRule } from "./policy_rule.ts";

/**
 * A part of an operator that needs accesses: a controller, the leader election, the metrics server,
 * or the setup of its program.
 */
export type NeedPart = "controller" | "election" | "metrics" | "setup";

/**
 * An access that an operator needs: one verb on one resource, in one namespace or in all. RBAC
 * rules are derived from needs.
 */
export interface AccessNeed {
  /** The verb of the needed access, such as `get`. */
  readonly verb: string;
  /** The API group of the needed resource; empty for the core group. */
  readonly group: string;
  /** The needed resource, with its subresource, such as `xcas/status`. */
  readonly resource: string;
  /**
   * The namespace of the needed access; empty for all namespaces and for cluster-scoped resources.
   */
  readonly namespace: string;
  /** The name of the needed object. @default all objects */
  readonly name?: string;
  /** The part of the operator that needs the access. */
  readonly part: NeedPart;
  /** The name of the controller that needs the access; empty for other parts of the operator. */
  readonly controller: string;
  /** The reason for the needed access, such as `it declares updateStatus of Greeting`. */
  readonly reason: string;
  /**
   * Reports whether the access is needed only in clusters in which the admission plugin
   * OwnerReferencesPermissionEnforcement is enabled, so that a client cannot observe whether the
   * access is used.
   */
  readonly onlyEnforced?: boolean;
}

/** An RBAC access, a verb on a resource, as a request asks for it or as a rule grants it. */
export type Access = Pick<AccessNeed, "verb" | "group" | "resource" | "namespace" | "name">;

/**
 * Reports whether the access `given` includes the access `wanted`. A `*` has no special meaning; an
 * empty namespace of `given` includes every namespace, and an absent name every name.
 */
export function covers(given: Access, wanted: Access): boolean {
  return given.verb === wanted.verb && given.group === wanted.group &&
    given.resource === wanted.resource &&
    (given.namespace === "" || given.namespace === wanted.namespace) &&
    (given.name === undefined || given.name === wanted.name);
}

/**
 * Returns the needed accesses without those that another access includes: an access in all
 * namespaces includes one in a single namespace, and an access to all objects includes one to a
 * single name. Of equal accesses the first is kept.
 */
export function leastNeeds<Need extends Access>(needs: readonly Need[]): Need[] {
  return needs.filter((need, at) =>
    !needs.some((other, index) =>
      index !== at && covers(other, need) && (index < at || !covers(need, other))
    )
  );
}

/**
 * Returns the RBAC rules that grant accesses, merged and sorted ({@linkcode mergeRules}). The
 * namespaces of the accesses are ignored: the caller passes those of one role.
 */
export function rulesOfAccess(accesses: readonly Access[]): PolicyRule[] {
  return mergeRules(
    accesses.map(({ verb, group, resource, name }) => ({
      apiGroups: [group],
      resources: [resource],
      ...(name !== undefined && { resourceNames: [name] }),
      verbs: [verb],
    })),
  );
}

/**
 * Formats an access for messages, such as `patch greetings.example.org/status in namespace shop`.
 */
export function accessText({ verb, group, resource, namespace, name }: Access): string {
  const [plural = "", ...subresource] = resource.split("/");
  const full = [group === "" ? plural : `${plural}.${group}`, ...subresource].join("/");
  return `${verb} ${full}${name === undefined ? "" : ` named ${name}`}${
    namespace === "" ? "" : ` in namespace ${namespace}`
  }`;
}
