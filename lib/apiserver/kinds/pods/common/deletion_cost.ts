/**
 * The key of the annotation with the deletion cost of a pod: a ReplicaSet that is scaled down
 * deletes pods of lower cost first (`apis/core/annotation_key_constants.go`, `PodDeletionCost`).
 */
export const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/**
 * Reports whether the annotation of a pod's deletion cost is absent or a 32-bit integer without a
 * plus sign and leading zeros.
 */
export function isDeletionCost(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const value = annotations?.[DELETION_COST];
  if (value === undefined) return true;
  if (!/^(0|-?[1-9][0-9]*)$/.test(value)) return false;
  return Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31;
}
