// Mirrors `core/pod/storage/eviction.go, EvictionREST.checkAndDecrement`.
import { forbidden, StatusError } from "@xca/apimachinery/internal/errors";
import type { V1PodDisruptionBudget } from "@xca/apimachinery/kubernetes-types";
import { setCondition } from "./set_condition.ts";

/**
 * The number of evicted pods in the status of a PodDisruptionBudget, not yet observed by its
 * controller, above which further evictions are refused.
 */
const MAX_DISRUPTED_PODS = 2000;

const BUDGETS = { group: "policy", resource: "poddisruptionbudget" };
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";

type Status = NonNullable<V1PodDisruptionBudget["status"]>;

/**
 * Returns the 429 error about a PodDisruptionBudget that does not allow an eviction. `later` adds
 * the advice to try again after 10 seconds.
 */
function budgetRefusal(cause: string, later: boolean): StatusError {
  return new StatusError(429, "TooManyRequests", REFUSAL, {
    causes: [{ reason: "DisruptionBudget", message: cause }],
    ...(later && { retryAfterSeconds: 10 }),
  });
}

/** Returns the 429 error about a PodDisruptionBudget whose status is not up to date. */
export function budgetInProgress(name: string): StatusError {
  return budgetRefusal(
    `The disruption budget ${name} is still being processed by the server.`,
    true,
  );
}

/**
 * Counts the disruption of a pod in the status of a PodDisruptionBudget, in place
 * (`core/pod/storage/eviction.go`, `EvictionREST.checkAndDecrement`).
 *
 * @throws {StatusError} 429 if the budget does not allow the eviction; 403 if its status is
 * unusable.
 */
export function countDisruption(budget: V1PodDisruptionBudget, pod: string, now: string): void {
  const name = budget.metadata.name!;
  const status = budget.status!;
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw budgetInProgress(name);
  }
  const allowed = status.disruptionsAllowed ?? 0;
  if (allowed < 0) {
    const why = "pdb disruptions allowed is negative";
    throw unusable(name, why, why);
  }
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw unusable(name, why, "too many pending evictions not confirmed by PDB controller");
  }
  if (allowed === 0) throw budgetRefusal(whyNot(name, status), false);
  status.disruptionsAllowed = allowed - 1;
  if (allowed === 1) forbidMore(budget, now);
  status.disruptedPods = { ...status.disruptedPods, [pod]: now };
}

/**
 * Returns the 403 error about a PodDisruptionBudget against which no eviction can be counted, with
 * the cause.
 */
function unusable(name: string, why: string, cause: string): StatusError {
  const { code, reason, message, status: { details } } = forbidden(BUDGETS, name, why);
  const said = `The disruption budget ${name} does not allow evicting pods currently: ${cause}`;
  return new StatusError(code, reason, message, {
    ...details,
    causes: [{ reason: "DisruptionBudget", message: said }],
  });
}

function whyNot(name: string, status: Status): string {
  const condition = status.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const says = condition?.status === "False" && condition.message !== "";
  if (says && condition.reason === "SyncFailed") {
    return `The disruption budget ${name} does not allow evicting pods currently because it ` +
      `failed sync: ${condition.message}`;
  }
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ` +
      `${currentHealthy} currently`;
  }
  const why = `The disruption budget ${name} does not allow evicting pods currently`;
  return says ? `${why} (${condition.reason}): ${condition.message}` : why;
}

/** Sets the condition `DisruptionAllowed` of a PodDisruptionBudget to false, in place. */
function forbidMore({ metadata, status }: V1PodDisruptionBudget, now: string): void {
  setCondition(status!.conditions ??= [], {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: now,
    reason: "InsufficientPods",
    message: "",
  });
}
