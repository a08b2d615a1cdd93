import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { DeleteOptions } from "../request/delete_options.ts";

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * The finalizers that a deletion leaves an object with, so that the garbage collector does to its
 * dependents what is asked for; `undefined` when they stay as they are.
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
 * The same of a namespace when it is marked deleted, which follows rules of its own: not to orphan is to
 * wait there, and where nothing is asked for, its finalizers stay as they are.
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

/** What is asked for counts most, then what the finalizers say, then what the kind does. */
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
