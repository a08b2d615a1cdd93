// Mirrors `controller/job/job_controller.go, trackJobStatusAndRemoveFinalizers`.
import type { V1Job, V1JobCondition, V1JobStatus } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, keyOf, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { indexOf, isIndexed } from "./completion_indexes.ts";
import { failureVerdict } from "./pod_failure_policy.ts";

type ReadJob = DeepReadonly<V1Job>;

/**
 * The terminated pods of a Job that its status neither counts nor lists in
 * `uncountedTerminatedPods`; they have the tracking finalizer.
 */
export interface Ends {
  readonly succeeded: readonly ReadPod[];
  /** The failed pods of the Job that count towards the back-off limits. */
  readonly failed: readonly ReadPod[];
  /** The failed pods of the Job that its pod failure policy ignores. */
  readonly ignored: readonly ReadPod[];
}

/**
 * Returns the terminated pods of a Job that its status neither counts nor lists in
 * `uncountedTerminatedPods`, by their result. Pods of an indexed Job whose index is absent or out
 * of range are left out.
 */
export function newEnds(job: ReadJob, pods: readonly ReadPod[]): Ends {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const known = new Set([...succeeded, ...failed]);
  const fresh = pods.filter((pod) =>
    isTracked(pod) && !known.has(uidOf(pod)) && isExpected(job, pod)
  );
  const failures = fresh.filter((pod) => isFailed(job, pod));
  return {
    succeeded: fresh.filter(({ status }) => status?.phase === "Succeeded"),
    failed: failures.filter((pod) => failureVerdict(job, pod).counts),
    ignored: failures.filter((pod) => !failureVerdict(job, pod).counts),
  };
}

/**
 * Reports whether a pod of an indexed Job has a completion index in range; true for a Job without
 * indexes.
 */
function isExpected(job: ReadJob, pod: ReadPod): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0);
}

/**
 * Reports whether a pod of a Job counts as failed: its phase is `Failed`, or it is being deleted
 * and has not succeeded. With `podReplacementPolicy: Failed` a pod that is being deleted counts
 * only once it has terminated.
 */
