// Mirrors `controller/deployment/util/deployment_util.go, SetDeploymentCondition`.
import type { V1DeploymentCondition, V1DeploymentStatus } from "@xca/apimachinery/kubernetes-types";

/** The type, status, reason and message of a condition, before it has times. */
export interface ConditionFacts {
  readonly type: "Available" | "Progressing" | "ReplicaFailure";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** Returns a condition whose times are both `now`. */
export function newCondition(facts: ConditionFacts, now: string): V1DeploymentCondition {
  return { ...facts, lastUpdateTime: now, lastTransitionTime: now };
}

/** Returns the condition of a type. */
export function conditionOf(
  status: V1DeploymentStatus | undefined,
  type: string,
): V1DeploymentCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/**
 * Adds a condition, or replaces the one of its type. A condition of the same status and reason stays
 * as it is; a new reason keeps the time of the last transition.
 */
export function setCondition(status: V1DeploymentStatus, condition: V1DeploymentCondition): void {
  const current = conditionOf(status, condition.type!);
  const keepsStatus = current !== undefined && current.status === condition.status;
  if (keepsStatus && current.reason === condition.reason) return;
  const { lastTransitionTime } = current ?? {};
  const next = keepsStatus && lastTransitionTime !== undefined
    ? { ...condition, lastTransitionTime }
    : condition;
  removeCondition(status, condition.type!);
  status.conditions = [...status.conditions ?? [], next];
}

/** Removes the condition of a type. */
export function removeCondition(status: V1DeploymentStatus, type: string): void {
  if (!status.conditions) return;
  status.conditions = status.conditions.filter((condition) => condition.type !== type);
}
