// Mirrors `controller/deployment/util/deployment_util.go, FindNewReplicaSet` and
// `controller/controller_utils.go, ReplicaSetsByCreationTimestamp`.
import type {
  V1Deployment,
  V1PodTemplateSpec,
  V1ReplicaSet,
} from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { byCreation } from "../ordering/by_creation.ts";

/** The label that tells the pods of one ReplicaSet of a Deployment from those of another. */
export const TEMPLATE_HASH = "pod-template-hash";

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The ReplicaSet of the current pod template; `undefined` until it exists. */
  readonly current: V1ReplicaSet | undefined;
  /** The ReplicaSets of earlier pod templates, oldest first. */
  readonly old: readonly V1ReplicaSet[];
}

/** Divides ReplicaSets into that of the Deployment's pod template, the oldest if several, and others. */
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

/** Reports whether two pod templates make equal pods, apart from the label of the hash. */
export function isSameTemplate(
  a: V1PodTemplateSpec | undefined,
  b: V1PodTemplateSpec | undefined,
): boolean {
  return jsonEqual(withoutHash(a), withoutHash(b));
}

/** Returns a pod template without the label of the hash. */
export function withoutHash(template: V1PodTemplateSpec = {}): V1PodTemplateSpec {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the number of pods that a ReplicaSet asks for. */
export function sizeOf({ spec }: V1ReplicaSet): number {
  return spec.replicas ?? 1;
}

/** Returns the number of pods that ReplicaSets ask for together. */
export function sizeOfAll(sets: readonly V1ReplicaSet[]): number {
  return sum(sets, sizeOf);
}

/** Returns the number of available pods that ReplicaSets have together. */
export function availableOfAll(sets: readonly V1ReplicaSet[]): number {
  return sum(sets, ({ status }) => status?.availableReplicas ?? 0);
}

/** Returns the sum of a number of each ReplicaSet. */
export function sum(
  sets: readonly V1ReplicaSet[],
  numberOf: (set: V1ReplicaSet) => number,
): number {
  return sets.reduce((total, set) => total + numberOf(set), 0);
}

/** Returns the ReplicaSets that ask for a pod at least. */
export function activeOf(sets: readonly V1ReplicaSet[]): V1ReplicaSet[] {
  return sets.filter((set) => sizeOf(set) > 0);
}

/** Compares the sizes of ReplicaSets, the largest first; of equal ones the newer comes first. */
export function bySizeNewer(a: V1ReplicaSet, b: V1ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(b, a);
}

/** Compares the sizes of ReplicaSets, the largest first; of equal ones the older comes first. */
export function bySizeOlder(a: V1ReplicaSet, b: V1ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(a, b);
}
