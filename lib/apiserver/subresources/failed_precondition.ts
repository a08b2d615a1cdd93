// Mirrors `storage/interfaces.go, Preconditions.Check`.
import { registryPath, storageKey } from "../machinery/keys.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { conflict, type StatusError } from "@xca/apimachinery/internal/errors";

/**
 * A record of a precondition of an update or a deletion that the stored object does not meet: the
 * wanted and the found uid or resourceVersion.
 */
export interface FailedPrecondition {
  readonly what: "UID" | "ResourceVersion";
  readonly wanted: string;
  readonly found: string;
}

/** Returns the 409 error about a precondition that a stored object does not meet. */
export function failedPrecondition(
  { namespace, name, dryRun, resource: row }: RequestContext,
  { what, wanted, found }: FailedPrecondition,
  { group, resource }: { readonly group: string; readonly resource: string },
): StatusError {
  // A binding may be posted to the resource `bindings`, but its pod is stored as a pod.
  const stored = { ...row, group, plural: resource };
  const key = registryPath(stored, storageKey(namespace, name), dryRun);
  return conflict(
    { group, resource },
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ` +
      `${what} in object meta: ${found}`,
  );
}
