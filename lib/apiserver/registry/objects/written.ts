// Mirrors `storage/etcd3/store.go, store.Create`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { StoredObject } from "../../storage/arena.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import { storedBytes } from "./stored_bytes.ts";

/** The result of a write: the object of the response, and the kind of change. */
export interface Written {
  /** The written object in the requested API version; a `Status` for some deletions. */
  readonly object: ApiObject;
  /** The stored object, if its JSON text is what the response shows. */
  readonly stored?: StoredObject;
  readonly created: boolean;
  /**
   * Whether the update removed the last finalizer, and the object with it; the response shows the
   * sent object.
   */
  readonly gone?: boolean;
}

/**
 * The size limit of a stored object in bytes: that of an etcd request, less what surrounds the
 * object.
 */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024 - 512;

/**
 * Returns the JSON text of `stored` with the revision that the write will have, and sets that
 * revision in `object` (the same object in the requested version) as well. `kind` and `apiVersion`
 * come first, so that lists of built-in kinds can leave them out.
 */
export function storeText(log: RevisionLog, object: ApiObject, stored: ApiObject): string {
  const resourceVersion = String(log.nextRevision);
  object.metadata.resourceVersion = resourceVersion;
  stored.metadata.resourceVersion = resourceVersion;
  const { kind, apiVersion, metadata, ...rest } = stored;
  const text = JSON.stringify({ kind, apiVersion, metadata, ...rest });
  if (text.length * 3 <= MAX_STORED_BYTES) return text; // A UTF-16 unit has at most three bytes in UTF-8.
  if (storedBytes(stored, text) <= MAX_STORED_BYTES) return text;
  if (!metadata.managedFields) {
    throw new StatusError(500, "", "etcdserver: request is too large");
  }
  // An object that is too large is stored without managed fields rather than refused.
  delete object.metadata.managedFields;
  delete metadata.managedFields;
  return storeText(log, object, stored);
}
