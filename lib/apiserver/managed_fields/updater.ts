/**
 * Determines which manager owns which field after an update or an apply
 * (`merge/update.go, Updater`).
 *
 * @module
 */
import { type ApiObject, jsonEqual } from "@xca/apimachinery/internal/values";
import { compareInSteps, type Comparison } from "./typed/compare.ts";
import { type Conflict, ConflictsError, conflictsWith } from "./conflicts.ts";
import {
  difference,
  EMPTY,
  type FieldSet,
  intersection,
  isEmpty,
  union,
} from "./field_set/field_set.ts";
import type { ManagedSets } from "./managed_entries.ts";
import { mergeObjects } from "./typed/merge.ts";
import type { MergeType } from "./typed/merge_type.ts";
import { pruneFields } from "./prune.ts";
import { reconcileSet } from "./typed/reconcile_set.ts";
import type { SetFilter } from "./reset_fields.ts";
import { toFieldSetInSteps } from "./typed/to_field_set.ts";
import { wanted, wantedInSteps } from "./typed/typed_error.ts";
import type { VersionedTypes } from "./versioned_types.ts";

/** The parameters of a write that affect the ownership of fields. */
export interface Ownership {
  readonly types: VersionedTypes;
  /** The API version of the write that determines the ownership of fields. */
  readonly apiVersion: string;
  /**
   * Returns, by API version, a filter that removes the fields which writers of this endpoint never
   * own.
   */
  readonly filter: (apiVersion: string) => SetFilter;
}

/**
 * The result of an update: the fields that it set or changed, and the field sets that the managers
 * keep from before, the updating one included.
 */
export interface Updated {
  readonly managed: ManagedSets;
  /** The fields that the updating manager owns by this write. */
  readonly own: FieldSet;
}

/**
 * Returns the ownership of fields after an update from `live` to `next`, which are in the API
 * version of the write. Yields between steps, so that other requests may run.
 *
 * @throws {TypedError} If an object does not match its type in the API version of the write or of a
 * manager.
 */
export function* updateOwnership(
  ownership: Ownership,
  live: ApiObject,
  next: ApiObject,
  managers: ManagedSets,
): Generator<void, Updated> {
  const managed = reconcile(ownership, live, managers);
  const taken = takeOver(ownership, live, next, managed, undefined, true);
  const { comparison, managed: left } = yield* taken;
  const changed = union(comparison.modified, comparison.added);
  return { managed: left, own: ownership.filter(ownership.apiVersion)(changed) };
}

/**
 * The result of an apply: the object and its field managers. `object` is absent if nothing changes.
 */
export interface Applied {
  readonly object: ApiObject | undefined;
  readonly managed: ManagedSets;
}

/**
 * Returns the live object with an applied object merged into it, without the fields that `applier`
 * applied earlier and no longer applies, and the field managers after the apply.
 * @throws {ConflictsError} For changed or added fields that other managers own, unless `force` is
 * set.
 * @throws {TypedError} If an object does not match its type in the API version of the write or of a
 * manager.
 */
export function* applyOwnership(
  ownership: Ownership,
  live: ApiObject,
  applied: ApiObject,
  managers: ManagedSets,
  applier: { readonly id: string; readonly manager: string; readonly subresource: string },
  force: boolean,
): Generator<void, Applied> {
  const { types, apiVersion } = ownership;
  const type = types.type(apiVersion)!;
  const managed = reconcile(ownership, live, managers);
  yield;
  const merged = wanted(
    "failed to merge config",
    () => mergeObjects(live, applied, type) as ApiObject,
  );
  const last = managed.get(applier.id);
  yield;
  const present = yield* toFieldSetInSteps(applied, type);
  yield;
  const set = ownership.filter(apiVersion)(present);
  const { manager, subresource } = applier;
  managed.set(applier.id, {
    manager,
    operation: "Apply",
    apiVersion,
    subresource,
    time: last?.time,
    set,
  });
  yield;
  const pruned = yield* wantedInSteps(
    "failed to prune fields",
    pruneFields({ types, apiVersion }, merged, managed, last),
  );
  yield;
  const { managed: left } = yield* takeOver(ownership, live, pruned, managed, applier.id, force);
  yield;
  return { object: jsonEqual(live, pruned) ? undefined : pruned, managed: left };
}

