import { hasStatusCause, isAlreadyExists, isNotFound } from "../../client/errors/api_error.ts";

/** Reports whether a write failed because its namespace does not exist, or is being deleted. */
export function isNamespaceGone(error: unknown): boolean {
  return isNotFound(error) || hasStatusCause(error, "NamespaceTerminating");
}

/**
 * Waits for a creation; reports whether it created the object. An existing object is not an error.
 */
export async function ignoreAlreadyExists(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return false;
  }
}
