// Mirrors `controller/controller_utils.go, RealPodControl`.
import type { V1Pod, V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  keyOf,
  type KubeObject,
  Pod,
  type ResourceType,
  setControllerReference,
} from "@xca/apimachinery/meta";
import { ApiError, hasStatusCause, isNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "./pod_state.ts";

/** The largest number of pods that one reconcile run of a workload creates or deletes. */
export const BURST_REPLICAS = 500;

/** The longest name of a pod, in characters. */
const LONGEST_NAME = 253;

/** The members of a {@linkcode ReconcileContext} with which pods are created and deleted. */
export type PodControlContext = Pick<ReconcileContext, "client" | "events">;

/** The workload that owns the pods to create or delete. */
export interface PodOwner<Owner extends KubeObject = KubeObject> {
  readonly type: ResourceType<Owner>;
  readonly object: DeepReadonly<Owner>;
}

/**
 * Returns a new pod of a pod template, with a workload as its controller, which the caller creates
 * on the server. The server completes the name of the pod. The pod refers to the labels,
 * annotations and spec of the template, which are not copied.
 */
export function podOf<Owner extends KubeObject>(
  { type, object }: PodOwner<Owner>,
  template: DeepReadonly<V1PodTemplateSpec>,
): V1Pod {
  const { name = "", namespace } = object.metadata;
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${name}-`;
  const pod = {
    metadata: {
      generateName: prefix.length <= LONGEST_NAME ? prefix : name,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    },
    spec: template.spec,
  } as V1Pod;
  setControllerReference(pod, object, type);
  return pod;
}

/**
 * Creates a pod, and emits an event that regards its owner, about the success or the failure. In a
 * namespace that is being deleted no pod is created and no error thrown, since the owner is deleted
 * too.
 *
 * @throws {ApiError} When the server refuses the pod.
 */
export async function createPod<Owner extends KubeObject>(
  { client, events }: PodControlContext,
  { type, object }: PodOwner<Owner>,
  pod: V1Pod,
): Promise<void> {
  try {
    const created = await client.create(Pod, pod);
    const note = `Created pod: ${created.metadata.name}`;
    events.record(type, object, { reason: "SuccessfulCreate", note });
  } catch (error) {
    if (hasStatusCause(error, "NamespaceTerminating")) return;
    const note = `Error creating: ${textOf(error)}`;
    events.record(type, object, { type: "Warning", reason: "FailedCreate", note });
    throw error;
  }
}

/**
 * Deletes a pod, and emits an event that regards its owner, about the success or the failure. A pod
 * that does not exist is not an error.
 *
 * @throws {ApiError} When the server refuses the deletion.
 */
export async function deletePod<Owner extends KubeObject>(
  { client, events }: PodControlContext,
  { type, object }: PodOwner<Owner>,
  pod: ReadPod,
): Promise<void> {
  try {
    await client.delete(Pod, keyOf(pod));
    const note = `Deleted pod: ${pod.metadata.name}`;
    events.record(type, object, { reason: "SuccessfulDelete", note });
  } catch (error) {
    if (isNotFound(error)) return;
    const note = `Error deleting: ${textOf(error)}`;
    events.record(type, object, { type: "Warning", reason: "FailedDelete", note });
    throw error;
  }
}

/**
 * Makes `count` calls of a function, in batches of 1, 2, 4 and so on, the calls of a batch at once.
 * After a batch with a failure no further batch starts, so that calls that would all fail for the
 * same reason, such as an exhausted quota, are not repeated.
 *
 * @throws {unknown} The first failure, after all calls of its batch have ended.
 */
export async function slowStart(count: number, call: () => Promise<void>): Promise<void> {
  for (let done = 0, batch = 1; done < count; done += batch, batch *= 2) {
    const size = Math.min(batch, count - done);
    await allSettled(Array.from({ length: size }, call));
  }
}

/**
 * Waits until all API calls of a batch have ended, whether or not they failed.
 *
 * @throws {unknown} The failure of the first failed call in the list, after all calls have ended.
 */
export async function allSettled(calls: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(calls);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/** Returns the server's message of an error, without the text that the client adds. */
function textOf(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
