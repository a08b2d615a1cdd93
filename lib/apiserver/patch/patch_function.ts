import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * Makes the new object of the current one, which is absent when there is none, and stays as it is. In
 * steps, between which others may have their turn.
 */
export type PatchFunction = (current: ApiObject | undefined) => Generator<void, ApiObject>;
