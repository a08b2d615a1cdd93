import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { StoredObject } from "../storage/arena.ts";
import type { RevisionLog } from "../storage/revision_log.ts";
import { storedBytes } from "./stored_bytes.ts";

/** What a write made. */
export interface Written {
  /** The object in the version that was asked for; of some deletions a `Status`. */
  readonly object: ApiObject;
  /** The same as it was stored, where that is what is shown. */
  readonly stored?: StoredObject;
  readonly created: boolean;
  /** It went by this update, which took away what had held it; it is shown as it was sent. */
  readonly gone?: boolean;
}

/** What etcd takes at most in one request, in bytes; some of it is not the object. */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024 - 512;

/**
 * The text to store now: of `stored`, with the revision that the write will have, which `object`
 * (the same in the version asked for) is told too. `kind` and `apiVersion` come first: lists of
 * built-in kinds leave them out.
 */
export function storeText(log: RevisionLog, object: ApiObject, stored: ApiObject): string {
  const resourceVersion = String(log.nextRevision);
  object.metadata.resourceVersion = resourceVersion;
  stored.metadata.resourceVersion = resourceVersion;
  const { kind, apiVersion, metadata, ...rest } = stored;
  const text = JSON.stringify({ kind, apiVersion, metadata, ...rest });
  if (text.length * 3 <= MAX_STORED_BYTES) return text; // No unit of text takes more bytes.
  if (storedBytes(stored, text) <= MAX_STORED_BYTES) return text;
  if (!metadata.managedFields) {
    throw new StatusError(500, "", "etcdserver: request is too large");
  }
  // Rather without than not at all.
  delete object.metadata.managedFields;
  delete metadata.managedFields;
  return storeText(log, object, stored);
}
