import { formatLabelSelector, type LabelSelector, type ResourceType } from "@xca/apimachinery/meta";

/** The scope of an informer: the resource, namespace and selectors that it watches. */
export interface InformerScope {
  /** The resource that the informer watches. */
  readonly type: ResourceType;
  /**
   * The namespace that the informer watches; empty for all namespaces, and for cluster-scoped
   * resources.
   */
  readonly namespace: string;
  /** The label selector of the informer; matches everything if it has no requirements. */
  readonly labelSelector: LabelSelector;
  /** The field selector of the informer; empty for all objects. */
  readonly fieldSelector: string;
}

/**
 * Returns the key of a map of informers for the informer that serves a scope. Label selectors with
 * the same requirements, in any order and spelling, have the same key; field selectors are compared
 * as text. Whole objects and metadata alone have different keys.
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

/**
 * Reports whether an informer has neither a label nor a field selector, so that its scope includes
 * every object of its namespace, or of all namespaces.
 */
export function isUnfiltered(scope: InformerScope): boolean {
  return scope.labelSelector.requirements.length === 0 && scope.fieldSelector === "";
}

/**
 * Reports whether two resource types are read from the same cache: they have the same id, and both
 * request whole objects or both metadata alone.
 */
export function isSameRead(a: ResourceType, b: ResourceType): boolean {
  return a.id === b.id && (a.metadataOnly ?? false) === (b.metadataOnly ?? false);
}
