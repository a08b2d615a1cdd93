import type { DeepReadonly, KubeObject } from "@xca/apimachinery/meta";

/** Compares two texts by their code units, for a sort. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares the creation times of objects, then their names, for a sort: the oldest comes first. */
export function byCreation(a: DeepReadonly<KubeObject>, b: DeepReadonly<KubeObject>): number {
  return compareText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
    compareText(a.metadata.name ?? "", b.metadata.name ?? "");
}
