// Mirrors `controller/job/backoff_utils.go, backoffStore`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly, ObjectKey } from "@xca/apimachinery/meta";
import { podCondition, type ReadPod } from "../pods/pod_state.ts";
import type { Ends } from "./job_tracking.ts";

/** The initial back-off before a failed pod of a Job is replaced, in milliseconds. */
const FIRST_MS = 10_000;
/** The longest back-off before a failed pod of a Job is replaced, in milliseconds. */
const LONGEST_MS = 600_000;

/**
 * The time, in milliseconds since the first terminated pod that is not counted, for which further
 * terminated pods are collected before the controller counts them in the status of their Job.
 */
const BATCH_MS = 1000;

/** The start of a delay in which terminated pods of a Job are collected for one reconcile run. */
interface Batch {
  readonly sinceMs: number;
  /**
   * The resourceVersion of the Job at the start of the delay; a change of the Job ends the delay.
   */
  readonly resourceVersion: string;
}

/**
 * The consecutive pod failures of a Job since its last success: their number, and the time of the
 * last.
 */
export interface FailureRow {
  readonly failures: number;
  /**
   * The time of the last failure of a pod of the Job, in milliseconds since the epoch; 0 if there
   * is none.
   */
  readonly lastMs: number;
}

const NONE: FailureRow = { failures: 0, lastMs: 0 };

/**
 * The consecutive pod failures of Jobs by UID, and the delays in which terminated pods of Jobs are
 * collected. They are kept in memory only, as in kube-controller-manager.
 */
export class JobBackoff {
  readonly #rows = new Map<string, FailureRow>();
  readonly #batches = new Map<string, Batch>();
  readonly #uids = new Map<ObjectKey, string>();

  /**
   * Records the UID of the Job that has a key, or `undefined` if none has it. Removes the failures
   * and the delay of an earlier Job of the key.
   */
  follow(key: ObjectKey, uid: string | undefined): void {
    const before = this.#uids.get(key);
    if (before === uid) return;
    if (before !== undefined) this.forget(before);
    if (uid === undefined) this.#uids.delete(key);
    else this.#uids.set(key, uid);
  }

  /** The number of Jobs for which failures or a delay are stored. */
  get size(): number {
    return new Set([...this.#rows.keys(), ...this.#batches.keys()]).size;
  }

  /**
   * Returns the time until the controller counts the terminated pods of a Job, in milliseconds; 0
   * if they are to be counted now, or there are none. The first terminated pods start a delay of
   * one second, which a change of the Job ends.
   */
  batchMs(
    { metadata: { uid = "", resourceVersion = "" } }: DeepReadonly<V1Job>,
    { succeeded, failed, ignored }: Ends,
    nowMs: number,
  ): number {
    const batch = this.#batches.get(uid);
    if (succeeded.length + failed.length + ignored.length === 0) {
      this.#batches.delete(uid);
      return 0;
    }
    if (!batch) {
      this.#batches.set(uid, { sinceMs: nowMs, resourceVersion });
      return BATCH_MS;
    }
    if (batch.resourceVersion !== resourceVersion) return 0;
    return Math.max(0, batch.sinceMs + BATCH_MS - nowMs);
  }

  /**
   * Returns the consecutive failures of a Job, including those of newly terminated pods. Stores
   * nothing; see {@linkcode JobBackoff.keep}.
   */
  next(uid: string, { succeeded, failed, ignored }: Ends): FailureRow {
    const before = this.#rows.get(uid) ?? NONE;
    const lastSuccessMs = Math.max(-Infinity, ...succeeded.map(endMs));
    const ends = [...failed, ...ignored].map(endMs);
    const later = ends.filter((ms) => ms > lastSuccessMs);
    if (succeeded.length === 0) {
      if (ends.length === 0) return before;
      return { failures: before.failures + ends.length, lastMs: Math.max(...ends) };
    }
    return later.length === 0 ? NONE : { failures: later.length, lastMs: Math.max(...later) };
  }

  /** Stores the consecutive failures of a Job once its status counts the terminated pods. */
  keep(uid: string, row: FailureRow): void {
    this.#rows.set(uid, row);
  }

  /** Removes the failures and the delay that are stored for a Job. */
  forget(uid: string): void {
    this.#rows.delete(uid);
    this.#batches.delete(uid);
  }
}

/**
 * Returns the remaining back-off after a number of consecutive failures, in milliseconds: 10
 * seconds after the last failure, doubled with each failure up to 10 minutes; 0 without failures.
 */
export function backoffMs(failures: number, lastMs: number, nowMs: number): number {
  if (failures === 0) return 0;
  const pauseMs = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
  return Math.max(0, lastMs + pauseMs - nowMs);
}

/**
 * Returns the time at which the last container of a pod finished, in milliseconds since the epoch.
 * If it is unknown, returns the time at which the pod became unready, or else at which its deletion
 * was requested or, without a deletion, at which it was created.
 */
export function endMs(pod: ReadPod): number {
  const { metadata, spec, status } = pod;
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always")
      .map(({ name }) => name),
  );
  const times = [
    ...status?.containerStatuses ?? [],
    ...status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? [],
  ].map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ""));
  if (times.length > 0 && !times.some(Number.isNaN)) return Math.max(...times);
  const ready = podCondition(pod, "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime !== undefined) {
    return Date.parse(ready.lastTransitionTime);
  }
  const { creationTimestamp = "", deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp === undefined
    ? Date.parse(creationTimestamp)
    : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}
