// Mirrors `storage/volume/helpers.go, GetPersistentVolumeClaimClass`.
import type { V1PersistentVolumeClaim } from "../kubernetes_types/types/core_v1_persistent_volumes.ts";

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

/**
 * Returns the name of the storage class of a PersistentVolumeClaim, from its beta annotation or
 * else its spec; empty if it has none.
 */
export function claimClass({ metadata, spec }: V1PersistentVolumeClaim): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? "";
}
