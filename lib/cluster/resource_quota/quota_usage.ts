// Mirrors `quota/v1/resources.go, CalculateUsage`.
import {
  type Amounts,
  evaluatorOf,
  inScopes,
  only,
  type ScopeRequirement,
  sum,
} from "@xca/apimachinery/internal/quota";
import type { V1ResourceQuota } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { CountedObjects, CountedResource } from "./counted_objects.ts";

/** A deeply read-only ResourceQuota. */
export type ReadQuota = DeepReadonly<V1ResourceQuota>;

/** The resources that ResourceQuotas count under fixed names, such as `pods`. */
const NAMED: readonly CountedResource[] = [
  { group: "", plural: "pods" },
  { group: "", plural: "services" },
  { group: "", plural: "persistentvolumeclaims" },
  { group: "resource.k8s.io", plural: "resourceclaims" },
  { group: "", plural: "configmaps" },
  { group: "", plural: "resourcequotas" },
  { group: "", plural: "replicationcontrollers" },
  { group: "", plural: "secrets" },
];

/** The prefix of the names under which ResourceQuotas count the objects of any resource. */
const COUNT = "count/";

/**
 * Returns the usage of the objects in the scopes of a ResourceQuota, by the names of those limits
 * that can be counted.
 */
export async function usageOf(
  quota: ReadQuota,
  objects: CountedObjects,
  now: Date,
): Promise<Amounts> {
  const names = Object.keys(quota.spec?.hard ?? {});
  const scopes = scopesOf(quota);
  let usage: Amounts = {};
  for (const resource of resourcesOf(names)) {
    const evaluator = evaluatorOf(resource.group, resource.plural);
    const counted = evaluator?.matching(names, objects) ?? [];
    if (!evaluator || counted.length === 0) continue;
    const found = await objects.of(resource);
    if (!found) continue;
    const zero = Object.fromEntries(counted.map((name) => [name, "0"]));
    const context = { registry: objects, now };
    const used = found.filter((object) => inScopes(evaluator, object, scopes))
      .map((object) => only(evaluator.usage(object, context), counted));
    usage = { ...usage, ...used.reduce<Amounts>(sum, zero) };
  }
  return usage;
}

/**
 * Returns the resources that the limits of a ResourceQuota may count: those with fixed names, and
 * those of its `count/` limits.
 */
function resourcesOf(names: readonly string[]): CountedResource[] {
  const others = names.filter((name) => name.startsWith(COUNT)).map((name) => {
    const [plural = "", ...group] = name.slice(COUNT.length).split(".");
    return { plural, group: group.join(".") };
  });
  const isNamed = ({ group, plural }: CountedResource): boolean =>
    NAMED.some((each) => each.group === group && each.plural === plural);
  return [...NAMED, ...others.filter((resource) => !isNamed(resource))];
}

/** Returns the scopes and the scope selector of a ResourceQuota as requirements. */
export function scopesOf({ spec }: ReadQuota): ScopeRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...spec?.scopeSelector?.matchExpressions ?? [],
  ];
}
