// Mirrors `controller/volume/persistentvolume/pv_controller.go, PersistentVolumeController.bind`.
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
} from "@xca/apimachinery/kubernetes-types";
import { PersistentVolume, PersistentVolumeClaim } from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { Client } from "../../client/typed/client.ts";
import {
  annotationOf,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  isBoundTo,
  type ReadClaim,
  type ReadVolume,
} from "./claim_facts.ts";

/**
 * Binds a volume and a claim to each other in four writes: the volume, its phase, the claim and its
 * status. Writes that were already made are skipped, so that an interrupted binding is completed.
 *
 * @throws {ApiError} When the server refuses a write, for instance because of a conflict.
 */
export async function bind(client: Client, volume: ReadVolume, claim: ReadClaim): Promise<void> {
  const reserved = await reserve(client, volume, claim);
  const bound = await writePhase(client, reserved, "Bound");
  const named = await nameVolume(client, claim, bound);
  await writeClaimStatus(client, named, "Bound", bound);
}

/**
 * Reserves a volume for a claim by writing the claim's name, namespace and UID into the volume on
 * the server, with an annotation unless a user has reserved the volume for the claim; returns the
 * stored volume, or the given one if nothing changes.
 */
export async function reserve(
  client: Client,
  volume: ReadVolume,
  claim: ReadClaim,
): Promise<ReadVolume> {
  const copy = structuredClone(volume) as V1PersistentVolume;
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const spec = copy.spec!;
  if (spec.claimRef?.uid !== uid) {
    spec.claimRef = {
      kind: "PersistentVolumeClaim",
      namespace: namespace!,
      name: name!,
      uid: uid!,
      apiVersion: "v1",
      resourceVersion: resourceVersion!,
    };
  }
  if (!isBoundTo(volume, claim)) annotate(copy, BOUND_BY_CONTROLLER, "yes");
  if (jsonEqual(copy, volume)) return volume;
  return await client.update(PersistentVolume, copy) as ReadVolume;
}

/**
 * Writes the phase of a PersistentVolume, and the message about it, if the phase has changed;
 * returns the stored volume, or the given one if nothing was written.
 */
export async function writePhase(
  client: Client,
  volume: ReadVolume,
  phase: string,
  message = "",
): Promise<ReadVolume> {
  if (volume.status?.phase === phase) return volume;
  const { message: _, ...status } = volume.status ?? {};
  return await client.updateStatus(PersistentVolume, {
    ...volume as V1PersistentVolume,
    status: { ...status, phase, ...(message !== "" && { message }) },
  }) as ReadVolume;
}

/**
 * Writes the phase of a PersistentVolumeClaim, with the size and access modes of the given volume,
 * or without these if none is given, if the status has changed; returns whether it has. A claim
 * that is bound already keeps its size.
 */
export async function writeClaimStatus(
  client: Client,
  claim: ReadClaim,
  phase: string,
  volume?: ReadVolume,
): Promise<boolean> {
  const { accessModes: _, capacity: known, ...rest } = claim.status ?? {};
  const status = volume === undefined ? { ...rest, phase } : {
    ...rest,
    phase,
    accessModes: volume.spec?.accessModes,
    capacity: claim.status?.phase === "Bound" && known ? known : volume.spec?.capacity,
  };
  if (jsonEqual(status, claim.status)) return false;
  await client.updateStatus(PersistentVolumeClaim, {
    ...claim,
    status,
  } as unknown as V1PersistentVolumeClaim);
  return true;
}

/**
 * Releases a volume from its claim, and sets its phase to `Available`. A volume that a user had
 * reserved for the claim's name remains reserved for that name.
 */
export async function unbind(client: Client, volume: ReadVolume): Promise<void> {
  const copy = structuredClone(volume) as V1PersistentVolume;
  if (annotationOf(volume, BOUND_BY_CONTROLLER) !== undefined) {
    delete copy.metadata.annotations![BOUND_BY_CONTROLLER];
    delete copy.spec!.claimRef;
  } else {
    delete copy.spec!.claimRef!.uid;
  }
  await writePhase(client, await client.update(PersistentVolume, copy) as ReadVolume, "Available");
}

async function nameVolume(
  client: Client,
  claim: ReadClaim,
  { metadata }: ReadVolume,
): Promise<ReadClaim> {
  const copy = structuredClone(claim) as V1PersistentVolumeClaim;
  if (claim.spec?.volumeName !== metadata.name) {
    copy.spec!.volumeName = metadata.name!;
    annotate(copy, BOUND_BY_CONTROLLER, "yes");
  }
  annotate(copy, BIND_COMPLETED, "yes");
  if (jsonEqual(copy, claim)) return claim;
  return await client.update(PersistentVolumeClaim, copy) as ReadClaim;
}

function annotate(
  { metadata }: V1PersistentVolume | V1PersistentVolumeClaim,
  name: string,
  value: string,
): void {
  metadata.annotations = { ...metadata.annotations, [name]: metadata.annotations?.[name] ?? value };
}
