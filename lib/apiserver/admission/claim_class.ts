import type { V1PersistentVolumeClaim } from "../../kubernetes_types/kinds.ts";

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

/** The storage class of a claim; empty when it has none. */
export function claimClass({ metadata, spec }: V1PersistentVolumeClaim): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? "";
}
