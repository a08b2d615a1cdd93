// Mirrors `quota/v1/interfaces.go, Evaluator`.
import type { ApiObject } from "../values/api_object.ts";
import type { Amounts } from "./amounts.ts";

/** One requirement of a ResourceQuota's scope selector. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/**
 * The functions that read the objects on which a ResourceQuota usage depends. The caller must not
 * change the results: a reader may return the same objects again.
 */
export interface QuotaReader {
  /** Returns a stored object, or `undefined` if there is none. `resource` is the plural name. */
  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined;
  /**
   * Yields the stored objects of a resource: of one namespace if given, otherwise of all
   * namespaces.
   */
  list(group: string, resource: string, namespace?: string): Iterable<ApiObject>;
}

/** The inputs of a quota usage calculation in addition to the object. */
export interface UsageContext {
  readonly registry: QuotaReader;
  readonly now: Date;
}

/** A calculator of the ResourceQuota usage of one resource's objects. */
export interface Evaluator {
  /** Returns those resource names of a ResourceQuota that this evaluator counts. */
  matching(names: readonly string[], registry: QuotaReader): readonly string[];
  /** Reports whether an object is in a scope of a ResourceQuota. @default {no object is} */
  inScope?(object: ApiObject, requirement: ScopeRequirement): boolean;
  /**
   * Returns the reason why the quota usage of an object cannot be calculated for these resource
   * names; `undefined` when the usage can be calculated. An evaluator without this method can
   * calculate the usage of every object.
   */
  problem?(object: ApiObject, names: readonly string[]): string | undefined;
  /**
   * Returns the amounts that one object adds to the usage of a ResourceQuota, by resource name,
   * under all names by which this evaluator counts the object, not only those of one quota.
   */
  usage(object: ApiObject, context: UsageContext): Amounts;
}

/**
 * Returns the name under which a ResourceQuota counts the objects of a resource, such as
 * `count/deployments.apps` (`quota/v1/generic/evaluator.go, ObjectCountQuotaResourceNameFor`).
 */
export function objectCount(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}

/**
 * Reports whether a value meets one requirement of a ResourceQuota's scope selector. `undefined`
 * stands for an absent value, which meets `NotIn` and `DoesNotExist`. An operator other than `In`,
 * `NotIn` and `Exists` counts as `DoesNotExist`.
 */
export function meetsRequirement(
  { operator, values = [] }: ScopeRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}

/**
 * Reports whether an object is in all scopes of a ResourceQuota; true without scopes. An evaluator
 * without `inScope` has no object in a scope.
 */
export function inScopes(
  evaluator: Evaluator,
  object: ApiObject,
  scopes: readonly ScopeRequirement[],
): boolean {
  return scopes.every((requirement) => evaluator.inScope?.(object, requirement));
}
