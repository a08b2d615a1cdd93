// Mirrors `sigs.k8s.io/controller-tools/pkg/rbac/parser.go, GenerateRoles` (its NormalizeRules).

/** A rule of an RBAC Role or ClusterRole: verbs on resources, or on paths outside of resources. */
export interface PolicyRule {
  /** The API groups of the RBAC rule; the empty string is the core group. */
  readonly apiGroups?: readonly string[];
  /** The resources of the RBAC rule, such as `xcas` or `xcas/status`. */
  readonly resources?: readonly string[];
  /** The names of the objects that the RBAC rule is restricted to. @default all */
  readonly resourceNames?: readonly string[];
  /** The URL paths outside of resources that the RBAC rule allows, such as `/metrics`. */
  readonly nonResourceURLs?: readonly string[];
  /** The verbs of the RBAC rule. */
  readonly verbs: readonly string[];
}

/**
 * Returns RBAC rules, merged and sorted as controller-gen does, so that the same access gives the
 * same text: verbs of the same resources are joined, then resources of the same groups, then groups
 * of the same resources, then paths.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mergeRules } from "@xca/operator/rbac";
 *
 * const rule = (resource: string, verb: string) => ({
 *   apiGroups: ["apps"],
 *   resources: [resource],
 *   verbs: [verb],
 * });
 * assert.deepEqual(
 *   mergeRules([rule("deployments", "watch"), rule("daemonsets", "list"), rule("deployments", "list")]),
 *   [
 *     { apiGroups: ["apps"], resources: ["daemonsets"], verbs: ["list"] },
 *     { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list", "watch"] },
 *   ],
 * );
 * ```
 */
export function mergeRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const single = rules.flatMap(({ resources = [], ...rule }) =>
    resources.length === 0
      ? [normal(rule)]
      : resources.map((each) => normal({ ...rule, resources: [each] }))
  );
  const merged = (["verbs", "resources", "apiGroups", "nonResourceURLs"] as const)
    .reduce<FullRule[]>((each, field) => mergeBy(field, each), single);
  return merged.sort((a, b) => compare(sortKey(a), sortKey(b))).map(trimmed);
}

/** An RBAC rule with all its lists, each sorted and without repetition. */
type FullRule = Required<PolicyRule>;

function normal(rule: PolicyRule): FullRule {
  const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
  return {
    apiGroups: sorted(apiGroups),
    resources: sorted(resources),
    resourceNames: sorted(resourceNames),
    nonResourceURLs: sorted(nonResourceURLs),
    verbs: sorted(verbs),
  };
}

function sorted(values: readonly string[] = []): readonly string[] {
  return [...new Set(values)].sort(compare);
}

/**
 * Returns the rules with those that differ in the list `field` only combined into one rule, with
 * the union of their lists, sorted.
 */
function mergeBy(field: keyof FullRule, rules: readonly FullRule[]): FullRule[] {
  const groups = Map.groupBy(rules, (rule) => JSON.stringify({ ...rule, [field]: [] }));
  return [...groups.values()].map((same) => ({
    ...same[0]!,
    [field]: sorted(same.flatMap((rule) => rule[field])),
  }));
}

/**
 * Returns the text by which controller-gen sorts rules; among rules that it leaves equal, the verbs
 * decide.
 */
function sortKey(
  { apiGroups, resources, resourceNames, nonResourceURLs, verbs }: FullRule,
): string {
  return [apiGroups, resources, resourceNames, nonResourceURLs, verbs]
    .map((values) => values.join("&")).join(" + ");
}

/**
 * Compares texts by UTF-16 code units, which for the ASCII texts of rules is Go's order by bytes;
 * returns -1, 0 or 1.
 */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns an RBAC rule without its empty lists, its fields in the order that manifests have;
 * `verbs` always remains.
 */
function trimmed(rule: FullRule): PolicyRule {
  const { apiGroups, nonResourceURLs, resourceNames, resources, verbs } = rule;
  return {
    ...(apiGroups.length > 0 && { apiGroups }),
    ...(nonResourceURLs.length > 0 && { nonResourceURLs }),
    ...(resourceNames.length > 0 && { resourceNames }),
    ...(resources.length > 0 && { resources }),
    verbs,
  };
}
