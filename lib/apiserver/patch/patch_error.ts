// Mirrors `endpoints/handlers/patch.go, jsonPatcher.applyJSPatch`.
import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";

/**
 * The error that a patch cannot be applied to an object; kube-apiserver does not report the reason.
 */
export class UnfitPatchError extends Error {
  override readonly name = "UnfitPatchError";
}

/** Returns kube-apiserver's 422 error about a patch that cannot be applied, without a reason. */
export function unfitPatch(): StatusError {
  const message = "the server rejected our request due to an error in our request";
  return new StatusError(422, "Invalid", message, {});
}

/** Returns the 400 error about a patch that cannot be parsed. */
export function undecodablePatch(why: string): StatusError {
  return badRequest(`error decoding patch: ${why}`);
}
