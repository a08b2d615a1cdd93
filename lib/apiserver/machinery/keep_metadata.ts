// Mirrors `apis/meta/v1/helpers.go, ResetObjectMetaForStatus`.
import type { ObjectMeta } from "@xca/apimachinery/meta";

const KEPT = [
  "deletionTimestamp",
  "generation",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
] as const;

/**
 * Restores in an object, in place, the metadata of the old object that a write of the `status`
 * cannot change.
 */
export function keepMetadata(
  { metadata }: { metadata: ObjectMeta },
  old: { readonly metadata: ObjectMeta },
): void {
  for (const name of KEPT) {
    const before = old.metadata[name];
    if (before === undefined) delete metadata[name];
    else (metadata as Record<string, unknown>)[name] = structuredClone(before);
  }
}
