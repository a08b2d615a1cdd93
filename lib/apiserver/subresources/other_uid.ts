import type { RequestContext } from "../machinery/request_context.ts";
import { conflict, type StatusError } from "../machinery/status_error.ts";

/** 409: the caller means another object that had the name, as storage complains of it. */
export function otherUid(
  { namespace, name, resource: { customResourceDefinition } }: RequestContext,
  wanted: string,
  found: string,
  { group, resource }: { readonly group: string; readonly resource: string },
): StatusError {
  const place = customResourceDefinition === undefined ? resource : `${group}/${resource}`;
  const key = `/registry/${place}/${namespace}/${name}`;
  return conflict(
    { group, resource },
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, ` +
      `UID in object meta: ${found}`,
  );
}
