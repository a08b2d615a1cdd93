// Mirrors `component-helpers/storage/ephemeral/ephemeral.go, VolumeClaimName` and `VolumeIsForPod`.
import { controllerOf, keyOf } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { ReadClaim } from "./claim_facts.ts";

/**
 * A reference of a pod, by one of its volumes, to a PersistentVolumeClaim, which need not exist.
 */
export interface PodClaim {
  /** The name of the PersistentVolumeClaim that the pod refers to. */
  readonly name: string;
  /**
   * Reports whether the volume is a generic ephemeral volume, so that the pod must own its claim.
   */
  readonly ephemeral: boolean;
}

/**
 * Returns the references of a pod to PersistentVolumeClaims, in the order of its volumes, including
 * those of generic ephemeral volumes. The claims need not exist; a claim of an ephemeral volume may
 * belong to another object, which {@linkcode foreignClaim} reports.
 */
export function podClaims({ metadata, spec }: ReadPod): PodClaim[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): PodClaim[] => {
    if (persistentVolumeClaim) return [{ name: persistentVolumeClaim.claimName, ephemeral: false }];
    return ephemeral ? [{ name: `${metadata.name}-${name}`, ephemeral: true }] : [];
  });
}

/**
 * Returns the reason why a PersistentVolumeClaim is not that of a pod's generic ephemeral volume;
 * `undefined` if it is.
 */
export function foreignClaim(pod: ReadPod, claim: ReadClaim): string | undefined {
  if (controllerOf(claim.metadata)?.uid === pod.metadata.uid) return undefined;
  return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
}
