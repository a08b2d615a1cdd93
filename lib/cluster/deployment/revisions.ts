// Mirrors `controller/deployment/util/deployment_util.go, SetNewReplicaSetAnnotations`.
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { replicasOf, rolloutLimits } from "./rollout_limits.ts";

/** The key of the annotation of a Deployment or ReplicaSet with the revision. */
export const REVISION = "deployment.kubernetes.io/revision";
/** The key of the ReplicaSet annotation with the earlier revisions, separated by commas. */
const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
/** The key of the ReplicaSet annotation with the desired replicas of the Deployment. */
const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
/**
 * The key of the annotation of a ReplicaSet with the largest number of pods that its Deployment may
 * have during a rolling update.
 */
const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";
/** The key of the Deployment annotation with the revision to roll back to. */
export const ROLLBACK_TO = "deprecated.deployment.rollback.to";

/**
 * The largest length of a ReplicaSet's revision history annotation, in characters; the oldest
 * revisions beyond it are dropped.
 */
const LONGEST_HISTORY = 2000;

/** The keys of the annotations that are not copied between a Deployment and its ReplicaSets. */
const OWN = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
]);

/**
 * Returns the revision of a ReplicaSet; 0 if it has none, `undefined` if the annotation is not a
 * number.
 */
export function revisionOf({ metadata }: V1ReplicaSet): number | undefined {
  return numberIn(metadata.annotations?.[REVISION] ?? "0");
}

/** Returns the highest revision among ReplicaSets; 0 if none has a revision. */
export function lastRevision(sets: readonly V1ReplicaSet[]): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set) ?? 0));
}

/**
 * Returns the second highest revision among ReplicaSets, where a missing revision counts as 0; 0
 * for fewer than two ReplicaSets.
 */
export function previousRevision(sets: readonly V1ReplicaSet[]): number {
  const revisions = sets.map((set) => revisionOf(set) ?? 0).sort((a, b) => b - a);
  return revisions[1] ?? 0;
}

/**
 * Copies the annotations of a Deployment, except those about revisions, sizes, rollbacks and
 * kubectl's last applied configuration, to its ReplicaSet, in place. Raises the revision annotation
 * of the ReplicaSet to the given one, and adds the earlier revision to the history annotation.
 * Returns whether an annotation changed.
 */
export function annotate(
  set: V1ReplicaSet,
  deployment: V1Deployment,
  revision: number,
): boolean {
  const annotations: Record<string, string> = { ...set.metadata.annotations };
  for (const [name, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!OWN.has(name)) annotations[name] = value;
  }
  const text = annotations[REVISION];
  const before = numberIn(text ?? "0");
  if (before !== undefined && before < revision) {
    annotations[REVISION] = String(revision);
    if (text !== undefined) addToHistory(annotations, text);
  }
  return replaceAnnotations(set, annotations);
}

/**
 * Sets the annotations of a ReplicaSet with the desired and the largest number of pods of its
 * Deployment, in place. By them a later change of the size is detected and divided among the
 * ReplicaSets. Returns whether an annotation changed.
 */
export function annotateSizes(set: V1ReplicaSet, deployment: V1Deployment): boolean {
  const replicas = replicasOf(deployment);
  return replaceAnnotations(set, {
    ...set.metadata.annotations,
    [DESIRED_REPLICAS]: String(replicas),
    [MAX_REPLICAS]: String(replicas + rolloutLimits(deployment).maxSurge),
  });
}

/**
 * Returns the desired replicas that the Deployment had when its ReplicaSet was last scaled, from an
 * annotation of the ReplicaSet; `undefined` if the annotation is missing or not a number.
 */
export function desiredReplicasOf({ metadata }: V1ReplicaSet): number | undefined {
  return numberIn(metadata.annotations?.[DESIRED_REPLICAS] ?? "");
}

/**
 * Returns the largest number of pods that the Deployment could have when its ReplicaSet was last
 * scaled, from an annotation of the ReplicaSet; `undefined` if the annotation is missing or not a
 * number.
 */
export function maxReplicasOf({ metadata }: V1ReplicaSet): number | undefined {
  return numberIn(metadata.annotations?.[MAX_REPLICAS] ?? "");
}

/**
 * Replaces the annotations of a Deployment, in place, by those of the ReplicaSet that it is rolled
 * back to. The Deployment keeps its own annotations about revisions, sizes, rollbacks and kubectl's
 * last applied configuration, and does not get those of the ReplicaSet.
 */
export function takeAnnotations(deployment: V1Deployment, set: V1ReplicaSet): void {
  const keep = ([name]: [string, string]): boolean => OWN.has(name);
  const take = ([name]: [string, string]): boolean => !OWN.has(name);
  deployment.metadata.annotations = Object.fromEntries([
    ...Object.entries(deployment.metadata.annotations ?? {}).filter(keep),
    ...Object.entries(set.metadata.annotations ?? {}).filter(take),
  ]);
}

function addToHistory(annotations: Record<string, string>, revision: string): void {
  const history = [...(annotations[REVISION_HISTORY] ?? "").split(","), revision]
    .filter((each) => each !== "");
  while (history.join(",").length > LONGEST_HISTORY) history.shift();
  annotations[REVISION_HISTORY] = history.join(",");
}

function replaceAnnotations(set: V1ReplicaSet, annotations: Record<string, string>): boolean {
  const before = set.metadata.annotations ?? {};
  const changed = Object.entries(annotations).some(([name, value]) => before[name] !== value);
  if (changed) set.metadata.annotations = annotations;
  return changed;
}

function numberIn(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
