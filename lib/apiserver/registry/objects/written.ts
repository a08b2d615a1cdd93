// Mirrors `storage/etcd3/store.go, store.Create`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, jsonText } from "@xca/apimachinery/internal/values";
import type { StoredObject } from "../../storage/arena.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import { protobufBytes, storedBytes } from "./stored_bytes.ts";

/** The result of a creation or an update: the object of the response, and the kind of change. */
export interface Written {
  /** The written object in the requested API version. */
  readonly object: ApiObject;
  /** The stored object, if the response shows its JSON text; absent otherwise. */
  readonly stored?: StoredObject;
  readonly created: boolean;
  /**
   * Reports whether the update removed the object from storage, or would have without the dry run,
   * because the object was being deleted and lost its last finalizer or hold; the response shows
   * the sent object.
   */
  readonly gone?: boolean;
}

/**
 * The size limit of a stored object, in bytes as kube-apiserver stores it (protobuf or JSON): that
 * of an etcd request, less the other fields of the request. A larger object loses its managed
 * fields, and is refused if it is too large without them.
 */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024 - 512;

/**
 * Returns the JSON text of a stored object with the revision that the next write to the storage
 * will have, and sets that revision in the object.
 */
export function lastText(log: RevisionLog, stored: ApiObject): string {
  stored.metadata.resourceVersion = String(log.nextRevision);
  const { kind, apiVersion, metadata, ...rest } = stored;
  return jsonText({ kind, apiVersion, metadata, ...rest });
}

/**
 * Returns the JSON text of `stored` with the revision that the next write to the storage will have,
 * and sets that revision in `object` (the same object in the requested version) as well. `kind` and
 * `apiVersion` come first, so that lists of built-in kinds can leave them out. `fits` is true if
 * {@linkcode surelyFits} found the object small enough. The managed fields of an object that is too
 * large are deleted.
 *
 * @throws {StatusError} 500 if the object is too large without managed fields.
 */
export function storeText(
  log: RevisionLog,
  object: ApiObject,
  stored: ApiObject,
  fits = false,
): string {
  const text = lastText(log, stored);
  const { metadata } = stored;
  object.metadata.resourceVersion = metadata.resourceVersion!;
  if (fits || text.length * 3 <= MAX_STORED_BYTES) return text; // A UTF-16 unit has at most three bytes in UTF-8.
  if (storedBytes(stored, text) <= MAX_STORED_BYTES) return text;
  if (!metadata.managedFields) {
    throw new StatusError(500, "", "etcdserver: request is too large");
  }
  // An object that is too large is stored without managed fields rather than refused.
  delete object.metadata.managedFields;
  delete metadata.managedFields;
  return storeText(log, object, stored);
}

/** The maximum number of bytes by which the revision of a write lengthens a stored object. */
const REVISION_BYTES = 32;

/**
 * Reports whether an object that kube-apiserver stores as protobuf is below the size limit of
 * stored objects with any revision; false for an object that is stored as JSON. For a large object
 * this takes milliseconds, which {@linkcode storeText} then saves.
 */
export function surelyFits(stored: ApiObject): boolean {
  const bytes = protobufBytes(stored);
  return bytes !== undefined && bytes + REVISION_BYTES <= MAX_STORED_BYTES;
}
