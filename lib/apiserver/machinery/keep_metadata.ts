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
 * Sets `deletionTimestamp`, `generation`, `labels`, `annotations`, `finalizers` and
 * `ownerReferences` of an object, in place, to those of the old object, since a write of the
 * `status` cannot change them.
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