export function isFailed({ spec }: ReadJob, { metadata, status }: ReadPod): boolean {
  if (status?.phase === "Failed") return true;
  if (spec?.podReplacementPolicy === "Failed") return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** The finalizer that keeps a pod of a Job until its termination is counted. */
export const TRACKING = "batch.kubernetes.io/job-tracking";

/**
 * Reports whether a pod has the tracking finalizer of Jobs: its termination is still to be counted
 * in the Job's status, or was just counted.
 */
export function isTracked({ metadata }: ReadPod): boolean {
  return metadata.finalizers?.includes(TRACKING) ?? false;
}

/** Options of {@linkcode countEnds}, which counts terminated pods in the status of a Job. */
export interface CountOptions {
  readonly job: ReadJob;
  readonly pods: readonly ReadPod[];
  readonly ends: Ends;
  /**
   * The condition (`SuccessCriteriaMet` or `FailureTarget`) with which the Job is about to finish;
   * `undefined` while it continues.
   */
  readonly verdict: V1JobCondition | undefined;
  /** The failed pods of the Job that are kept until their replacements exist. */
  readonly delayed: ReadonlySet<ReadPod>;
  /** The status of the Job before terminated pods are counted. */
  readonly status: V1JobStatus;
  /** Writes the status of the Job. */
  readonly write: (status: V1JobStatus) => Promise<void>;
}

/**
 * Counts the terminated pods of a Job so that a crash at any step neither loses nor repeats one:
 * the UIDs are written to the status first, then the finalizers are removed, and then the UIDs of
 * pods without the finalizer are moved to the counts. Returns the status after the last step, which
 * the caller writes.
 */
export async function countEnds(
  { client }: Pick<ReconcileContext, "client">,
  options: CountOptions,
): Promise<V1JobStatus> {
  const { pods, write } = options;
  const tracked = new Set(pods.filter(isTracked).map(uidOf));
  let status = counted(options.status, (uid) => !tracked.has(uid));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const fresh = freshEnds(options);
  const uncounted = {
    succeeded: [...succeeded, ...fresh.succeeded.map(uidOf)],
    failed: [...failed, ...fresh.failed.map(uidOf)],
  };
  const counting = new Set([...uncounted.succeeded, ...uncounted.failed]);
  const ended = pods.filter((pod) => counting.has(uidOf(pod)) || fresh.released.has(pod));
  if (ended.length === 0) return status;
  status = { ...status, uncountedTerminatedPods: withoutEmpty(uncounted) };
  await write(status);
  for (const pod of ended) await release(client, pod);
  return counted(status, (uid) => counting.has(uid));
}

/**
 * Returns the pods to count as succeeded and as failed, and all pods whose tracking finalizer is
 * removed, counted or not. When the Job fails, its remaining pods, which are killed, count as
 * failed too.
 */
function freshEnds({ job, pods, ends, verdict, delayed }: CountOptions): {
  readonly succeeded: readonly ReadPod[];
  readonly failed: readonly ReadPod[];
  readonly released: ReadonlySet<ReadPod>;
} {
  const isOver = verdict !== undefined || job.metadata.deletionTimestamp !== undefined;
  const failed = ends.failed.filter((pod) => isOver || !delayed.has(pod));
  const released = pods.filter((pod) =>
    isTracked(pod) && !delayed.has(pod) &&
    (pod.status?.phase === "Succeeded" || isFailed(job, pod))
  );
  if (!isOver) return { ...ends, failed, released: new Set(released) };
  const all = new Set(pods.filter(isTracked));
  if (verdict?.type === "FailureTarget") {
    const { succeeded = [], failed: before = [] } = job.status?.uncountedTerminatedPods ?? {};
    const known = new Set([...succeeded, ...before]);
    const ended = new Set([...ends.succeeded, ...ends.failed, ...ends.ignored]);
    const killed = [...all].filter((pod) =>
      !ended.has(pod) && !known.has(uidOf(pod)) && isExpected(job, pod) &&
      pod.status?.phase !== "Succeeded" && failureVerdict(job, pod).counts
    );
    return { succeeded: ends.succeeded, failed: [...failed, ...killed], released: all };
  }
  // A pod that is deleted because enough others have succeeded has not failed.
  const enough = verdict?.reason === "SuccessPolicy";
  return {
    succeeded: ends.succeeded,
    failed: enough ? failed.filter(({ status }) => status?.phase === "Failed") : failed,
    released: all,
  };
}

/**
 * Removes the tracking finalizer of a pod, if the pod has it, on the server, so that the pod can be
 * deleted. A pod that no longer exists is not an error.
 */
export async function release(
  client: ReconcileContext["client"],
  pod: ReadPod,
): Promise<void> {
  const { uid, finalizers = [] } = pod.metadata;
  if (!finalizers.includes(TRACKING)) return;
  const metadata = { uid, [`$deleteFromPrimitiveList/finalizers`]: [TRACKING] };
  const patch = { type: "strategic", body: { metadata } } as never;
  await ignoreNotFound(client.patch(Pod, keyOf(pod), patch));
}

/**
 * Returns a Job status in which the UIDs for which `isDone` returns true are moved from
 * `uncountedTerminatedPods` to the counts.
 */
function counted(status: V1JobStatus, isDone: (uid: string) => boolean): V1JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const rest = {
    succeeded: succeeded.filter((uid) => !isDone(uid)),
    failed: failed.filter((uid) => !isDone(uid)),
  };
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - rest.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - rest.failed.length,
    uncountedTerminatedPods: withoutEmpty(rest),
  };
}

function withoutEmpty(
  { succeeded, failed }: { readonly succeeded: string[]; readonly failed: string[] },
): { succeeded?: string[]; failed?: string[] } {
  return {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  };
}

function uidOf({ metadata }: ReadPod): string {
  return metadata.uid ?? "";
}
