import type { ApiObject } from "@xca/apimachinery/internal/values";
import { sameValue } from "../../validation/immutable.ts";

/** Begins to count the changes of what is wanted. */
export function beginGeneration({ metadata }: Pick<ApiObject, "metadata">): void {
  metadata.generation = 1;
}

/** Counts a change of what is wanted, given it as it is and as it was. */
export function countGeneration(
  { metadata }: Pick<ApiObject, "metadata">,
  old: Pick<ApiObject, "metadata">,
  now: unknown,
  before: unknown,
): void {
  if (!sameValue(now, before)) metadata.generation = (old.metadata.generation ?? 0) + 1;
}
