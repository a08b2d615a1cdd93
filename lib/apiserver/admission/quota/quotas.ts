// Mirrors `admission/plugin/resourcequota/resource_access.go, quotaAccessor.GetQuotas`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1ResourceQuota } from "@xca/apimachinery/kubernetes-types";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import {
  type Amounts,
  type Evaluator,
  inScopes,
  type ScopeRequirement,
} from "@xca/apimachinery/internal/quota";

/** A parsed ResourceQuota: its hard limits, their current usage and its scopes. */
export interface Quota {
  readonly name: string;
  readonly hard: Amounts;
  readonly used: Amounts;
  readonly scopes: readonly ScopeRequirement[];
}

/**
 * Parses a ResourceQuota object. The hard limits are those of its status, which the quota
 * controller writes.
 */
export function quotaOf(object: ApiObject): Quota {
  const { metadata, spec, status } = object as V1ResourceQuota;
  return {
    name: metadata.name!,
    hard: status?.hard ?? {},
    used: status?.used ?? {},
    scopes: [
      ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
      ...spec?.scopeSelector?.matchExpressions ?? [],
    ],
  };
}

/**
 * Parses the ResourceQuotas of a namespace. Returns those that limit something, sorted by name;
 * `undefined` if there are none.
 */
export function quotasOf(objects: readonly ApiObject[]): readonly Quota[] | undefined {
  const quotas = objects.map(quotaOf).filter(({ hard }) => Object.keys(hard).length > 0);
  if (quotas.length === 0) return undefined;
  return quotas.sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Reports whether a ResourceQuota applies to an object: whether it counts the object, and the
 * object is in its scopes.
 */
export function isAbout(
  { hard, scopes }: Quota,
  evaluator: Evaluator,
  object: ApiObject,
  registry: RegistryReader,
): boolean {
  return evaluator.matching(Object.keys(hard), registry).length > 0 &&
    inScopes(evaluator, object, scopes);
}
