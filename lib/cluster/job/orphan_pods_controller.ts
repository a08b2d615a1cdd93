// Mirrors `controller/job/job_controller.go, handleSingleOrphanPod`.
import {
  controllerOf,
  formatKey,
  Job,
  type OwnerReference,
  Pod,
  refersTo,
} from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { MapFunction } from "../../controller/definition/mapping.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isTracked, release } from "./job_tracking.ts";

/**
 * The controller that removes the tracking finalizer from pods whose Job was deleted or has
 * released them, so that the pods can be deleted.
 */
export const jobOrphansController: ControllerDefinition = controllerFor(Pod)
  .named("job-orphans-controller")
  .watches(Job, podsOf)
  .reconcile(reconcilePod);

/** Returns the keys of the pods in the namespace of a Job that have the tracking finalizer. */
async function podsOf(
  { namespace }: Parameters<MapFunction>[0],
  { cache }: Parameters<MapFunction>[1],
): Promise<ReturnType<typeof formatKey>[]> {
  const pods = await cache.shared.list(Pod, { namespace });
  return pods.filter(isTracked).map(({ metadata: { name = "" } }) =>
    formatKey({ namespace, name })
  );
}

async function reconcilePod({ cache, client, key }: ReconcileContext): Promise<void> {
  const pod = cache.shared.get(Pod, key);
  if (!pod || !isTracked(pod)) return;
  const controller = controllerOf(pod.metadata);
  if (controller && !refersTo(controller, Job)) return;
  if (!controller || !await exists({ cache, client }, controller, pod.metadata.namespace ?? "")) {
    await release(client, pod);
  }
}

/**
 * Reports whether the Job that an owner reference names exists, in the cache or on the server: the
 * cache of Jobs may be behind that of pods.
 */
async function exists(
  { cache, client }: Pick<ReconcileContext, "cache" | "client">,
  { name, uid }: OwnerReference,
  namespace: string,
): Promise<boolean> {
  const key = formatKey({ namespace, name });
  if (cache.shared.get(Job, key)?.metadata.uid === uid) return true;
  const job = await ignoreNotFound(client.get(Job, key));
  return job?.metadata.uid === uid;
}
