// Mirrors `controller/deployment/recreate.go, rolloutRecreate`.
import type { V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import { Pod } from "@xca/apimachinery/meta";
import { ownedBy } from "../ownership/controller_index.ts";
import { isTerminal } from "../pods/pod_state.ts";
import { syncReplicaSets } from "./new_replica_set.ts";
import { isComplete, syncRolloutStatus } from "./deployment_status.ts";
import { activeOf, type ReplicaSets, sum } from "./replica_sets.ts";
import type { Rollout } from "./rollout.ts";
import { replicasOf } from "./rollout_limits.ts";

/**
 * Makes one step of a rollout of strategy `Recreate`: all old pods terminate before the first new
 * one is created. After a complete rollout, old ReplicaSets beyond the history limit are deleted.
 * Returns the time after which the progress must be checked again, in milliseconds; `undefined` if
 * no check is needed before the next change.
 */
export async function recreate(rollout: Rollout, found: ReplicaSets): Promise<number | undefined> {
  let sets = await syncReplicaSets(rollout, found, { create: false });
  const active = activeOf(sets.old);
  for (const set of active) await rollout.scale(set, 0);
  if (active.length > 0 || await hasOldPods(rollout, sets)) {
    return await syncRolloutStatus(rollout, sets);
  }
  if (!sets.current) sets = await syncReplicaSets(rollout, sets, { create: true });
  await rollout.scale(sets.current!, replicasOf(rollout.deployment));
  if (isComplete(rollout, rollout.deployment.status ?? {})) await rollout.cleanUp(sets.old);
  return await syncRolloutStatus(rollout, sets);
}

/** Reports whether an old ReplicaSet of a Deployment still has a pod that has not terminated. */
async function hasOldPods({ context }: Rollout, { old }: ReplicaSets): Promise<boolean> {
  if (sum(old, ({ status }) => status?.replicas ?? 0) > 0) return true;
  const ofSet = async (set: V1ReplicaSet): Promise<boolean> =>
    (await ownedBy(context.cache, Pod, set)).some((pod) => !isTerminal(pod));
  return (await Promise.all(old.map(ofSet))).includes(true);
}
