/**
 * Errors about stored objects that cannot be converted to the requested version.
 *
 * Mirrors `storage/errors.go, NewCorruptObjError`.
 *
 * @module
 */
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiResource } from "../../machinery/resource.ts";
import { registryPath } from "../../machinery/keys.ts";
import type { StoredObject } from "../../storage/arena.ts";

/** The error for a stored object that cannot be decoded in the requested API version. */
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

/**
 * Runs a read of a stored object, and returns the result.
 *
 * @throws {StatusError} 500 if the object cannot be decoded, as the response to a GET or DELETE
 * shows it.
 * @throws {unknown} Any other error of `read`.
 */
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
