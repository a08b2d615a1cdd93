import type { ApiObject } from "@xca/apimachinery/internal/values";
import { sameValue } from "../../validation/immutable.ts";

/** Sets the `metadata.generation` of a new object to 1 (`rest/create.go`, `BeforeCreate`). */
export function beginGeneration({ metadata }: Pick<ApiObject, "metadata">): void {
  metadata.generation = 1;
}

/**
 * Sets the `metadata.generation` of an object to that of the old object plus one if `now`, usually
 * the spec, differs from `before`; otherwise leaves it unchanged.
 */
export function countGeneration(
  { metadata }: Pick<ApiObject, "metadata">,
  old: Pick<ApiObject, "metadata">,
  now: unknown,
  before: unknown,
): void {
  if (!sameValue(now, before)) metadata.generation = (old.metadata.generation ?? 0) + 1;
}
