// Mirrors `managedfields/internal/capmanagers.go, capManagersManager`.
import { compareTexts } from "@xca/apimachinery/internal/values";
import { union } from "./field_set/field_set.ts";
import { type Managed, type ManagedSets, managerId, seconds } from "./managed_entries.ts";

/**
 * The number of entries with the operation `Update` in an object's managed fields above which the
 * oldest are merged.
 */
const MAX_UPDATE_MANAGERS = 10;

/** The name of the field manager into which the oldest updating managers are merged. */
const ANCIENT = "ancient-changes";

/**
 * Merges the oldest updating managers of each API version in an object's managed fields, in place,
 * into the manager `ancient-changes`, until at most ten updating managers, or one of each API
 * version, are left.
 */
export function capUpdateManagers(managed: ManagedSets): void {
  if (managed.size <= MAX_UPDATE_MANAGERS) return;
  const updaters = [...managed].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= MAX_UPDATE_MANAGERS) return;
  updaters.sort(([a, left], [b, right]) =>
    seconds(left.time) - seconds(right.time) || compareTexts(a, b)
  );
  let count = updaters.length;
  const firstOf = new Map<string, string>();
  for (const [id, each] of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) return;
    const first = firstOf.get(each.apiVersion);
    if (first === undefined) {
      firstOf.set(each.apiVersion, id);
      continue;
    }
    mergeIntoBucket(managed, first, id, each);
    count--;
  }
}

function mergeIntoBucket(managed: ManagedSets, first: string, id: string, each: Managed): void {
  const { apiVersion } = each;
  const identity = { manager: ANCIENT, operation: "Update", apiVersion, subresource: "" } as const;
  const bucketId = managerId(identity);
  let bucket = managed.get(bucketId);
  if (bucket === undefined) {
    bucket = managed.get(first)!;
    managed.delete(first);
  }
  managed.delete(id);
  managed.set(bucketId, { ...identity, time: each.time, set: union(each.set, bucket.set) });
}
