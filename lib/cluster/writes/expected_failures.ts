import { hasStatusCause, isAlreadyExists, isNotFound } from "../../client/errors/api_error.ts";

/** Reports whether a write failed because its namespace does not exist, or is being deleted. */
export function isNamespaceGone(error: unknown): boolean {
  return isNotFound(error) || hasStatusCause(error, "NamespaceTerminating");
}

/** Waits for a creation, and takes an object that exists already for a success. */
export async function ignoreAlreadyExists(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
