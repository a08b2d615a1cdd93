// Mirrors `controller/job/indexed_job_utils.go, calculateFailedIndexes`.
import type { V1Job, V1Pod } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { isActive, type ReadPod } from "../pods/pod_state.ts";
import { indexOf, parseIndexes } from "./completion_indexes.ts";
import { backoffMs, endMs } from "./job_backoff.ts";
import { failureVerdict } from "./pod_failure_policy.ts";
import { isFailed, isTracked } from "./job_tracking.ts";

/** The key of the pod annotation with the number of earlier failures of the completion index. */
const FAILURES = "batch.kubernetes.io/job-index-failure-count";
/**
 * The key of the pod annotation with the number of earlier failures of the completion index that
 * were ignored.
 */
const IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

type ReadJob = DeepReadonly<V1Job>;

/** Reports whether a Job has a back-off limit per completion index. */
export function hasLimitPerIndex({ spec }: ReadJob): boolean {
  return spec?.backoffLimitPerIndex !== undefined;
}

/**
 * Returns the completion indexes of a Job that have failed and are not retried, including those in
 * its status.
 */
export function failedIndexes(job: ReadJob, pods: readonly ReadPod[]): Set<number> {
  const failed = parseIndexes(job.status?.failedIndexes);
  for (const pod of pods.filter(isTracked)) {
    const index = indexOf(pod);
    if (index !== undefined && index < (job.spec?.completions ?? 0) && isLast(job, pod)) {
      failed.add(index);
    }
  }
  return failed;
}

/**
 * Reports whether a pod has failed and was the last permitted attempt of its completion index; also
 * when a rule of the pod failure policy fails the index.
 */
function isLast(job: ReadJob, pod: ReadPod): boolean {
  if (!isFailed(job, pod)) return false;
  const { action, counts } = failureVerdict(job, pod);
  return action === "FailIndex" ||
    counts && numberOf(pod, FAILURES) >= (job.spec?.backoffLimitPerIndex ?? Infinity);
}

/**
 * Returns, by completion index, the failed pods that are kept until their replacements exist, since
 * the replacements continue their failure counts: the last one of each index that is not in `done`
 * and has no active pod. Empty for a Job without a back-off limit per completion index.
 */
export function delayedPods(
  job: ReadJob,
  pods: readonly ReadPod[],
  done: ReadonlySet<number>,
): Map<number, ReadPod> {
  const delayed = new Map<number, ReadPod>();
  if (!hasLimitPerIndex(job)) return delayed;
  const active = new Set(pods.filter(isActive).map(indexOf));
  for (const pod of pods.filter((each) => isTracked(each) && isFailed(job, each))) {
    const index = indexOf(pod);
    if (index === undefined || index >= (job.spec?.completions ?? 0)) continue;
    if (done.has(index) || active.has(index)) continue;
    const known = delayed.get(index);
    if (!known || failuresOf(known) <= failuresOf(pod) && endMs(pod) >= endMs(known)) {
      delayed.set(index, pod);
    }
  }
  return delayed;
}

/**
 * Returns the remaining back-off before a failed pod of a completion index may be replaced, in
 * milliseconds; 0 if there is no failed pod.
 */
export function indexBackoffMs(pod: ReadPod | undefined, nowMs: number): number {
  return pod ? backoffMs(failuresOf(pod) + 1, endMs(pod), nowMs) : 0;
}

/**
 * Sets the annotations of a new pod with the failure counts of its completion index: the counts of
 * the replaced failed pod plus its failure, or 0 if the new pod replaces none. Failures that the
 * pod failure policy ignores have a count of their own, which is left out at 0.
 */
export function noteFailures(job: ReadJob, pod: V1Pod, replaced: ReadPod | undefined): void {
  const counts = replaced && failureVerdict(job, replaced).counts;
  const failures = replaced ? numberOf(replaced, FAILURES) + (counts ? 1 : 0) : 0;
  const ignored = replaced ? numberOf(replaced, IGNORED) + (counts ? 0 : 1) : 0;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [FAILURES]: String(failures),
    ...(ignored > 0 && { [IGNORED]: String(ignored) }),
  };
}

function failuresOf(pod: ReadPod): number {
  return numberOf(pod, FAILURES) + numberOf(pod, IGNORED);
}

/**
 * Returns the number in an annotation of a pod; 0 when the annotation is missing or is not a number
 * of at most nine digits.
 */
function numberOf({ metadata }: ReadPod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
