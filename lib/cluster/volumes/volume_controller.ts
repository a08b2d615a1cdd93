// Mirrors `controller/volume/persistentvolume/pv_controller.go, PersistentVolumeController.syncVolume`.
import { formatKey, keyOf, PersistentVolume, PersistentVolumeClaim } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { unbind, writePhase } from "./bind.ts";
import {
  annotationOf,
  modesDiffer,
  PROVISIONED_BY,
  type ReadClaim,
  type ReadVolume,
} from "./claim_facts.ts";

/**
 * The controller of the phase of volumes: `Available`, `Bound`, `Released` after the deletion of
 * the claim, and `Failed` when the released volume cannot be deleted. A volume whose claim names
 * another volume becomes `Available` again, or `Released` if a provisioner created it and its
 * reclaim policy is `Delete`.
 */
export const volumeController: ControllerDefinition = controllerFor(PersistentVolume)
  .named("persistentvolume-binder-volumes")
  .watches(
    PersistentVolumeClaim,
    async ({ name, namespace }, { cache }) =>
      (await cache.shared.list(PersistentVolume)).filter(({ spec }) =>
        spec?.claimRef?.name === name && spec.claimRef.namespace === namespace
      ).map(keyOf),
  )
  .options({ eventSource: "persistentvolume-controller", workers: 4, hotLoopRuns: Infinity })
  .reconcile(reconcileVolume);

async function reconcileVolume(context: ReconcileContext): Promise<void> {
  const { cache, client, key } = context;
  const volume = cache.shared.get(PersistentVolume, key);
  if (!volume) return;
  const { claimRef } = volume.spec ?? {};
  if (!claimRef?.uid) return void await writePhase(client, volume, "Available");
  const claim = await claimOf(context, volume);
  if (!claim) return await release(context, volume);
  const { volumeName } = claim.spec ?? {};
  if (volumeName === volume.metadata.name) return void await writePhase(client, volume, "Bound");
  if (!volumeName) return notifyMismatch(context, volume, claim);
  const { persistentVolumeReclaimPolicy } = volume.spec ?? {};
  if (annotationOf(volume, PROVISIONED_BY) && persistentVolumeReclaimPolicy === "Delete") {
    return await release(context, volume);
  }
  await unbind(client, volume);
}

/**
 * Returns the claim that a volume is bound to; `undefined` if it no longer exists. A claim that the
 * cache lacks, or has with another UID, is read from the server; but not if the volume is released
 * or failed already, and the cache has no claim of the name.
 */
async function claimOf(
  { cache, client }: ReconcileContext,
  { spec, status }: ReadVolume,
): Promise<ReadClaim | undefined> {
  const { name = "", namespace = "", uid } = spec?.claimRef ?? {};
  const key = formatKey({ name, namespace });
  const known = cache.shared.get(PersistentVolumeClaim, key);
  if (known?.metadata.uid === uid) return known;
  if (!known && ["Released", "Failed"].includes(status?.phase ?? "")) return undefined;
  const read = await ignoreNotFound(client.get(PersistentVolumeClaim, key));
  return read?.metadata.uid === uid ? read as ReadClaim : undefined;
}

/**
 * Marks a PersistentVolume without a claim as released; or, with a warning event, as failed if its
 * policy is `Delete` and no provisioner can delete it.
 */
async function release(
  { client, events }: ReconcileContext,
  volume: ReadVolume,
): Promise<void> {
  const { phase } = volume.status ?? {};
  const released = phase === "Released" || phase === "Failed"
    ? volume
    : await writePhase(client, volume, "Released");
  const { persistentVolumeReclaimPolicy: policy, csi } = volume.spec ?? {};
  if (policy !== "Delete" || csi || annotationOf(volume, PROVISIONED_BY) || phase === "Failed") {
    return;
  }
  const why = `error getting deleter volume plugin for volume ` +
    `${JSON.stringify(volume.metadata.name)}: no deletable volume plugin matched`;
  await writePhase(client, released, "Failed", why);
  events.record(PersistentVolume, volume, {
    type: "Warning",
    reason: "VolumeFailedDelete",
    note: why,
  });
}

/**
 * Emits warning events about a PersistentVolume and the claim it is reserved for if their volume
 * modes differ.
 */
function notifyMismatch({ events }: ReconcileContext, volume: ReadVolume, claim: ReadClaim): void {
  if (!modesDiffer(volume, claim)) return;
  const warning = { type: "Warning", reason: "VolumeMismatch" } as const;
  const claimName = JSON.stringify(claim.metadata.name);
  events.record(PersistentVolume, volume, {
    ...warning,
    note: `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to ` +
      "incompatible volumeMode.",
  });
  const name = JSON.stringify(volume.metadata.name);
  events.record(PersistentVolumeClaim, claim, {
    ...warning,
    note: `Cannot bind PersistentVolume ${name} to requested PersistentVolumeClaim due to ` +
      "incompatible volumeMode.",
  });
}
