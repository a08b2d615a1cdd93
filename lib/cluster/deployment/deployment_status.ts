// Mirrors `controller/deployment/sync.go, calculateStatus` and
// `controller/deployment/progress.go, syncRolloutStatus`.
import type {
  V1DeploymentCondition,
  V1DeploymentStatus,
  V1ReplicaSet,
} from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import {
  conditionOf,
  newCondition,
  removeCondition,
  setCondition,
} from "./deployment_conditions.ts";
import { allOf, availableOfAll, type ReplicaSets, sizeOfAll, sum } from "./replica_sets.ts";
import type { Rollout } from "./rollout.ts";
import { replicasOf, rolloutLimits } from "./rollout_limits.ts";

/**
 * Writes the replica counts, the observed generation and the condition `Available` to a
 * Deployment's status, if they changed.
 */
export async function syncStatus(rollout: Rollout, sets: ReplicaSets): Promise<void> {
  await writeIfChanged(rollout, statusOf(rollout, sets));
}

/**
 * Writes the status of a Deployment in a rollout, if it changed. Returns the time after which the
 * progress must be checked again, in milliseconds; `undefined` if no check is needed before the
 * next change.
 */
export async function syncRolloutStatus(
  rollout: Rollout,
  sets: ReplicaSets,
): Promise<number | undefined> {
  const status = statusOf(rollout, sets);
  setProgress(rollout, sets, status);
  const [failure] = replicaFailures(sets);
  if (failure) setCondition(status, failure);
  else removeCondition(status, "ReplicaFailure");
  if (await writeIfChanged(rollout, status)) return undefined;
  return nextProgressCheckMs(rollout, status);
}

/**
 * Reports whether every replica of a Deployment has the current template and is available, and the
 * status shows the current generation.
 */
export function isComplete({ deployment }: Rollout, status: V1DeploymentStatus): boolean {
  const replicas = replicasOf(deployment);
  return (status.updatedReplicas ?? 0) === replicas && (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

/**
 * Returns the status of a Deployment with updated replica counts, observed generation and condition
 * `Available`. The status is not written.
 */
function statusOf(rollout: Rollout, sets: ReplicaSets): V1DeploymentStatus {
  const { deployment, now } = rollout;
  const all = allOf(sets);
  const available = availableOfAll(all);
  const terminating = terminatingOf(all);
  const { conditions = [], collisionCount } = deployment.status ?? {};
  const { generation } = deployment.metadata;
  const status: V1DeploymentStatus = {
    ...(generation !== undefined && { observedGeneration: generation }),
    replicas: sum(all, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: sets.current?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sizeOfAll(all) - available),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...conditions],
  };
  const enough = available >= replicasOf(deployment) - rolloutLimits(deployment).maxUnavailable;
  setCondition(
    status,
    newCondition(
      enough
        ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
        : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
      now,
    ),
  );
  return status;
}

/**
 * Returns the number of terminating pods of a Deployment; `undefined` while the status of a
 * ReplicaSet that its controller has observed does not count them.
 */
function terminatingOf(sets: readonly V1ReplicaSet[]): number | undefined {
  const seen = sets.filter(({ status }) =>
    status?.terminatingReplicas !== undefined || (status?.observedGeneration ?? 0) !== 0
  );
  if (seen.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined;
  return sum(seen, ({ status }) => status?.terminatingReplicas ?? 0);
}

/**
 * Sets the condition `Progressing` in the given status of a Deployment: complete, progressing or
 * timed out. Leaves the condition unchanged after a completed rollout, and while the deadline of a
 * rollout without progress has not passed; removes the condition if the Deployment has no progress
 * deadline.
 */
function setProgress(rollout: Rollout, sets: ReplicaSets, status: V1DeploymentStatus): void {
  const { deployment, now } = rollout;
  if (!rollout.hasProgressDeadline) {
    removeCondition(status, "Progressing");
    return;
  }
  const current = conditionOf(deployment.status, "Progressing");
  const wasComplete = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    current?.reason === "NewReplicaSetAvailable";
  if (wasComplete) return;
  const named = sets.current
    ? `ReplicaSet ${JSON.stringify(sets.current.metadata.name)}`
    : `Deployment ${JSON.stringify(deployment.metadata.name)}`;
  const condition = (status: "True" | "False", reason: string, what: string) =>
    newCondition({ type: "Progressing", status, reason, message: `${named} ${what}` }, now);
  if (isComplete(rollout, status)) {
    const text = "has successfully progressed.";
    setCondition(status, condition("True", "NewReplicaSetAvailable", text));
  } else if (hasProgressed(deployment.status ?? {}, status)) {
    setProgressing(status, condition("True", "ReplicaSetUpdated", "is progressing."), current);
  } else if (hasTimedOut(rollout, status)) {
    const text = "has timed out progressing.";
    setCondition(status, condition("False", "ProgressDeadlineExceeded", text));
  }
}

/**
 * Sets the condition `Progressing` of a Deployment even if its reason is unchanged, so that its
 * update time records the progress.
 */
function setProgressing(
  status: V1DeploymentStatus,
  condition: V1DeploymentCondition,
  current: V1DeploymentCondition | undefined,
): void {
  const { lastTransitionTime } = current ?? {};
  removeCondition(status, "Progressing");
  setCondition(
    status,
    current?.status === "True" && lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime }
      : condition,
  );
}

/**
 * Reports whether more pods of a Deployment are updated, ready or available than before, or fewer
 * have an old template.
 */
function hasProgressed(before: V1DeploymentStatus, after: V1DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: V1DeploymentStatus): number =>
    replicas - updatedReplicas;
  return (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0);
}

