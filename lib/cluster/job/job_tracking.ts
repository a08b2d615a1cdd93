// Mirrors `controller/job/job_controller.go, trackJobStatusAndRemoveFinalizers`.
import type { V1JobStatus } from "@xca/apimachinery/kubernetes-types";
import { keyOf, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { formatIndexes, indexOf } from "./completion_indexes.ts";
import { TRACKING } from "./job_pods.ts";

/** The pods of a Job that have ended, and the indexes that are done. */
export interface Ends {
  readonly succeeded: readonly ReadPod[];
  readonly failed: readonly ReadPod[];
}

/** Returns the pods that have ended and are not counted yet, since their finalizer is still there. */
export function newEnds(pods: readonly ReadPod[], { uncountedTerminatedPods }: V1JobStatus): Ends {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  const known = new Set([...succeeded, ...failed]);
  const fresh = pods.filter((pod) => isTracked(pod) && !known.has(pod.metadata.uid ?? ""));
  return {
    succeeded: fresh.filter(({ status }) => status?.phase === "Succeeded"),
    failed: fresh.filter((pod) =>
      pod.status?.phase !== "Succeeded" &&
      (isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined)
    ),
  };
}

/** Reports whether the end of a pod is still to be counted. */
export function isTracked({ metadata }: ReadPod): boolean {
  return metadata.finalizers?.includes(TRACKING) ?? false;
}

/**
 * Counts the ends of pods so that a crash at any step neither loses nor repeats one: the UIDs are
 * written to the status first, then the finalizers are removed, and a UID whose pod has no finalizer is
 * counted. Returns the status after the last step.
 */
export async function countEnds(
  { client }: Pick<ReconcileContext, "client">,
  pods: readonly ReadPod[],
  ends: Ends,
  before: V1JobStatus,
  write: (status: V1JobStatus) => Promise<void>,
): Promise<V1JobStatus> {
  const tracked = new Set(pods.filter(isTracked).map(uidOf));
  let status = counted(before, (uid) => !tracked.has(uid));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const uncounted = {
    succeeded: [...succeeded, ...ends.succeeded.map(uidOf)],
    failed: [...failed, ...ends.failed.map(uidOf)],
  };
  const waiting = new Set([...uncounted.succeeded, ...uncounted.failed]);
  if (waiting.size === 0) return status;
  status = { ...status, uncountedTerminatedPods: withoutEmpty(uncounted) };
  await write(status);
  for (const pod of pods.filter((each) => waiting.has(uidOf(each)))) {
    await release(client, pod);
  }
  return counted(status, (uid) => waiting.has(uid));
}

/** Returns the completed indexes with those of pods that have succeeded, as the status lists them. */
export function completedIndexes(done: ReadonlySet<number>, pods: readonly ReadPod[]): string {
  const indexes = pods.map(indexOf).filter((index) => index !== undefined);
  return formatIndexes(new Set([...done, ...indexes]));
}

/** Removes the finalizer of a pod, so that it can be deleted. */
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

/** Moves the UIDs for which `isDone` holds from the uncounted ones to the counts. */
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
