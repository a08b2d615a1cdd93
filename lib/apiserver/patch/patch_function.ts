// Mirrors `endpoints/handlers/patch.go, patchMechanism`.
import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * A function that applies a patch: returns the new object for the current one, which it does not
 * change; `undefined` if there is none. It is a generator, so that other requests run between its
 * steps.
 */
export type PatchFunction = (current: ApiObject | undefined) => Generator<void, ApiObject>;