function hasTimedOut(rollout: Rollout, status: V1DeploymentStatus): boolean {
  const condition = conditionOf(status, "Progressing");
  if (!condition || condition.reason === "NewReplicaSetAvailable") return false;
  if (condition.reason === "ProgressDeadlineExceeded") return true;
  return deadlineMs(rollout, condition) < rollout.context.clock.now().getTime();
}

function deadlineMs(
  { deployment }: Rollout,
  { lastUpdateTime = "" }: V1DeploymentCondition,
): number {
  return Date.parse(lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
}

/**
 * Returns the time until the progress of a Deployment must be checked, a second after the deadline,
 * in milliseconds; `undefined` if no check is needed.
 */
function nextProgressCheckMs(rollout: Rollout, status: V1DeploymentStatus): number | undefined {
  const condition = conditionOf(rollout.deployment.status, "Progressing");
  if (!rollout.hasProgressDeadline || !condition) return undefined;
  if (isComplete(rollout, status) || condition.reason === "ProgressDeadlineExceeded") {
    return undefined;
  }
  const leftMs = deadlineMs(rollout, condition) - rollout.context.clock.now().getTime();
  return Math.max(0, leftMs) + 1000;
}

/**
 * Returns the `ReplicaFailure` conditions of a Deployment's current ReplicaSet, or else those of
 * its old ReplicaSets.
 */
function replicaFailures(sets: ReplicaSets): V1DeploymentCondition[] {
  const failures = (set: V1ReplicaSet): V1DeploymentCondition[] =>
    (set.status?.conditions ?? []).filter(({ type }) => type === "ReplicaFailure")
      .map((condition) => ({
        ...condition,
        ...(condition.lastTransitionTime && { lastUpdateTime: condition.lastTransitionTime }),
      }));
  const ofCurrent = sets.current ? failures(sets.current) : [];
  return ofCurrent.length > 0 ? ofCurrent : allOf(sets).flatMap(failures);
}

async function writeIfChanged(rollout: Rollout, status: V1DeploymentStatus): Promise<boolean> {
  if (jsonEqual(stored(rollout.deployment.status ?? {}), stored(status))) return false;
  rollout.deployment.status = status;
  await rollout.writeStatus();
  return true;
}

/**
 * Returns a Deployment status in the form in which the server stores it: without empty lists, and
 * without zero counts other than `terminatingReplicas` and `collisionCount`.
 */
function stored(status: V1DeploymentStatus): unknown {
  return Object.fromEntries(
    Object.entries(status).filter(([name, value]) =>
      name === "terminatingReplicas" || name === "collisionCount" ||
      value !== 0 && !(Array.isArray(value) && value.length === 0)
    ),
  );
}
