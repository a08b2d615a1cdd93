import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** The fields of a Job that change which pods count, and that the controller does not implement. */
const UNSUPPORTED = [
  "podFailurePolicy",
  "successPolicy",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
  "scheduling",
] as const;

/**
 * Returns the first field of a Job that the controller does not implement; `undefined` for a Job that
 * it can run. Running such a Job all the same would end it otherwise than its author asked.
 */
export function unsupportedFields({ spec }: DeepReadonly<V1Job>): string | undefined {
  const found = UNSUPPORTED.find((field) => spec?.[field] !== undefined);
  return found && `spec.${found}`;
}
