// Mirrors `component-helpers/storage/volume/helpers.go, GetPersistentVolumeClaimClass` and
// `component-helpers/storage/volume/pv_helpers.go, IsVolumeBoundToClaim`.
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1StorageClass,
} from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A deeply read-only PersistentVolumeClaim. */
export type ReadClaim = DeepReadonly<V1PersistentVolumeClaim>;
/** A deeply read-only PersistentVolume. */
export type ReadVolume = DeepReadonly<V1PersistentVolume>;
/** A deeply read-only StorageClass. */
export type ReadClass = DeepReadonly<V1StorageClass>;

/** The key of the annotation of PersistentVolumeClaims whose binding is complete. */
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
/** The key of the annotation of claims and volumes that a controller, not a user, has bound. */
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
/** The key of the PersistentVolume annotation that names the provisioner of the volume. */
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
/**
 * The keys of the PersistentVolumeClaim annotations with the provisioner that should create the
 * volume.
 */
export const STORAGE_PROVISIONER: readonly string[] = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];
/**
 * The key of the annotation of a claim with the node that the scheduler has chosen for the first
 * pod that uses the claim.
 */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
/**
 * The key of the deprecated annotation of PersistentVolumeClaims and PersistentVolumes with the
 * name of the StorageClass.
 */
const CLASS = "volume.beta.kubernetes.io/storage-class";
/** The keys of the annotations that mark a StorageClass as the default. */
const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
/** The provisioner name of StorageClasses whose volumes are created by hand. */
export const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** Returns the value of an annotation of an object; `undefined` if the object lacks it. */
export function annotationOf(
  { metadata }: ReadClaim | ReadVolume,
  name: string,
): string | undefined {
  return metadata.annotations?.[name];
}

/**
 * Returns the StorageClass name of a PersistentVolumeClaim or PersistentVolume; an empty text for
 * none. The deprecated annotation wins over the spec.
 */
export function classOf(object: ReadClaim | ReadVolume): string {
  return annotationOf(object, CLASS) ?? object.spec?.storageClassName ?? "";
}

/** Reports whether a PersistentVolumeClaim sets a StorageClass name, which may be empty. */
export function namesClass(claim: ReadClaim): boolean {
  return annotationOf(claim, CLASS) !== undefined || claim.spec?.storageClassName !== undefined;
}

/**
 * Returns the default StorageClass of the cluster, the youngest if there are several; `undefined`
 * if there is none.
 */
export function defaultClass(classes: readonly ReadClass[]): ReadClass | undefined {
  return classes
    .filter(({ metadata }) => DEFAULT_CLASS.some((name) => metadata.annotations?.[name] === "true"))
    .sort((a, b) =>
      Date.parse(b.metadata.creationTimestamp ?? "") -
        Date.parse(a.metadata.creationTimestamp ?? "") ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1)
    )[0];
}

/**
 * Reports whether claims of a StorageClass are bound only when the first pod that uses them is
 * scheduled (`WaitForFirstConsumer`).
 */
export function isDelayed(storageClass: ReadClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}

/**
 * Reports whether a volume is reserved for a claim. A reservation without a UID matches any claim
 * of the name.
 */
export function isBoundTo({ spec }: ReadVolume, { metadata }: ReadClaim): boolean {
  const { claimRef } = spec ?? {};
  return claimRef?.name === metadata.name && claimRef?.namespace === metadata.namespace &&
    (claimRef?.uid === undefined || claimRef.uid === "" || claimRef.uid === metadata.uid);
}

/**
 * Reports whether a volume and a claim have different volume modes (`Filesystem`, the default, or
 * `Block`).
 */
export function modesDiffer(volume: ReadVolume, claim: ReadClaim): boolean {
  const mode = "Filesystem";
  return (claim.spec?.volumeMode ?? mode) !== (volume.spec?.volumeMode ?? mode);
}

/** Reports whether a PersistentVolume has all access modes of a PersistentVolumeClaim. */
export function hasAccessModes(volume: ReadVolume, claim: ReadClaim): boolean {
  const modes = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}
