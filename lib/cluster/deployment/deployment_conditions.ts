// Mirrors `controller/deployment/util/deployment_util.go, SetDeploymentCondition`.
import type { V1DeploymentCondition, V1DeploymentStatus } from "@xca/apimachinery/kubernetes-types";

/** A condition of a Deployment without its times. */
export interface ConditionFacts {
  readonly type: "Available" | "Progressing" | "ReplicaFailure";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** Returns a Deployment condition with both times set to `now`. */
export function newCondition(facts: ConditionFacts, now: string): V1DeploymentCondition {
  return { ...facts, lastUpdateTime: now, lastTransitionTime: now };
}

/**
 * Returns the condition of a given type from a Deployment's status; `undefined` if there is none.
 */
export function conditionOf(
  status: V1DeploymentStatus | undefined,
  type: string,
): V1DeploymentCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/**
 * Adds a condition to a Deployment's status, in place, or replaces the one of its type. If status
 * and reason are unchanged, the present condition is kept, its message included; a change of the
 * reason alone keeps the last transition time.
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

/** Removes the condition of a given type from a Deployment's status, in place. */
export function removeCondition(status: V1DeploymentStatus, type: string): void {
  if (!status.conditions) return;
  status.conditions = status.conditions.filter((condition) => condition.type !== type);
}
