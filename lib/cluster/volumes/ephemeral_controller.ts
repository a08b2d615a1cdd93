// Mirrors `controller/volume/ephemeral/controller.go, ephemeralController`.
import type { V1PersistentVolumeClaim, V1Volume } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatKey,
  keyOf,
  PersistentVolumeClaim,
  Pod,
  setControllerReference,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { foreignClaim } from "./pod_claims.ts";

/**
 * The controller that creates the claims of generic ephemeral volumes, which are deleted with their
 * pod. A deleted claim is created again for its pod.
 */
export const ephemeralVolumeController: ControllerDefinition = controllerFor(Pod)
  .named("ephemeral-volume-controller")
  .withPredicates(({ type, object }) => type === "added" && hasEphemeralVolume(object.object))
  .watches(PersistentVolumeClaim, ({ namespace = "", name }, { cache }) => {
    return podNames(name).map((pod) => formatKey({ namespace, name: pod })).filter((key) => {
      const pod = cache.shared.get(Pod, key);
      return pod !== undefined && hasEphemeralVolume(pod);
    });
  }, { predicates: [({ type }) => type === "deleted"] })
  .options({ eventSource: "ephemeral_volume" })
  .reconcile(async (context) => {
    const pod = context.cache.shared.get(Pod, context.key);
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
    for (const volume of pod.spec?.volumes ?? []) {
      if (volume.ephemeral) await ensureClaim(context, pod, volume);
    }
  });

function hasEphemeralVolume({ spec }: ReadPod): boolean {
  return spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false;
}

/**
 * Returns the possible pod names for the name of an ephemeral volume's claim, which consists of the
 * pod's name, a dash, and the volume's name.
 */
function podNames(claim: string): string[] {
  return [...claim.matchAll(/-/g)].map(({ index }) => claim.slice(0, index));
}

/**
 * Creates the PersistentVolumeClaim of a pod's generic ephemeral volume unless it exists.
 *
 * @throws {Error} When the claim cannot be created, or belongs to another object, after a warning
 *   event.
 */
async function ensureClaim(
  { cache, client, events }: ReconcileContext,
  pod: ReadPod,
  { name, ephemeral }: DeepReadonly<V1Volume>,
): Promise<void> {
  const claim = claimOf(pod, `${pod.metadata.name}-${name}`, ephemeral);
  const key = keyOf(claim);
  try {
    const found = cache.shared.get(PersistentVolumeClaim, key);
    if (!found) return void await client.create(PersistentVolumeClaim, claim);
    const problem = foreignClaim(pod, found);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const note = `ephemeral volume ${name}: ${reason}`;
    events.record(Pod, pod, { type: "Warning", reason: "FailedBinding", note });
    throw new Error(note, { cause: error });
  }
}

/** Returns the PersistentVolumeClaim of a generic ephemeral volume, which its pod owns. */
function claimOf(
  pod: ReadPod,
  name: string,
  ephemeral: DeepReadonly<V1Volume>["ephemeral"],
): V1PersistentVolumeClaim {
  const { metadata = {}, spec } = ephemeral?.volumeClaimTemplate ?? {};
  const { labels, annotations } = metadata;
  const claim: V1PersistentVolumeClaim = {
    metadata: {
      name,
      namespace: pod.metadata.namespace ?? "",
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    ...(spec && { spec: spec as V1PersistentVolumeClaim["spec"] & object }),
  };
  setControllerReference(claim, pod, Pod);
  return claim;
}
