/**
 * The errors of a stored object that no conversion brings to the requested version.
 *
 * @module
 */
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiResource } from "../../machinery/resource.ts";
import { registryPath } from "../../machinery/keys.ts";
import type { StoredObject } from "../../storage/arena.ts";

/** An error of a stored object that cannot be decoded in the requested version. */
export class UndecodableError extends StatusError {
  readonly #stored: StoredObject;

  constructor(stored: StoredObject, cause: StatusError) {
    const { resourceVersion } = stored.tree().metadata;
    super(500, "", `object not decodable revision=${resourceVersion}: ${cause.message}`);
    this.#stored = stored;
  }

  /**
   * Returns the error as a get and a delete show it (`pkg/storage/errors.go`, `NewCorruptObjError`
   * in k8s.io/apiserver).
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

/** Reads an object; an object that cannot be decoded is an internal error. */
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
