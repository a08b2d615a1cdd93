// Mirrors `endpoints/handlers/fieldmanager/admission.go,
// managedFieldsValidatingAdmissionController`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ManagedFieldsError, readManaged, writeManaged } from "./managed_entries.ts";

/**
 * Returns a function that protects an object's managed fields from mutating admission. The function
 * is called with the admitted object. Managed fields that admission changed stay if they are valid;
 * otherwise they are restored with a warning. A change is recognized by another list object, since
 * the entries are shared and immutable.
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
