// Mirrors `controller/deployment/util/deployment_util.go, ResolveFenceposts`.
import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import { scaledValue } from "../workloads/scaled_value.ts";

/** Returns the number of pods that a Deployment asks for. */
export function replicasOf({ spec }: V1Deployment): number {
  return spec.replicas ?? 1;
}

/** Reports whether a Deployment replaces its pods step by step. */
export function isRollingUpdate({ spec }: V1Deployment): boolean {
  return (spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/**
 * Returns the number of pods above and below `spec.replicas` that a rolling update may have. If both
 * resolve to zero, one pod may be unavailable, since the update could not proceed otherwise.
 */
export function rolloutLimits(
  deployment: V1Deployment,
): { readonly maxSurge: number; readonly maxUnavailable: number } {
  if (!isRollingUpdate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = replicasOf(deployment);
  const { maxSurge: surge = 0, maxUnavailable: unavailable = 0 } =
    deployment.spec.strategy?.rollingUpdate ?? {};
  const maxSurge = scaledValue(surge, replicas, "up");
  const scaled = scaledValue(unavailable, replicas, "down");
  const maxUnavailable = maxSurge === 0 && scaled === 0 ? 1 : scaled;
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}
