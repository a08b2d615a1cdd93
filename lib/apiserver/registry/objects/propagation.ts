import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { DeleteOptions } from "../../request/delete_options.ts";

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * Returns all finalizers that an object has after a deletion request: `orphan` and
 * `foregroundDeletion`, which direct the garbage collector, are added or removed by the propagation
 * policy. Returns `undefined` if the finalizers stay unchanged (`registry/store.go,
 * deletionFinalizersForGarbageCollection`).
 */
export function deletionFinalizers(
  { metadata }: ApiObject,
  options: DeleteOptions,
  byDefault: "Background" | "Orphan" | "Unsupported",
): string[] | undefined {
  if (byDefault === "Unsupported") return undefined;
  const old = metadata.finalizers ?? [];
  const policy = policyOf(old, options, byDefault);
  return changedFinalizers(old, policy === "Orphan", policy === "Foreground");
}

/**
 * Returns all finalizers of an object after a deletion that only marks it (a namespace or
 * CustomResourceDefinition), for which special rules apply: `orphanDependents: false` sets
 * foreground deletion, and without a policy no finalizer changes. Returns `undefined` if the
 * finalizers stay unchanged.
 */
export function markedFinalizers(
  { metadata }: ApiObject,
  { orphanDependents, propagationPolicy }: DeleteOptions,
): string[] | undefined {
  const old = metadata.finalizers ?? [];
  if (orphanDependents !== undefined) {
    return changedFinalizers(old, orphanDependents, !orphanDependents);
  }
  if (propagationPolicy === undefined) return undefined;
  return changedFinalizers(old, propagationPolicy === "Orphan", propagationPolicy === "Foreground");
}

function changedFinalizers(
  old: readonly string[],
  orphans: boolean,
  waits: boolean,
): string[] | undefined {
  const next = old.filter((each) => each !== ORPHAN && each !== FOREGROUND);
  if (orphans) next.push(ORPHAN);
  if (waits) next.push(FOREGROUND);
  const before = new Set(old);
  const same = before.size === new Set(next).size && next.every((each) => before.has(each));
  return same ? undefined : next;
}

/**
 * Returns the propagation policy of a deletion: the requested one, else the one that the object's
 * finalizers express, else the kind's default.
 */
function policyOf(
  finalizers: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
  byDefault: string,
): string {
  if (orphanDependents !== undefined) return orphanDependents ? "Orphan" : "Background";
  if (propagationPolicy !== undefined) return propagationPolicy;
  const said = finalizers.find((each) => each === ORPHAN || each === FOREGROUND);
  if (said === undefined) return byDefault;
  return said === ORPHAN ? "Orphan" : "Foreground";
}
