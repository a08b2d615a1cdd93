// Mirrors `merge/update.go, Updater.prune`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { difference, type FieldSet, intersection, isEmpty, union } from "./field_set/field_set.ts";
import type { MergeType } from "./typed/merge_type.ts";
import type { Managed, ManagedSets } from "./managed_entries.ts";
import { removeItems, withNamedFields } from "./typed/remove_items.ts";
import { toFieldSetInSteps } from "./typed/to_field_set.ts";
import { wanted, wantedInSteps } from "./typed/typed_error.ts";
import type { VersionedObject, VersionedTypes } from "./versioned_types.ts";

/** An API version, with the converter of the resource's objects between versions. */
interface Version {
  readonly types: VersionedTypes;
  readonly apiVersion: string;
}

/**
 * Returns a merged object without the fields that its applier applied earlier (`last`) and no
 * longer applies, unless another manager owns them; the given object if there are no earlier
 * fields, or their version is not served any more. Runs in steps, between which other requests may
 * run.
 *
 * @throws {TypedError} If the object does not match its type in the version of a manager.
 */
export function* pruneFields(
  { types, apiVersion }: Version,
  merged: ApiObject,
  managers: ManagedSets,
  last: Managed | undefined,
): Generator<void, ApiObject> {
  if (last === undefined || isEmpty(last.set)) return merged;
  const type = types.type(last.apiVersion);
  if (type === undefined) return merged;
  const at: Version = { types, apiVersion: last.apiVersion };
  const whole = wanted(
    "failed to convert merged object to last applied version",
    () => types.convert({ apiVersion, object: merged }, last.apiVersion),
  );
  const bare = removeItems(whole, withNamedFields(last.set, type), type) as ApiObject;
  yield;
  const kept = yield* wantedInSteps(
    "failed add back owned items",
    addBackOwned(at, whole, bare, managers),
  );
  yield;
  const pruned = yield* wantedInSteps(
    "failed add back dangling items",
    addBackDangling(at, whole, kept, last.set),
  );
  yield;
  return types.convert({ apiVersion: last.apiVersion, object: pruned }, apiVersion);
}

/**
 * Returns the object `bare` with those removed fields restored from `whole` that other managers
 * own, or that the applier owns by this apply. The result is in the API version that was examined
 * last.
 */
function* addBackOwned(
  at: Version,
  whole: ApiObject,
  bare: ApiObject,
  managers: ManagedSets,
): Generator<void, VersionedObject> {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? {}, set));
  }
  let result: VersionedObject = { apiVersion: at.apiVersion, object: bare };
  const versions = [...byVersion.keys()].sort((a, b) =>
    Number(b === at.apiVersion) - Number(a === at.apiVersion)
  );
  for (const version of versions) {
    result = yield* addBackInVersion(at, whole, result, version, byVersion.get(version)!);
  }
  return result;
}

function* addBackInVersion(
  { types, apiVersion }: Version,
  whole: ApiObject,
  bare: VersionedObject,
  version: string,
  owned: FieldSet,
): Generator<void, VersionedObject> {
  const type = types.type(version);
  if (type === undefined) return bare;
  const from = wanted(
    `failed to convert merged object at version ${version}`,
    () => types.convert({ apiVersion, object: whole }, version),
  );
  const rest = wanted(
    `failed to convert pruned object at version ${version}`,
    () => types.convert(bare, version),
  );
  yield;
  const all = yield* allFields(from, type);
  const kept = yield* allFields(rest, type);
  const keep = union(kept, withNamedFields(owned, type));
  yield;
  const object = removeItems(from, difference(all, keep), type) as ApiObject;
  return { apiVersion: version, object };
}

function* allFields(object: ApiObject, type: MergeType): Generator<void, FieldSet> {
  const set = yield* toFieldSetInSteps(object, type);
  yield;
  const all = withNamedFields(set, type);
  yield;
  return all;
}

/**
 * Returns the object `kept` with those removed fields restored from `whole` that the applier did
 * not own before its apply: items without an owner, or owned by updates.
 */
function* addBackDangling(
  { types, apiVersion }: Version,
  whole: ApiObject,
  kept: VersionedObject,
  last: FieldSet,
): Generator<void, ApiObject> {
  const type = types.type(apiVersion)!;
  const pruned = wanted(
    "failed to convert pruned object to last applied version",
    () => types.convert(kept, apiVersion),
  );
  const before = yield* allFields(whole, type);
  const after = yield* allFields(pruned, type);
  const gone = difference(before, after);
  return removeItems(whole, intersection(gone, withNamedFields(last, type)), type) as ApiObject;
}
