// Mirrors `controller/job/pod_failure_policy.go, matchPodFailurePolicy`.
import type {
  V1ContainerStatus,
  V1Job,
  V1PodFailurePolicyOnExitCodesRequirement,
  V1PodFailurePolicyRule,
} from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { keyOf } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";

/** The verdict of a Job's pod failure policy on a failed pod. */
export interface FailureVerdict {
  /**
   * Reports whether the failed pod counts towards the Job's back-off limits; `false` if a rule with
   * action `Ignore` matches.
   */
  readonly counts: boolean;
  /**
   * The action of the first policy rule that the failed pod matches; `undefined` if it matches
   * none.
   */
  readonly action?: string | undefined;
  /**
   * The message of the failed Job when a rule with action `FailJob` matches; `undefined` otherwise.
   */
  readonly message?: string | undefined;
}

/**
 * Returns the verdict of a Job's pod failure policy on a failed pod. A pod that matches no rule
 * counts as a failure.
 */
export function failureVerdict({ spec }: DeepReadonly<V1Job>, pod: ReadPod): FailureVerdict {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const what = matchOf(rule, pod);
    if (what === undefined) continue;
    const { action } = rule;
    const message = action === "FailJob"
      ? `${what} matching ${action} rule at index ${index}`
      : undefined;
    return { counts: action !== "Ignore", action, message };
  }
  return { counts: true };
}

/**
 * Returns the description of the exit code or condition by which a failed pod matches a policy
 * rule; `undefined` if it does not match.
 */
function matchOf(rule: DeepReadonly<V1PodFailurePolicyRule>, pod: ReadPod): string | undefined {
  const { onExitCodes, onPodConditions } = rule;
  if (onExitCodes) {
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    const found = [...containerStatuses, ...initContainerStatuses]
      .find((container) => matchesExitCode(container, onExitCodes));
    return found && `Container ${found.name} for pod ${keyOf(pod)} failed with exit code ` +
        `${found.state?.terminated?.exitCode}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status)
  );
  return condition && `Pod ${keyOf(pod)} has condition ${condition.type}`;
}

function matchesExitCode(
  { name, state }: DeepReadonly<V1ContainerStatus>,
  { containerName, operator, values }: DeepReadonly<V1PodFailurePolicyOnExitCodesRequirement>,
): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
  return values.includes(exitCode) === (operator === "In");
}
