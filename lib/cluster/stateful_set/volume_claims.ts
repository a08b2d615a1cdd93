// Mirrors `controller/statefulset/stateful_pod_control.go, createPersistentVolumeClaims` and
// `controller/statefulset/stateful_set_utils.go, updateClaimOwnerRefForSetAndPod`.
import type { V1PersistentVolumeClaim } from "@xca/apimachinery/kubernetes-types";
import {
  keyOf,
  type OwnerReference,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { isAlreadyExists, isConflict } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { claimsOf, firstOrdinal, type ReadStatefulSet } from "./stateful_pod.ts";

/**
 * Creates the missing volume claims for the pod with an ordinal of a StatefulSet, and emits an
 * event about each, also about a failure, which is thrown.
 */
export async function createClaims(
  { cache, client, events }: ReconcileContext,
  set: ReadStatefulSet,
  ordinal: number,
): Promise<void> {
  for (const claim of claimsOf(set, ordinal).values()) {
    if (cache.shared.get(PersistentVolumeClaim, keyOf(claim))) continue;
    const { name } = claim.metadata;
    const pod = `Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name}`;
    try {
      await client.create(PersistentVolumeClaim, claim);
      const note = `Create Claim ${name} ${pod} success`;
      events.record(StatefulSet, set, { reason: "SuccessfulCreate", note });
    } catch (error) {
      if (isAlreadyExists(error)) continue;
      const note = `Create Claim ${name} for ${pod} failed error: ${messageOf(error)}`;
      events.record(StatefulSet, set, { type: "Warning", reason: "FailedCreate", note });
      throw error;
    }
  }
}

/**
 * Sets the owner references of an ordinal's volume claims by the retention policy, so that the
 * claims are deleted with the StatefulSet or the pod, or are kept. Claims that the cache lacks are
 * left out. Reports whether a claim was changed.
 */
export async function ownClaims(
  { cache, client }: ReconcileContext,
  set: ReadStatefulSet,
  ordinal: number,
  pod: ReadPod,
): Promise<boolean> {
  let hasChanged = false;
  for (const { metadata } of claimsOf(set, ordinal).values()) {
    const claim = cache.get(PersistentVolumeClaim, keyOf({ metadata }));
    if (!claim || !changeOwners(claim, set, ordinal, pod)) continue;
    try {
      await client.update(PersistentVolumeClaim, claim);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // The binder of volumes writes new claims at the same time.
      const fresh = await client.get(PersistentVolumeClaim, keyOf(claim));
      if (changeOwners(fresh, set, ordinal, pod)) await client.update(PersistentVolumeClaim, fresh);
    }
    hasChanged = true;
  }
  return hasChanged;
}

/**
 * Sets the owner references that a volume claim should have by the retention policy, in place,
 * unless the claim has a foreign owner. Returns whether the claim changed.
 */
function changeOwners(
  claim: V1PersistentVolumeClaim,
  set: ReadStatefulSet,
  ordinal: number,
  pod: ReadPod,
): boolean {
  if (isForeign(claim, set, pod)) return false;
  const before = claim.metadata.ownerReferences ?? [];
  const own = [set.metadata.uid, pod.metadata.uid];
  const wanted = ownersOf(set, ordinal, pod);
  const has = before.filter(({ uid }) => own.includes(uid)).map(({ uid }) => uid);
  if (has.length === wanted.length && wanted.every(({ uid }) => has.includes(uid))) return false;
  const others = before.filter(({ uid }) => !own.includes(uid));
  claim.metadata.ownerReferences = [...others, ...wanted];
  return true;
}

/**
 * Returns the owner references that a StatefulSet's volume claim should have by the retention
 * policy: to the pod if the claim is deleted with a pod that is scaled away, to the StatefulSet if
 * it is deleted with that, otherwise none.
 */
function ownersOf(set: ReadStatefulSet, ordinal: number, pod: ReadPod): OwnerReference[] {
  const { whenDeleted = "Retain", whenScaled = "Retain" } =
    set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const first = firstOrdinal(set);
  const isScaledAway = ordinal < first || ordinal >= first + (set.spec.replicas ?? 1);
  if (whenScaled === "Delete" && isScaledAway) return [reference(Pod, pod)];
  return whenDeleted === "Delete" ? [reference(StatefulSet, set)] : [];
}

function reference(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { metadata }: ReadPod | ReadStatefulSet,
): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Reports whether a volume claim is owned by another controller, or by a deleted pod or StatefulSet
 * of the same name.
 */
function isForeign(claim: V1PersistentVolumeClaim, set: ReadStatefulSet, pod: ReadPod): boolean {
  return (claim.metadata.ownerReferences ?? []).some(({ uid, controller, kind, name }) => {
    if (uid === set.metadata.uid || uid === pod.metadata.uid) return false;
    const isEarlier = kind === "StatefulSet" && name === set.metadata.name ||
      kind === "Pod" && name === pod.metadata.name;
    return isEarlier || controller === true;
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
