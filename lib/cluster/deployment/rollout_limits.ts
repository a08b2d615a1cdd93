// Mirrors `controller/deployment/util/deployment_util.go, ResolveFenceposts`.
import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import { scaledValue } from "../workloads/scaled_value.ts";

/** Returns the desired number of replicas of a Deployment, by default 1. */
export function replicasOf({ spec }: V1Deployment): number {
  return spec.replicas ?? 1;
}

/** Reports whether the strategy of a Deployment is `RollingUpdate`. */
export function isRollingUpdate({ spec }: V1Deployment): boolean {
  return (spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/**
 * Returns `maxSurge` (a percentage is rounded up) and `maxUnavailable` (rounded down, and at most
 * the desired replicas) of a Deployment as numbers of pods. If both would be zero in a rolling
 * update, one pod may be unavailable, since the update could not proceed otherwise. Both are zero
 * for the strategy `Recreate`.
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
