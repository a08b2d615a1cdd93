import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ManagedFieldsError, readManaged, writeManaged } from "./managed_entries.ts";

/**
 * Looks after the managed fields while mutating admission changes an object: call it before, and what
 * it returns with the object that comes out. What admission made of them stands if it is well-formed,
 * else they are put back and the caller is warned. Admission replaces the list, if it does anything:
 * its entries are shared, and never changed.
 */
export function guardManagedFields(
  before: ApiObject,
): (after: ApiObject, warn: (text: string) => void) => void {
  const was = before.metadata.managedFields;
  return (after, warn) => {
    const { managedFields } = after.metadata;
    if (managedFields === was) return;
    try {
      const entries = writeManaged(readManaged(managedFields));
      if (entries === undefined) delete after.metadata.managedFields;
      else after.metadata.managedFields = entries;
    } catch (error) {
      if (!(error instanceof ManagedFieldsError)) throw error;
      if (was === undefined) delete after.metadata.managedFields;
      else after.metadata.managedFields = was;
      warn(
        ".metadata.managedFields was in an invalid state after admission; this could be caused by " +
          "an outdated mutating admission controller; please fix your requests: " + error.message,
      );
    }
  };
}
