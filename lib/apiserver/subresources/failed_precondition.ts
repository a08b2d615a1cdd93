import { registryPath, storageKey } from "../machinery/keys.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { conflict, type StatusError } from "@xca/apimachinery/internal/errors";

/** What was asked of the object that is there. */
export interface FailedPrecondition {
  readonly what: "UID" | "ResourceVersion";
  readonly wanted: string;
  readonly found: string;
}

/** 409: the caller means another object, or another state of it, as storage complains of it. */
export function failedPrecondition(
  { namespace, name, dryRun, resource: row }: RequestContext,
  { what, wanted, found }: FailedPrecondition,
  { group, resource }: { readonly group: string; readonly resource: string },
): StatusError {
  // The binding of a pod may be a resource of its own.
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
