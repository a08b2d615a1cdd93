/**
 * Errors about a stored object that no conversion brings to the requested version.
 *
 * Mirrors `storage/errors.go, NewCorruptObjError`.
 *
 * @module
 */
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiResource } from "../../machinery/resource.ts";
import { registryPath } from "../../machinery/keys.ts";
import type { StoredObject } from "../../storage/arena.ts";

/** The error that a stored object cannot be decoded in the requested API version. */
export class UndecodableError extends StatusError {
  readonly #stored: StoredObject;

  constructor(stored: StoredObject, cause: StatusError) {
    const { resourceVersion } = stored.tree().metadata;
    super(500, "", `object not decodable revision=${resourceVersion}: ${cause.message}`);
    this.#stored = stored;
  }

  /**
   * Returns the error as the response to a GET or DELETE shows it (`pkg/storage/errors.go`,
   * `NewCorruptObjError`).
   */
  corrupt(resource: ApiResource): StatusError {
    const path = registryPath(resource, this.#stored.key, true);
    const message = `StorageError: corrupt object, Code: 7, Key: ${path}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: ${this.message}`;
    return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
      causes: [{ message }],
    });
  }
}

/** Runs a read of a stored object; an object that cannot be decoded is an internal error. */
export async function readDecoded<T>(
  resource: ApiResource,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UndecodableError ? error.corrupt(resource) : error;
  }
}
