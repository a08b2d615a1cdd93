// Mirrors `namespace/deletion/status_condition_utils.go, namespaceConditionUpdater`.
import type { V1Namespace } from "@xca/apimachinery/kubernetes-types";

type Condition = NonNullable<NonNullable<V1Namespace["status"]>["conditions"]>[number];

/**
 * The numbers of objects that remain in a terminating namespace, and the failed deletions, as the
 * namespace controller counts them in one round.
 */
export interface Remaining {
  /**
   * The number of objects of each resource that remain in the namespace, by the name of the
   * resource, such as `pods.` or `deployments.apps`.
   */
  readonly objects: ReadonlyMap<string, number>;
  /**
   * The number of remaining objects in the namespace that have each finalizer, by the name of the
   * finalizer.
   */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The error messages of the deletions that failed in the namespace. */
  readonly failures: readonly string[];
}

const FINE: readonly (readonly [type: string, reason: string, message: string])[] = [
  [
    "NamespaceDeletionDiscoveryFailure",
    "ResourcesDiscovered",
    "All resources successfully discovered",
  ],
  [
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  [
    "NamespaceFinalizersRemaining",
    "ContentHasNoFinalizers",
    "All content-preserving finalizers finished",
  ],
];

/**
 * Returns the conditions of a terminating namespace: those of `before`, with the five about its
 * deletion updated by the failed deletions and the remaining objects and finalizers. The remaining
 * objects and finalizers are reported only if `counted` is true, which means that all content of
 * the namespace was counted. `now`, in RFC 3339, is the transition time of conditions whose status
 * changes.
 */
export function namespaceConditions(
  before: readonly Condition[],
  { objects, finalizers, failures }: Remaining,
  counted: boolean,
  now: string,
): Condition[] {
  const bad = new Map<string, readonly [reason: string, message: string]>();
  const texts = (of: ReadonlyMap<string, number>, verb: string): string =>
    [...of].map(([name, count]) => `${name} ${verb} ${count} resource instances`).sort().join(", ");
  if (failures.length > 0) {
    bad.set("NamespaceDeletionContentFailure", [
      "ContentDeletionFailed",
      `Failed to delete all resource types, ${failures.length} remaining: ` +
      [...failures].sort().join(", "),
    ]);
  }
  if (counted && objects.size > 0) {
    bad.set("NamespaceContentRemaining", [
      "SomeResourcesRemain",
      `Some resources are remaining: ${texts(objects, "has")}`,
    ]);
  }
  if (counted && finalizers.size > 0) {
    bad.set("NamespaceFinalizersRemaining", [
      "SomeFinalizersRemain",
      `Some content in the namespace has finalizers remaining: ${texts(finalizers, "in")}`,
    ]);
  }
  const fresh = FINE.map(([type, reason, message]): Condition => {
    const problem = bad.get(type);
    const status = problem ? "True" : "False";
    const known = before.find((each) => each.type === type);
    const since = known?.status === status ? known.lastTransitionTime : undefined;
    return {
      type,
      status,
      lastTransitionTime: since ?? now,
      reason: problem?.[0] ?? reason,
      message: problem?.[1] ?? message,
    };
  });
  const others = before.filter(({ type }) => !FINE.some(([known]) => known === type));
  return [...others, ...fresh];
}
