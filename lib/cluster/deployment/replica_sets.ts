// Mirrors `controller/deployment/util/deployment_util.go, FindNewReplicaSet` and
// `controller/controller_utils.go, ReplicaSetsByCreationTimestamp`.
import type {
  V1Deployment,
  V1PodTemplateSpec,
  V1ReplicaSet,
} from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * The key of the label of a Deployment's pods and ReplicaSets with the hash of the pod template,
 * which keeps the selectors of the ReplicaSets disjoint.
 */
export const TEMPLATE_HASH = "pod-template-hash";

/** The current and the old ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The ReplicaSet of the Deployment's current pod template; `undefined` until it exists. */
  readonly current: V1ReplicaSet | undefined;
  /** The ReplicaSets of the Deployment other than `current`, oldest first. */
  readonly old: readonly V1ReplicaSet[];
}

/**
 * Returns the ReplicaSets of a Deployment, divided into the ReplicaSet of the current pod template
 * (the oldest, if several match) and the old ReplicaSets.
 */
export function replicaSetsOf(
  { spec }: V1Deployment,
  all: readonly V1ReplicaSet[],
): ReplicaSets {
  const sorted = [...all].sort(byCreation);
  const current = sorted.find((set) => isSameTemplate(set.spec.template, spec.template));
  return { current, old: sorted.filter((set) => set !== current) };
}

/** Returns all ReplicaSets of a Deployment, the current one last. */
export function allOf({ current, old }: ReplicaSets): V1ReplicaSet[] {
  return current ? [...old, current] : [...old];
}

/** Reports whether two pod templates are equal apart from the label of the template hash. */
export function isSameTemplate(
  a: V1PodTemplateSpec | undefined,
  b: V1PodTemplateSpec | undefined,
): boolean {
  return jsonEqual(withoutHash(a), withoutHash(b));
}

/** Returns a copy of a pod template without the label of the template hash. */
export function withoutHash(template: V1PodTemplateSpec = {}): V1PodTemplateSpec {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the desired number of replicas of a ReplicaSet, by default 1. */
export function sizeOf({ spec }: V1ReplicaSet): number {
  return spec.replicas ?? 1;
}

/** Returns the sum of the desired replicas of ReplicaSets. */
export function sizeOfAll(sets: readonly V1ReplicaSet[]): number {
  return sum(sets, sizeOf);
}

/** Returns the sum of the available replicas of ReplicaSets. */
export function availableOfAll(sets: readonly V1ReplicaSet[]): number {
  return sum(sets, ({ status }) => status?.availableReplicas ?? 0);
}

/** Returns the sum of the numbers that a function returns for each of the ReplicaSets. */
export function sum(
  sets: readonly V1ReplicaSet[],
  numberOf: (set: V1ReplicaSet) => number,
): number {
  return sets.reduce((total, set) => total + numberOf(set), 0);
}

/** Returns the ReplicaSets whose desired number of replicas is above 0. */
export function activeOf(sets: readonly V1ReplicaSet[]): V1ReplicaSet[] {
  return sets.filter((set) => sizeOf(set) > 0);
}

/**
 * Compares ReplicaSets for a sort: larger ones first, and newer ones first among those of equal
 * size.
 */
export function bySizeNewer(a: V1ReplicaSet, b: V1ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(b, a);
}

/**
 * Compares ReplicaSets for a sort: larger ones first, and older ones first among those of equal
 * size.
 */
export function bySizeOlder(a: V1ReplicaSet, b: V1ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(a, b);
}
