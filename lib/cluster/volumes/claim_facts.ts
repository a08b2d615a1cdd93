// Mirrors `component-helpers/storage/volume/helpers.go, GetPersistentVolumeClaimClass` and
// `component-helpers/storage/volume/pv_helpers.go, IsVolumeBoundToClaim`.
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1StorageClass,
} from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A claim that is only read. */
export type ReadClaim = DeepReadonly<V1PersistentVolumeClaim>;
/** A volume that is only read. */
export type ReadVolume = DeepReadonly<V1PersistentVolume>;
/** A StorageClass that is only read. */
export type ReadClass = DeepReadonly<V1StorageClass>;

/** The annotation of claims whose binding is complete. */
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
/** The annotation of claims and volumes that a controller has bound, not a user. */
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
/** The annotation of volumes with the provisioner that has made them. */
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
/** The annotations of claims with the provisioner that is to make their volume. */
export const STORAGE_PROVISIONER: readonly string[] = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];
/** The annotation of claims with the node that the scheduler has chosen for their first pod. */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
/** The annotation of claims and volumes with their class, before there was a field for it. */
const CLASS = "volume.beta.kubernetes.io/storage-class";
/** The annotations of the default StorageClass. */
const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
/** The provisioner of classes whose volumes are made by hand. */
export const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** Returns an annotation of an object. */
export function annotationOf(
  { metadata }: ReadClaim | ReadVolume,
  name: string,
): string | undefined {
  return metadata.annotations?.[name];
}

/** Returns the class of a claim or volume; empty for none. */
export function classOf(object: ReadClaim | ReadVolume): string {
  return annotationOf(object, CLASS) ?? object.spec?.storageClassName ?? "";
}

/** Reports whether a claim names a class, or explicitly none. */
export function namesClass(claim: ReadClaim): boolean {
  return annotationOf(claim, CLASS) !== undefined || claim.spec?.storageClassName !== undefined;
}

/** Returns the default class: the youngest of several. */
export function defaultClass(classes: readonly ReadClass[]): ReadClass | undefined {
  return classes
    .filter(({ metadata }) => DEFAULT_CLASS.some((name) => metadata.annotations?.[name] === "true"))
    .sort((a, b) =>
      Date.parse(b.metadata.creationTimestamp ?? "") -
        Date.parse(a.metadata.creationTimestamp ?? "") ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1)
    )[0];
}

/** Reports whether claims of a class are bound when the first pod that uses them is scheduled. */
export function isDelayed(storageClass: ReadClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}

/** Reports whether a volume is reserved for a claim; one without UID may be bound to it. */
export function isBoundTo({ spec }: ReadVolume, { metadata }: ReadClaim): boolean {
  const { claimRef } = spec ?? {};
  return claimRef?.name === metadata.name && claimRef?.namespace === metadata.namespace &&
    (claimRef?.uid === undefined || claimRef.uid === "" || claimRef.uid === metadata.uid);
}

/** Reports whether a volume and a claim have different modes (`Filesystem` or `Block`). */
export function modesDiffer(volume: ReadVolume, claim: ReadClaim): boolean {
  const mode = "Filesystem";
  return (claim.spec?.volumeMode ?? mode) !== (volume.spec?.volumeMode ?? mode);
}

/** Reports whether a volume has all access modes of a claim. */
export function hasAccessModes(volume: ReadVolume, claim: ReadClaim): boolean {
  const modes = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}
