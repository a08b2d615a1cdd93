// Mirrors `endpoints/handlers/fieldmanager/equality.go, IgnoreManagedFieldsTimestampsTransformer`.
import { type ApiObject, jsonEqual } from "@xca/apimachinery/internal/values";
import type { ManagedFieldsEntry } from "./managed_entries.ts";

/**
 * Restores the times of an object's managed fields, in place, if a write changes nothing else, so
 * that the write counts as no change (`managedfields, IgnoreManagedFieldsTimestampsTransformer`).
 */
export function keepTimesOfNoChange(next: ApiObject, old: ApiObject): void {
  const entries = (next.metadata.managedFields ?? []) as ManagedFieldsEntry[];
  const before = (old.metadata.managedFields ?? []) as ManagedFieldsEntry[];
  if (entries.length === 0 || entries.length !== before.length) return;
  if (entries.every(({ time }, index) => time === before[index]!.time)) return;
  const sameOwners = entries.every((entry, index) =>
    jsonEqual({ ...entry, time: undefined }, { ...before[index], time: undefined })
  );
  if (!sameOwners || !jsonEqual(withoutEntries(next), withoutEntries(old))) return;
  next.metadata.managedFields = before;
}

function withoutEntries(object: ApiObject): ApiObject {
  return { ...object, metadata: { ...object.metadata, managedFields: undefined! } };
}
