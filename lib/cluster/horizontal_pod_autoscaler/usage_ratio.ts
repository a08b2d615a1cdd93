// Mirrors `controller/podautoscaler/replica_calculator.go, ReplicaCalculator.getUsageRatioReplicaCount`
// and `controller/podautoscaler/replica_calculator.go, ReplicaCalculator.GetExternalPerPodMetricReplicas`.
import { isReady, type ReadPod } from "../pods/pod_state.ts";
import { isWithin, type Tolerances } from "./replica_calculator.ts";

/** The largest number of replicas that an int32 field holds. */
const MOST_REPLICAS = 2 ** 31 - 1;
/** The 64-bit integer to which Go converts the floating-point result of a division by zero. */
const NOT_A_NUMBER = -(2n ** 63n);

/** The inputs of the replica calculation for a metric that does not belong to the target's pods. */
export interface RatioQuestion {
  readonly pods: readonly ReadPod[];
  readonly current: number;
  readonly tolerances: Tolerances;
}

/**
 * Returns the number of replicas for the ratio of a metric's value to its target value: the ratio
 * itself if the target has no replicas, the present number if the ratio is within the tolerances,
 * and otherwise the number of ready pods times the ratio. The result is rounded up.
 *
 * @throws {Error} When the target has no pods; the message is that of kube-controller-manager.
 */
export function replicasForRatio(
  { pods, current, tolerances }: RatioQuestion,
  ratio: number,
): number {
  if (current === 0) return Math.ceil(ratio);
  if (isWithin(tolerances, ratio)) return current;
  if (pods.length === 0) {
    throw new Error(
      "unable to calculate ready pods: no pods returned by selector while calculating replica " +
        "count",
    );
  }
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod)).length;
  return Math.min(MOST_REPLICAS, Math.ceil(ratio * ready));
}

/**
 * Returns the number of replicas at which the metric's value per replica equals the target average,
 * or the number of existing replicas if the ratio is within the tolerances, and the metric's value
 * per existing replica, in thousandths. Without existing replicas that value is the result of Go's
 * division by zero.
 */
export function replicasPerPod(
  existing: number,
  tolerances: Tolerances,
  usage: bigint,
  target: number,
): { readonly replicas: number; readonly usage: bigint } {
  const ratio = Number(usage) / (target * existing);
  const needed = Math.min(MOST_REPLICAS, Math.ceil(Number(usage) / target));
  return {
    replicas: isWithin(tolerances, ratio) ? existing : needed,
    usage: existing === 0 ? NOT_A_NUMBER : ceilDivide(usage, BigInt(existing)),
  };
}

function ceilDivide(value: bigint, divisor: bigint): bigint {
  return value / divisor + (value > 0n && value % divisor !== 0n ? 1n : 0n);
}
