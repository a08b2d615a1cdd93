import { formatLabelSelector, type LabelSelector, type ResourceType } from "@xca/apimachinery/meta";

/** The objects that an informer of a factory watches. */
export interface InformerScope {
  /** The resource. */
  readonly type: ResourceType;
  /** The namespace; empty for all, and for cluster-scoped resources. */
  readonly namespace: string;
  /** The label selector; matches everything if it has no requirements. */
  readonly labelSelector: LabelSelector;
  /** The field selector; empty for all. */
  readonly fieldSelector: string;
}

/**
 * Returns the same key for scopes that one informer can serve, even if their selectors are spelled
 * differently.
 */
export function informerKey(scope: InformerScope): string {
  return JSON.stringify([
    scope.type.id,
    scope.type.metadataOnly ?? false,
    scope.namespace,
    formatLabelSelector(scope.labelSelector),
    scope.fieldSelector,
  ]);
}

/** Reports whether a scope includes every object of its namespace. */
export function isUnfiltered(scope: InformerScope): boolean {
  return scope.labelSelector.requirements.length === 0 && scope.fieldSelector === "";
}

/**
 * Reports whether one cache serves both types: whole objects and metadata alone are cached
 * separately.
 */
export function isSameRead(a: ResourceType, b: ResourceType): boolean {
  return a.id === b.id && (a.metadataOnly ?? false) === (b.metadataOnly ?? false);
}
