// Mirrors `component-helpers/storage/volume/pv_helpers.go, FindMatchingVolume` and
// `controller/volume/persistentvolume/pv_controller.go, checkVolumeSatisfyClaim`.
import { labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import { compareQuantities } from "@xca/apimachinery/internal/values";
import {
  classOf,
  hasAccessModes,
  isBoundTo,
  modesDiffer,
  type ReadClaim,
  type ReadVolume,
} from "./claim_facts.ts";

/** Options of {@linkcode matchingVolume}, which finds the best PersistentVolume for a claim. */
export interface MatchOptions {
  /**
   * Sets whether the claim waits for the first pod that uses it, so that only a reserved volume
   * matches.
   *
   * @default {false}
   */
  readonly delayed?: boolean;
  /** The names of the volumes that must not be chosen for the claim. @default none */
  readonly excluded?: ReadonlySet<string>;
  /**
   * Reports whether a PersistentVolume can be used on the node that is being checked.
   *
   * @default every volume
   */
  readonly isReachable?: (volume: ReadVolume) => boolean;
}

/**
 * Returns the volume that fits a claim best: a sufficient volume that is reserved for the claim, or
 * else the smallest sufficient volume among those with the fewest access modes. Returns `undefined`
 * if no volume fits, or the reserved volume cannot be used on the node.
 */
export function matchingVolume(
  claim: ReadClaim,
  volumes: readonly ReadVolume[],
  { delayed = false, excluded, isReachable = () => true }: MatchOptions = {},
): ReadVolume | undefined {
  const modeCount = ({ spec }: ReadVolume): number => spec?.accessModes?.length ?? 0;
  const usable = volumes.filter((volume) =>
    !excluded?.has(volume.metadata.name ?? "") &&
    (volume.spec?.claimRef === undefined || isBoundTo(volume, claim)) &&
    isLargeEnough(volume, claim) && !modesDiffer(volume, claim) && hasAccessModes(volume, claim) &&
    (claim.spec?.volumeAttributesClassName ?? "") ===
      (volume.spec?.volumeAttributesClassName ?? "") &&
    volume.metadata.deletionTimestamp === undefined
  ).sort((a, b) => modeCount(a) - modeCount(b));
  const reserved = usable.find((volume) => isBoundTo(volume, claim));
  if (reserved) return isReachable(reserved) ? reserved : undefined;
  if (delayed) return undefined;
  const fitting = usable.filter((volume) =>
    volume.status?.phase === "Available" && matchesSelector(volume, claim) &&
    classOf(volume) === classOf(claim) && isReachable(volume)
  );
  const fewest = fitting.filter((volume) => modeCount(volume) === modeCount(fitting[0]!));
  return fewest.sort((a, b) => compareQuantities(sizeOf(a), sizeOf(b)))[0];
}

/**
 * Returns the reason why a claim cannot be bound to the volume that it names; `undefined` if it
 * can.
 */
export function mismatch(volume: ReadVolume, claim: ReadClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) {
    return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`;
  }
  if (!isLargeEnough(volume, claim)) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  const attributes = claim.spec?.volumeAttributesClassName ?? "";
  if (attributes !== (volume.spec?.volumeAttributesClassName ?? "")) {
    return "volumeAttributesClassName does not match";
  }
  if (modesDiffer(volume, claim)) return "incompatible volumeMode";
  if (!hasAccessModes(volume, claim)) return "incompatible accessMode";
  return undefined;
}

/** Returns the size of a PersistentVolume, as a quantity; `0` if the volume has none. */
export function sizeOf({ spec }: ReadVolume): string {
  return spec?.capacity?.storage ?? "0";
}

/**
 * Returns the size that a PersistentVolumeClaim requests, as a quantity; `0` if the claim requests
 * none.
 */
export function requestedSize({ spec }: ReadClaim): string {
  return spec?.resources?.requests?.storage ?? "0";
}

function isLargeEnough(volume: ReadVolume, claim: ReadClaim): boolean {
  return compareQuantities(sizeOf(volume), requestedSize(claim)) >= 0;
}

function matchesSelector({ metadata }: ReadVolume, { spec }: ReadClaim): boolean {
  return spec?.selector === undefined ||
    matchesLabels(labelSelectorOf(spec.selector), metadata.labels ?? {});
}