/**
 * Returns the managers without those whose API version is not served any more, such as a version
 * that the CustomResourceDefinition still names with `served: false`. The field sets of the others
 * are adapted to changed schemas by {@linkcode reconcileSet}.
 *
 * @throws {TypedError} If the CustomResourceDefinition does not name the API version of a manager
 * at all, or the live object does not match the schema of that version.
 */
function reconcile(
  { types, apiVersion }: Ownership,
  live: ApiObject,
  managers: ManagedSets,
): ManagedSets {
  const result: ManagedSets = new Map();
  for (const [id, managed] of managers) {
    types.checkDefined(managed.apiVersion);
    const type = types.type(managed.apiVersion);
    if (type === undefined) continue;
    types.convert({ apiVersion, object: live }, managed.apiVersion);
    const set = reconcileSet(managed.set, type);
    result.set(id, set === managed.set ? managed : { ...managed, set });
  }
  return result;
}

/**
 * Compares the live object with the next one, and returns the comparison, and the managers' field
 * sets without the changed, added and removed fields. The field set of `self` is returned
 * unchanged; managers whose field set is empty are left out.
 *
 * @throws {ConflictsError} If another manager owns a field that was changed or added, unless
 * `force` is set.
 * @throws {TypedError} If an object does not match its type in the API version of the write or of a
 * manager.
 */
function* takeOver(
  ownership: Ownership,
  live: ApiObject,
  next: ApiObject,
  managers: ManagedSets,
  self: string | undefined,
  force: boolean,
): Generator<void, { comparison: Comparison; managed: ManagedSets }> {
  const compare = comparer(ownership, live, next);
  const managed: ManagedSets = new Map();
  const conflicts: Conflict[] = [];
  for (const [id, each] of managers) {
    let { set } = each;
    if (id !== self) {
      yield;
      const { removed, modified, added } = yield* compare(each.apiVersion);
      yield;
      const conflict = intersection(set, union(modified, added));
      if (!force && !isEmpty(conflict)) conflicts.push(...conflictsWith(id, each, conflict));
      set = difference(difference(set, conflict), removed);
    }
    if (!isEmpty(set)) managed.set(id, set === each.set ? each : { ...each, set });
  }
  if (conflicts.length > 0) throw new ConflictsError(conflicts);
  return { comparison: yield* compare(ownership.apiVersion), managed };
}

/**
 * Returns a function that compares the objects of a write in an API version, once per version,
 * without the fields that {@linkcode Ownership.filter} removes. The function throws a TypedError if
 * an object does not match its type in that version.
 */
function comparer(
  { types, apiVersion, filter }: Ownership,
  live: ApiObject,
  next: ApiObject,
): (version: string) => Generator<void, Comparison> {
  const made = new Map<string, Comparison>();
  return function* (version) {
    let comparison = made.get(version);
    if (comparison === undefined) {
      const type: MergeType = types.type(version)!;
      const old = wanted(
        "failed to convert old object",
        () => types.convert({ apiVersion, object: live }, version),
      );
      const changed = wanted(
        "failed to convert new object",
        () => types.convert({ apiVersion, object: next }, version),
      );
      const found = yield* wantedInSteps(
        "failed to compare objects",
        compareInSteps(old, changed, type),
      );
      comparison = filterComparison(found, filter(version));
      made.set(version, comparison);
    }
    return comparison;
  };
}

function filterComparison(comparison: Comparison, filter: SetFilter): Comparison {
  const keep = (set: FieldSet) => set === EMPTY ? set : filter(set);
  return {
    removed: keep(comparison.removed),
    modified: keep(comparison.modified),
    added: keep(comparison.added),
  };
}
