// Mirrors `controller/deployment/rolling.go, rolloutRolling`.
import { sizeOfNew, syncReplicaSets } from "./new_replica_set.ts";
import { isComplete, syncRolloutStatus } from "./deployment_status.ts";
import {
  activeOf,
  allOf,
  availableOfAll,
  type ReplicaSets,
  sizeOf,
  sizeOfAll,
} from "./replica_sets.ts";
import type { Rollout } from "./rollout.ts";
import { replicasOf, rolloutLimits } from "./rollout_limits.ts";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * Makes one step of a rolling update: the current ReplicaSet grows, or else the old ones shrink,
 * within `maxSurge` and `maxUnavailable`; after a complete rollout, old ReplicaSets beyond the
 * history limit are deleted. Returns the time after which the progress must be checked again, in
 * milliseconds; `undefined` if no check is needed before the next change.
 */
export async function rollingUpdate(
  rollout: Rollout,
  found: ReplicaSets,
): Promise<number | undefined> {
  const { current, old } = await syncReplicaSets(rollout, found, { create: true });
  const sets = { current: current!, old };
  if (!await scaleCurrent(rollout, sets) && !await scaleOld(rollout, sets)) {
    if (isComplete(rollout, rollout.deployment.status ?? {})) await rollout.cleanUp(old);
  }
  return await syncRolloutStatus(rollout, sets);
}

/** The ReplicaSets of a Deployment whose current ReplicaSet exists. */
type Rolling = ReplicaSets & { readonly current: NonNullable<ReplicaSets["current"]> };

async function scaleCurrent(rollout: Rollout, { current, old }: Rolling): Promise<boolean> {
  const replicas = replicasOf(rollout.deployment);
  const size = sizeOf(current);
  if (size === replicas) return false;
  const next = size > replicas ? replicas : sizeOfNew(rollout.deployment, old, current);
  await rollout.scale(current, next);
  return next !== size;
}

/**
 * Scales down the old ReplicaSets of a Deployment as far as `maxUnavailable` permits: unavailable
 * pods first, since their loss reduces no capacity, then available ones. Pods of the current
 * ReplicaSet that are not available yet count as unavailable. Returns whether a ReplicaSet was
 * scaled.
 */
async function scaleOld(rollout: Rollout, { current, old }: Rolling): Promise<boolean> {
  const active = activeOf(old).sort(byCreation);
  if (active.length === 0) return false;
  const { deployment } = rollout;
  const minAvailable = replicasOf(deployment) - rolloutLimits(deployment).maxUnavailable;
  const unavailable = sizeOf(current) - (current.status?.availableReplicas ?? 0);
  const all = sizeOfAll(allOf({ current, old }));
  const allowed = all - minAvailable - unavailable;
  if (allowed <= 0) return false;
  let cleaned = 0;
  const remaining = [];
  for (const set of active) {
    const broken = sizeOf(set) - (set.status?.availableReplicas ?? 0);
    const by = Math.max(0, Math.min(allowed - cleaned, broken));
    remaining.push(by > 0 ? await rollout.scale(set, sizeOf(set) - by) : set);
    cleaned += by;
  }
  let surplus = availableOfAll([...remaining, current]) - minAvailable;
  const wanted = Math.max(0, surplus);
  for (const set of remaining) {
    const by = Math.max(0, Math.min(sizeOf(set), surplus));
    if (by > 0) await rollout.scale(set, sizeOf(set) - by);
    surplus -= by;
  }
  return cleaned > 0 || wanted > Math.max(0, surplus);
}
