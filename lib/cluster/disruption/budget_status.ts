// Mirrors `controller/disruption/disruption.go, updatePdbStatus` and
// `component-helpers/apps/poddisruptionbudget/helpers.go, UpdateDisruptionAllowedCondition`.
import type { V1Condition, V1PodDisruptionBudget } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime } from "@xca/apimachinery/meta";
import { isReady, type ReadPod } from "../pods/pod_state.ts";
import { scaledValue } from "../workloads/scaled_value.ts";

/** A deeply read-only PodDisruptionBudget. */
export type ReadBudget = DeepReadonly<V1PodDisruptionBudget>;

/** The status of a PodDisruptionBudget. */
export type BudgetStatus = NonNullable<V1PodDisruptionBudget["status"]>;

/**
 * The time in which an evicted pod must be marked as being deleted, in milliseconds. An evicted pod
 * that is not marked in time counts as healthy again.
 */
const DELETION_TIMEOUT_MS = 120_000;

const ALLOWED = "DisruptionAllowed";

/**
 * The pods that were evicted under a PodDisruptionBudget and that the cache does not show as being
 * deleted yet.
 */
export interface DisruptedPods {
  /**
   * The time of the eviction, as RFC 3339 text, of each evicted pod that still counts as disrupted,
   * by the name of the pod.
   */
  readonly times: Readonly<Record<string, string>>;
  /** The pods whose eviction was allowed and whose deletion did not begin in time. */
  readonly kept: readonly ReadPod[];
  /**
   * The time from now until the first of the evicted pods in `times` counts as healthy again, in
   * milliseconds; `undefined` if `times` is empty.
   */
  readonly waitMs: number | undefined;
}

/**
 * Returns the evicted pods that the status of a PodDisruptionBudget names and that the cache does
 * not show as being deleted yet.
 */
export function disruptedPods(
  { status }: ReadBudget,
  pods: readonly ReadPod[],
  nowMs: number,
): DisruptedPods {
  const times: Record<string, string> = {};
  const kept: ReadPod[] = [];
  let waitMs: number | undefined;
  for (const pod of pods) {
    const { name = "", deletionTimestamp } = pod.metadata;
    const time = status?.disruptedPods?.[name];
    if (deletionTimestamp !== undefined || time === undefined) continue;
    const leftMs = Date.parse(time) + DELETION_TIMEOUT_MS - nowMs;
    if (leftMs < 0) {
      kept.push(pod);
      continue;
    }
    times[name] = time;
    waitMs = Math.min(leftMs, waitMs ?? Infinity);
  }
  return { times, kept, waitMs };
}

/**
 * Returns the number of healthy pods that a PodDisruptionBudget requires, out of the expected
 * number. Percentages are rounded up, both of `minAvailable` and of `maxUnavailable`; without
 * either, the number is 0.
 */
export function desiredHealthy({ spec }: ReadBudget, expected: number): number {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    return Math.max(0, expected - scaledValue(maxUnavailable, expected, "up"));
  }
  return minAvailable === undefined ? 0 : scaledValue(minAvailable, expected, "up");
}

/**
 * Returns the computed status of a PodDisruptionBudget from the pods that it selects. Pods in
 * `times` count as unhealthy; if no pod is expected, none may be evicted.
 */
export function budgetStatus(
  budget: ReadBudget,
  pods: readonly ReadPod[],
  { expected, times, now }: {
    readonly expected: number;
    readonly times: DisruptedPods["times"];
    readonly now: Date;
  },
): BudgetStatus {
  const nowMs = now.getTime();
  const isGoing = ({ metadata: { name = "", deletionTimestamp } }: ReadPod): boolean =>
    deletionTimestamp !== undefined ||
    Date.parse(times[name] ?? "") + DELETION_TIMEOUT_MS > nowMs;
  const currentHealthy = pods.filter((pod) => !isGoing(pod) && isReady(pod)).length;
  const desired = desiredHealthy(budget, expected);
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desired);
  const { generation } = budget.metadata;
  const status: BudgetStatus = {
    currentHealthy,
    desiredHealthy: desired,
    expectedPods: expected,
    disruptionsAllowed,
    ...(Object.keys(times).length > 0 && { disruptedPods: { ...times } }),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  const condition = disruptionsAllowed > 0
    ? { status: "True", reason: "SufficientPods" }
    : { status: "False", reason: "InsufficientPods" };
  status.conditions = withCondition(budget, { ...condition, message: "" }, status, now);
  return status;
}

/**
 * Returns the status of a PodDisruptionBudget whose pods could not be counted: no pod may be
 * evicted, the condition `DisruptionAllowed` has `message`, and the other counts are those of the
 * stored status.
 */
export function failedStatus(budget: ReadBudget, message: string, now: Date): BudgetStatus {
  const status = structuredClone(budget.status ?? {}) as BudgetStatus;
  const facts = { status: "False", reason: "SyncFailed", message };
  return {
    ...status,
    currentHealthy: status.currentHealthy ?? 0,
    desiredHealthy: status.desiredHealthy ?? 0,
    expectedPods: status.expectedPods ?? 0,
    disruptionsAllowed: 0,
    conditions: withCondition(budget, facts, status, now),
  };
}

function withCondition(
  budget: ReadBudget,
  facts: Pick<V1Condition, "status" | "reason" | "message">,
  { observedGeneration }: Pick<BudgetStatus, "observedGeneration">,
  now: Date,
): V1Condition[] {
  const conditions = [...budget.status?.conditions ?? []] as V1Condition[];
  const index = conditions.findIndex(({ type }) => type === ALLOWED);
  const old = conditions[index];
  const lastTransitionTime = old?.status === facts.status
    ? old.lastTransitionTime
    : formatTime(now);
  const next = {
    type: ALLOWED,
    ...facts,
    lastTransitionTime,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  conditions.splice(index === -1 ? conditions.length : index, 1, next);
  return conditions;
}

/**
 * Reports whether the computed status of a PodDisruptionBudget differs from the stored one. The
 * transition times of conditions are not compared.
 */
export function budgetStatusDiffers({ status }: ReadBudget, next: BudgetStatus): boolean {
  const facts = (of: DeepReadonly<BudgetStatus> | undefined): unknown => [
    of?.currentHealthy ?? 0,
    of?.desiredHealthy ?? 0,
    of?.expectedPods ?? 0,
    of?.disruptionsAllowed ?? 0,
    of?.observedGeneration ?? 0,
    Object.entries(of?.disruptedPods ?? {}).sort(([a], [b]) => a < b ? -1 : 1),
    of?.conditions?.map(({ type, status, reason, message, observedGeneration }) => [
      type,
      status,
      reason,
      message,
      observedGeneration,
    ]),
  ];
  return JSON.stringify(facts(status)) !== JSON.stringify(facts(next));
}
