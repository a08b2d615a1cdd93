// Mirrors `scheduler/framework/plugins/volumebinding/binder.go, volumeBinder.BindPodVolumes`.
import type { V1PersistentVolumeClaim } from "@xca/apimachinery/kubernetes-types";
import {
  keyOf,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "@xca/apimachinery/meta";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { reserve } from "../volumes/bind.ts";
import { annotationOf, SELECTED_NODE } from "../volumes/claim_facts.ts";
import type { ClaimBindings, VolumeFacts } from "./volume_binding.ts";

/**
 * Returns the cached PersistentVolumeClaims by key, the PersistentVolumes and StorageClasses by
 * name, and an empty set of reserved volumes.
 */
export async function volumeFacts({ cache }: ReconcileContext): Promise<VolumeFacts> {
  const [claims, volumes, classes] = await Promise.all([
    cache.shared.list(PersistentVolumeClaim),
    cache.shared.list(PersistentVolume),
    cache.shared.list(StorageClass),
  ]);
  return {
    claims: new Map(claims.map((claim) => [keyOf(claim), claim])),
    volumes: new Map(volumes.map((volume) => [volume.metadata.name ?? "", volume])),
    classes: new Map(classes.map((each) => [each.metadata.name ?? "", each])),
    reserved: new Set(),
  };
}

/**
 * Reserves volumes for the claims of a pod, and requests the provisioning of missing ones for a
 * node. The pod is assigned to the node in a later scheduling cycle, when its claims are bound.
 */
export async function bindClaims(
  { client }: ReconcileContext,
  bindings: ClaimBindings,
  node: string,
): Promise<void> {
  for (const [volume, claim] of bindings.reserve) await reserve(client, volume, claim);
  for (const claim of bindings.provision) {
    if (annotationOf(claim, SELECTED_NODE) === node) continue;
    const annotations = { ...claim.metadata.annotations, [SELECTED_NODE]: node };
    const metadata = { ...claim.metadata, annotations };
    const changed = { ...claim, metadata } as unknown as V1PersistentVolumeClaim;
    await client.update(PersistentVolumeClaim, changed);
  }
}
