// Mirrors `controller/job/job_controller.go, getFailJobMessage`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { isFailed } from "./job_tracking.ts";
import { failureVerdict } from "./pod_failure_policy.ts";
import { successMessage } from "./success_policy.ts";

/** The type, reason and message of the condition with which a Job is about to finish. */
export interface Verdict {
  readonly type: "FailureTarget" | "SuccessCriteriaMet";
  readonly reason: string;
  readonly message: string;
}

/** The facts that decide whether a Job finishes. */
export interface VerdictFacts {
  readonly job: DeepReadonly<V1Job>;
  readonly pods: readonly ReadPod[];
  /**
   * The number of failed pods that count towards the Job's limits. `succeeded` is the number of
   * succeeded pods, or of succeeded completion indexes.
   */
  readonly failed: number;
  readonly succeeded: number;
  /**
   * The number of the Job's pods that have not terminated and are not being deleted, before the
   * reconcile run creates or deletes any.
   */
  readonly active: number;
  readonly isPastDeadline: boolean;
  /**
   * The completion indexes of the Job that have succeeded; `failedIndexes` are those that have
   * failed. Both are empty for a Job without indexes.
   */
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
}

/** The default `backoffLimit` of a Job. */
const BACKOFF_LIMIT = 6;

/**
 * Returns the condition with which a Job is about to finish; `undefined` if it continues. A failure
 * takes precedence over a success.
 */
export function verdictOf(facts: VerdictFacts): Verdict | undefined {
  const failure = policyFailure(facts) ?? limitFailure(facts) ?? indexFailure(facts);
  if (failure) return { type: "FailureTarget", ...failure };
  const message = successMessage(facts.job, facts.succeededIndexes);
  if (message !== undefined) {
    return { type: "SuccessCriteriaMet", reason: "SuccessPolicy", message };
  }
  if (!isComplete(facts)) return undefined;
  return {
    type: "SuccessCriteriaMet",
    reason: "CompletionsReached",
    message: "Reached expected number of succeeded pods",
  };
}

type Failure = Pick<Verdict, "reason" | "message">;

/**
 * Returns the failure that the pod failure policy of a Job prescribes for a failed pod; `undefined`
 * when no rule fails the Job.
 */
function policyFailure({ job, pods }: VerdictFacts): Failure | undefined {
  for (const pod of pods.filter((each) => isFailed(job, each))) {
    const { message } = failureVerdict(job, pod);
    if (message !== undefined) return { reason: "PodFailurePolicy", message };
  }
  return undefined;
}

/**
 * Returns the failure of a Job that has exceeded its back-off limit or its active deadline;
 * `undefined` for other Jobs.
 */
function limitFailure(facts: VerdictFacts): Failure | undefined {
  const { backoffLimit = BACKOFF_LIMIT } = facts.job.spec ?? {};
  if (facts.failed > backoffLimit || restartsTooOften(facts, backoffLimit)) {
    const message = "Job has reached the specified backoff limit";
    return { reason: "BackoffLimitExceeded", message };
  }
  if (!facts.isPastDeadline) return undefined;
  const message = "Job was active longer than specified deadline";
  return { reason: "DeadlineExceeded", message };
}

/**
 * Reports whether the restart policy of a Job's pods is `OnFailure`, and the containers of the pods
 * that have not terminated have together restarted as often as the back-off limit, and at least
 * once.
 */
function restartsTooOften({ job, pods }: VerdictFacts, backoffLimit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods.filter((pod) => !isTerminal(pod)).flatMap(({ status }) => [
    ...status?.initContainerStatuses ?? [],
    ...status?.containerStatuses ?? [],
  ]).reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, backoffLimit);
}

/**
 * Returns the failure of a Job with more failed completion indexes than its limit, or with failed
 * indexes after all indexes have ended; `undefined` for other Jobs.
 */
function indexFailure({ job, failedIndexes, succeededIndexes }: VerdictFacts): Failure | undefined {
  const { completions = 0, maxFailedIndexes = Infinity } = job.spec ?? {};
  if (failedIndexes.size > maxFailedIndexes) {
    const message = "Job has exceeded the specified maximal number of failed indexes";
    return { reason: "MaxFailedIndexesExceeded", message };
  }
  if (failedIndexes.size === 0) return undefined;
  if (failedIndexes.size + succeededIndexes.size < completions) return undefined;
  return { reason: "FailedIndexes", message: "Job has failed indexes" };
}

function isComplete({ job, active, succeeded }: VerdictFacts): boolean {
  const { completions } = job.spec ?? {};
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}
