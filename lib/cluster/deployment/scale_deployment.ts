// Mirrors `controller/deployment/sync.go, scale`.
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import {
  activeOf,
  allOf,
  bySizeNewer,
  bySizeOlder,
  type ReplicaSets,
  sizeOf,
  sizeOfAll,
} from "./replica_sets.ts";
import { desiredReplicasOf, maxReplicasOf } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";
import { isRollingUpdate, replicasOf, rolloutLimits } from "./rollout_limits.ts";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * Reports whether the desired replicas of a Deployment have changed since one of its ReplicaSets
 * with replicas was last scaled.
 */
export function isScaled(deployment: V1Deployment, sets: ReplicaSets): boolean {
  return activeOf(allOf(sets)).some((set) => {
    const desired = desiredReplicasOf(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/**
 * Divides the desired replicas of a Deployment among its ReplicaSets, without a rollout step. A
 * single active ReplicaSet, or the latest one if none is active, gets all replicas; once all
 * desired pods of the current ReplicaSet are available, the old ones get none; otherwise, in a
 * rolling update, each grows or shrinks in proportion to its size.
 */
export async function scaleDeployment(rollout: Rollout, sets: ReplicaSets): Promise<void> {
  const { deployment } = rollout;
  const replicas = replicasOf(deployment);
  const single = activeOrLatest(sets);
  if (single) {
    await rollout.scale(single, replicas);
  } else if (isSaturated(deployment, sets.current)) {
    for (const old of activeOf(sets.old)) await rollout.scale(old, 0);
  } else if (isRollingUpdate(deployment)) {
    await scaleInProportion(rollout, activeOf(allOf(sets)));
  }
}

/**
 * Returns the only active ReplicaSet of a Deployment, or the latest one if none is active;
 * `undefined` if several are active.
 */
function activeOrLatest({ current, old }: ReplicaSets): V1ReplicaSet | undefined {
  const active = activeOf(allOf({ current, old }));
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return current ?? [...old].sort(byCreation).at(-1);
}

function isSaturated(deployment: V1Deployment, current: V1ReplicaSet | undefined): boolean {
  const replicas = replicasOf(deployment);
  return current !== undefined && sizeOf(current) === replicas &&
    desiredReplicasOf(current) === replicas &&
    (current.status?.availableReplicas ?? 0) === replicas;
}

async function scaleInProportion(rollout: Rollout, sets: readonly V1ReplicaSet[]): Promise<void> {
  const { deployment } = rollout;
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + rolloutLimits(deployment).maxSurge : 0;
  const toAdd = allowed - sizeOfAll(sets);
  const sorted = toAdd === 0 ? sets : [...sets].sort(toAdd > 0 ? bySizeNewer : bySizeOlder);
  const sizes = new Map<V1ReplicaSet, number>();
  let added = 0;
  for (const set of sorted) {
    const share = shareOf(deployment, set, toAdd, added);
    sizes.set(set, sizeOf(set) + share);
    added += share;
  }
  for (const [index, set] of sorted.entries()) {
    const leftover = index === 0 ? toAdd - added : 0;
    await rollout.scale(set, Math.max(0, sizes.get(set)! + leftover), { refresh: true });
  }
}

/**
 * Returns the number of pods by which a ReplicaSet grows when its Deployment grows by `toAdd` pods,
 * of which the preceding ReplicaSets got `added`; negative if it shrinks.
 */
function shareOf(
  deployment: V1Deployment,
  set: V1ReplicaSet,
  toAdd: number,
  added: number,
): number {
  if (toAdd === added) return 0;
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

/**
 * Returns the change in size by which a ReplicaSet keeps its proportion of the Deployment's pods;
 * negative if the ReplicaSet shrinks, 0 if the former size of the Deployment is unknown.
 */
function fractionOf(deployment: V1Deployment, set: V1ReplicaSet): number {
  const replicas = replicasOf(deployment);
  const size = sizeOf(set);
  if (replicas === 0) return -size;
  const most = replicas + rolloutLimits(deployment).maxSurge;
  const before = maxReplicasOf(set) || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round(size * most / before) - size;
}
