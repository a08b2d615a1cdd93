// Mirrors `endpoints/handlers/patch.go, patchMechanism`.
import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * A generator function that applies a patch: given the current object, or `undefined` if there is
 * none, returns the new object. The current object is not changed. Other requests may run between
 * the steps.
 */
export type PatchFunction = (current: ApiObject | undefined) => Generator<void, ApiObject>;
