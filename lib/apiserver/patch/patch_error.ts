import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";

/** A patch that cannot be applied to this object; the real server does not say why. */
export class UnfitPatchError extends Error {
  override readonly name = "UnfitPatchError";
}

/** 422 without a word on what is wrong, as the real server has it. */
export function unfitPatch(): StatusError {
  const message = "the server rejected our request due to an error in our request";
  return new StatusError(422, "Invalid", message, {});
}

/** 400: the patch itself is none. */
export function undecodablePatch(why: string): StatusError {
  return badRequest(`error decoding patch: ${why}`);
}
