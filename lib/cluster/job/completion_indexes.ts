// Mirrors `controller/job/indexed_job_utils.go, orderedIntervals`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";

/**
 * The key of the annotation, and of the label, of an indexed Job's pod with the completion index.
 */
export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

/** Reports whether the pods of a Job have completion indexes. */
export function isIndexed({ spec }: DeepReadonly<V1Job>): boolean {
  return spec?.completionMode === "Indexed";
}

/** Returns the completion index of a pod of an indexed Job; `undefined` if the pod has none. */
export function indexOf({ metadata }: ReadPod): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX] ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the set of the completion indexes in a text such as `0-2,5`; an empty set for no text.
 */
export function parseIndexes(text = ""): Set<number> {
  const indexes = new Set<number>();
  for (const range of text.split(",").filter((each) => each !== "")) {
    const [first, last = first] = range.split("-").map(Number);
    for (let index = first!; index <= last!; index++) indexes.add(index);
  }
  return indexes;
}

/**
 * Returns completion indexes as a text of ascending numbers and ranges, such as `0-2,5`; two
 * adjacent indexes are listed as two numbers.
 */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) =>
    first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`
  ).join(",");
}

/** Returns at most `count` completion indexes of a Job that are not taken, the lowest first. */
export function freeIndexes(
  count: number,
  completions: number,
  taken: ReadonlySet<number>,
): number[] {
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++) {
    if (!taken.has(index)) free.push(index);
  }
  return free;
}
