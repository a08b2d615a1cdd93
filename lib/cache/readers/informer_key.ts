import { formatLabelSelector, type LabelSelector, type ResourceType } from "@xca/apimachinery/meta";

/** What an informer of a factory watches. */
export interface InformerScope {
  /** The resource. */
  readonly type: ResourceType;
  /** The namespace; empty for all, and for cluster-scoped resources. */
  readonly namespace: string;
  /** Which labels; none selects everything. */
  readonly labelSelector: LabelSelector;
  /** Which fields; empty for all. */
  readonly fieldSelector: string;
}

/** Equal for scopes that one informer can serve, however their selectors were written. */
export function informerKey(scope: InformerScope): string {
  return JSON.stringify([
    scope.type.id,
    scope.type.metadataOnly ?? false,
    scope.namespace,
    formatLabelSelector(scope.labelSelector),
    scope.fieldSelector,
  ]);
}

/** Whether a scope leaves nothing out of its namespace. */
export function isUnfiltered(scope: InformerScope): boolean {
  return scope.labelSelector.requirements.length === 0 && scope.fieldSelector === "";
}

/** Reports whether one cache serves both; whole objects and metadata alone are cached apart. */
export function isSameRead(a: ResourceType, b: ResourceType): boolean {
  return a.id === b.id && (a.metadataOnly ?? false) === (b.metadataOnly ?? false);
}
