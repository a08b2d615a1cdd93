// Mirrors `endpoints/handlers/rest.go, dedupOwnerReferencesAndAddWarning`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../../machinery/request_context.ts";

/**
 * Removes duplicate owner references of an object, in place, and adds a warning to the response if
 * there were any. `afterAdmission` sets whether the warning mentions mutating admission as the
 * cause.
 */
export function dedupOwners(
  object: ApiObject,
  context: RequestContext,
  afterAdmission: boolean,
): void {
  const owners = object.metadata.ownerReferences;
  if (!owners || owners.length < 2) return;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const kept = owners.filter((owner) => {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!seen.has(key)) return seen.add(key);
    repeated.add(uid);
    return false;
  });
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = kept;
  const when = afterAdmission ? " after mutating admission happens" : "";
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner ` +
      "references in 1.20+, and may reject such requests as early as 1.24; please fix your " +
      `requests; duplicate UID(s) observed: ${[...repeated].join(", ")}`,
  );
}
