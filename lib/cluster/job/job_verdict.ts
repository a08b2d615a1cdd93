// Mirrors `controller/job/job_controller.go, getFailJobMessage`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { isFailed } from "./job_tracking.ts";
import { failureVerdict } from "./pod_failure_policy.ts";
import { successMessage } from "./success_policy.ts";

/** Why a Job is about to end: the type, the reason and the message of a condition. */
export interface Verdict {
  readonly type: "FailureTarget" | "SuccessCriteriaMet";
  readonly reason: string;
  readonly message: string;
}

/** The facts that decide whether a Job ends. */
export interface VerdictFacts {
  readonly job: DeepReadonly<V1Job>;
  readonly pods: readonly ReadPod[];
  /** The number of failed pods that count, and of pods or indexes that have succeeded. */
  readonly failed: number;
  readonly succeeded: number;
  /** The number of active pods. */
  readonly active: number;
  readonly isPastDeadline: boolean;
  /** The indexes that have succeeded and failed, of a Job that has indexes; empty for another one. */
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
}

/** The number of failures that end a Job by default. */
const BACKOFF_LIMIT = 6;

/** Returns why a Job is about to end; `undefined` if it goes on. */
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

/** Returns the failure by a rule about single pods. */
function policyFailure({ job, pods }: VerdictFacts): Failure | undefined {
  for (const pod of pods.filter((each) => isFailed(job, each))) {
    const { message } = failureVerdict(job, pod);
    if (message !== undefined) return { reason: "PodFailurePolicy", message };
  }
  return undefined;
}

/** Returns the failure by the limits of failures and of time. */
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

/** Reports whether the containers of pods that restart have failed too often (`OnFailure`). */
function restartsTooOften({ job, pods }: VerdictFacts, backoffLimit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods.filter((pod) => !isTerminal(pod)).flatMap(({ status }) => [
    ...status?.initContainerStatuses ?? [],
    ...status?.containerStatuses ?? [],
  ]).reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, backoffLimit);
}

/** Returns the failure by the limits of failed indexes. */
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
