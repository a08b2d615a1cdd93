// Mirrors `managedfields/internal/fieldmanager.go, FieldManager`.
import { apiVersionOf } from "../machinery/keys.ts";
import { runAll } from "@xca/apimachinery/internal/base";
import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, isMap, jsonEqual } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { ApiResource } from "../machinery/resource.ts";
import { capUpdateManagers } from "./cap_managers.ts";
import { ConflictsError, conflictStatus } from "./conflicts.ts";
import {
  difference,
  type FieldSet,
  hasPath,
  isEmpty,
  setOf,
  union,
} from "./field_set/field_set.ts";
import { KUBECTL, ownedByLastApplied, refreshLastApplied } from "./last_applied.ts";
import {
  ManagedFieldsError,
  type ManagedSets,
  managerId,
  readManaged,
  readStoredManaged,
  writeManaged,
} from "./managed_entries.ts";
import { otherVersionFilter, resetFilter } from "./reset_fields.ts";
import { isCustomScale, UNCONVERTED_SCALE } from "./scale_handler.ts";
import { TypedError } from "./typed/typed_error.ts";
import { type Applied, applyOwnership, type Ownership, updateOwnership } from "./updater.ts";
import { validateTypedInSteps } from "./typed/validate_typed.ts";
import { VersionedTypes, type VersionFinder } from "./versioned_types.ts";
import { zeroObject } from "./zero_object.ts";

/**
 * The name of the field manager that owns the fields which an object had before its first apply.
 */
const BEFORE_FIRST_APPLY = "before-first-apply";

/** The paths of an object's fields that no field manager owns. */
const NEVER_OWNED: FieldSet = setOf(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((field) => ["f:metadata", `f:${field}`]),
);

/** Options of a server-side apply. */
export interface ApplyOptions {
  /** The name of the field manager of the apply. */
  readonly manager: string;
  /**
   * Sets whether the apply takes over fields that other field managers own, instead of failing with
   * a conflict.
   */
  readonly force: boolean;
  readonly now: Date;
}

/**
 * A maintainer of `metadata.managedFields` for the objects of one resource at one endpoint: the
 * object itself or a subresource (`managedfields/fieldmanager.go, FieldManager`).
 */
export class FieldManager {
  readonly #resource: ApiResource;
  readonly #subresource: string;
  readonly #ownership: Ownership;

  /**
   * Creates the maintainer of `metadata.managedFields` at an endpoint: at the objects of a
   * resource, or at their subresource. `find` returns the resource in other API versions, which
   * earlier managers may have used.
   */
  constructor(
    resource: ApiResource,
    subresource = "",
    find: VersionFinder = versionOfGroup(resource),
  ) {
    this.#resource = resource;
    this.#subresource = subresource;
    const apiVersion = apiVersionOf(resource);
    const filter = resetFilter(resource, subresource);
    const custom = resource.customResourceDefinition !== undefined;
    this.#ownership = {
      types: new VersionedTypes(resource, resource.schema(), find),
      apiVersion,
      filter: (version) => {
        if (!custom || version === apiVersion) return filter;
        return otherVersionFilter(find(version), subresource);
      },
    };
  }

  /**
   * Sets the managed fields of `next`, in place. `next` is the object with which `manager` replaces
   * `live` (absent for a creation). Valid managed fields that the client sent in `next` replace the
   * stored ones, and an empty list resets them, except at a subresource. A stored object without
   * managed fields, or whose fields are reset, gets none. If an object does not match its schema,
   * `next` gets the managed fields of `live`.
   */
  update(live: ApiObject | undefined, next: ApiObject, manager: string, now: Date): void {
    runAll(this.updateInSteps(live, next, manager, now));
  }

  /**
   * Updates the managed fields as {@linkcode FieldManager.update}, in steps, between which other
   * requests may run.
   */
  *updateInSteps(
    live: ApiObject | undefined,
    next: ApiObject,
    manager: string,
    now: Date,
  ): Generator<void, void> {
    const managed = this.#startingPoint(live, next);
    yield;
    delete next.metadata.managedFields;
    const stored = live?.metadata.managedFields;
    // The scale of a custom object without a version is not converted.
    if (next.apiVersion === undefined && isCustomScale(this.#resource)) {
      if (stored?.length) next.metadata.managedFields = stored;
      return;
    }
    try {
      const after = yield* this.#update(live, next, managed, manager, now);
      setManaged(next, after);
    } catch (error) {
      // An object that does not match its type keeps the managers of the live object.
      if (!(error instanceof TypedError)) throw error;
      if (stored?.length) next.metadata.managedFields = stored;
    }
  }

  #startingPoint(live: ApiObject | undefined, next: ApiObject): ManagedSets {
    const given = next.metadata.managedFields;
    const stored = live?.metadata.managedFields;
    if (this.#subresource === "" && given && !(stored && jsonEqual(given, stored))) {
      if (isReset(given)) return new Map();
      const managed = orNothing(() => readManaged(given));
      if (managed.size > 0) return managed;
    }
    return orNothing(() => readStoredManaged(stored));
  }

  *#update(
    live: ApiObject | undefined,
    next: ApiObject,
    managed: ManagedSets,
    manager: string,
    now: Date,
  ): Generator<void, ManagedSets> {
    if (managed.size === 0 && live?.metadata.uid) return managed;
    // Decoded objects of built-in kinds always match their type.
    if (this.#resource.customResourceDefinition !== undefined) {
      const { types, apiVersion } = this.#ownership;
      yield* validateTypedInSteps(next, types.type(apiVersion)!, { allowDuplicates: true });
    }
    const { apiVersion } = this.#ownership;
    const identity = {
      manager: manager || "unknown",
      operation: "Update",
      apiVersion,
      subresource: this.#subresource,
    } as const;
    const id = managerId(identity);
    const before = live ?? this.#emptyObject();
    const updated = updateOwnership(this.#ownership, before, next, managed);
    const { managed: left, own } = yield* updated;
    yield;
    const set = difference(own, NEVER_OWNED);
    if (!isEmpty(set)) {
      const previous = left.get(id);
      left.set(id, {
        ...identity,
        time: formatTime(now),
        set: previous ? union(set, previous.set) : set,
      });
    }
    capUpdateManagers(left);
    return left;
  }

  /** Returns the empty object of the resource's kind, with which a new object is compared. */
  #emptyObject(): ApiObject {
    const { kind, customResourceDefinition } = this.#resource;
    const schema = this.#resource.schema();
    const zero = schema && customResourceDefinition === undefined ? zeroObject(schema) : {};
    return { metadata: {}, ...zero, apiVersion: this.#ownership.apiVersion, kind };
  }

  /**
   * Merges an applied object into `live` (absent for a creation) and updates the managed fields.
   * Returns the result, which is a copy of `live` if nothing changes, and shares nothing with the
   * applied object.
   *
   * @throws {StatusError} 409 for a conflict with other managers; 400 for an object of another kind
   * or API version, or with `managedFields`; 500 for an object that does not match its schema, and
   * for invalid managed fields of `live`.
   */
  apply(live: ApiObject | undefined, applied: ApiObject, options: ApplyOptions): ApiObject {
    return runAll(this.applyInSteps(live, applied, options));
  }

  /**
   * Merges an applied object as {@linkcode FieldManager.apply}, in steps, between which other
   * requests may run.
   */
  *applyInSteps(
    live: ApiObject | undefined,
    applied: ApiObject,
    options: ApplyOptions,
  ): Generator<void, ApiObject> {
    const { kind } = this.#resource;
    const { apiVersion } = this.#ownership;
    const current = live ? withoutManagedFields(live) : { apiVersion, kind, metadata: {} };
    let managed = live ? this.#liveManaged(live) : new Map();
    this.#checkKind(applied);
    if (managed.size === 0 && live !== undefined) {
      managed = yield* this.#beforeFirstApply(current, options.now);
    }
    refuseManagedFields(applied);
    yield;
    const result = yield* this.#applyOrMigrate(current, applied, managed, options);
    const object = result.object ?? cloneJson(current);
    // A manager that owned all metadata in another version may have removed them.
    object.metadata ??= {};
    yield;
    setManaged(object, result.managed);
    if (options.manager === KUBECTL) refreshLastApplied(object, applied);
    return object;
  }

  #checkKind(applied: ApiObject): void {
    const apiVersion = textOrNone(applied.apiVersion);
    const kind = textOrNone(applied.kind);
    const expected = this.#ownership.apiVersion;
    if (apiVersion !== expected || kind !== this.#resource.kind) {
      const [version, group = ""] = apiVersion.split("/").reverse();
      throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`);
    }
  }

  /**
   * Returns the managed fields of an object before its first server-side apply: all its fields
   * belong to the manager {@linkcode BEFORE_FIRST_APPLY}.
   *
   * @throws {StatusError} 500 if the object does not match its schema.
   */
  *#beforeFirstApply(current: ApiObject, now: Date): Generator<void, ManagedSets> {
    if (isCustomScale(this.#resource)) {
      const what = kindOf(this.#ownership.apiVersion, this.#resource.kind);
      throw plainError(
        `failed to create manager for existing fields: failed to convert live object (/; ${what}) ` +
          `to proper version: ${UNCONVERTED_SCALE}`,
      );
    }
    try {
      return yield* this.#update(this.#emptyObject(), current, new Map(), BEFORE_FIRST_APPLY, now);
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      const what = "failed to create manager for existing fields: failed to convert new";
      const saidOf = (which: string): string => `${what} object (${which}) to smd typed`;
      throw (yield* this.#notOfType(current, true, saidOf)) ?? error;
    }
  }

  #liveManaged(live: ApiObject): ManagedSets {
    try {
      return readStoredManaged(live.metadata.managedFields);
    } catch (error) {
      if (!(error instanceof ManagedFieldsError)) throw error;
      throw plainError(`failed to decode managed fields: ${error.message}`);
    }
  }

  /**
   * Returns the result of a server-side apply. If the applier is `kubectl`, and all conflicts
   * concern fields that an earlier client-side `kubectl apply` set, the apply takes over these
   * fields.
   *
   * @throws {StatusError} 409 for other conflicts.
   */
  *#applyOrMigrate(
    live: ApiObject,
    applied: ApiObject,
    managed: ManagedSets,
    options: ApplyOptions,
  ): Generator<void, Applied> {
    try {
      return yield* this.#apply(live, applied, managed, options);
    } catch (error) {
      if (!(error instanceof ConflictsError)) throw error;
      if (options.manager !== KUBECTL) throw conflictStatus(error.conflicts);
      const { apiVersion, types } = this.#ownership;
      const allowed = ownedByLastApplied(live, apiVersion, types.type(apiVersion)!);
      const rest = error.conflicts.filter(({ path }) => !hasPath(allowed, path));
      if (rest.length > 0) throw conflictStatus(rest);
      return yield* this.#apply(live, applied, managed, { ...options, force: true });
    }
  }

  *#apply(
    live: ApiObject,
    applied: ApiObject,
    managed: ManagedSets,
    { manager, force, now }: ApplyOptions,
  ): Generator<void, Applied> {
    const { apiVersion } = this.#ownership;
    const subresource = this.#subresource;
    const id = managerId({ manager, operation: "Apply", apiVersion, subresource });
    const applier = { id, manager, subresource };
    yield* this.#validate(live, applied);
    yield;
    let result: Applied;
    try {
      result = yield* applyOwnership(this.#ownership, live, applied, managed, applier, force);
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      throw (yield* this.#liveError(live)) ?? plainError(error.message);
    }
    yield;
    const own = result.managed.get(id);
    if (own !== undefined) {
      const set = difference(own.set, NEVER_OWNED);
      const time = result.object === undefined ? own.time : formatTime(now);
      if (isEmpty(set)) result.managed.delete(id);
      else result.managed.set(id, { ...own, set, time });
    }
    return result;
  }

  *#validate(live: ApiObject, applied: ApiObject): Generator<void, void> {
    const wrong = yield* this.#notOfType(
      applied,
      false,
      (which) => `failed to create typed patch object (${which})`,
    );
    if (wrong) throw wrong;
    yield;
    // Stored objects of built-in kinds always match their type; the type of custom ones may have
    // changed.
    if (this.#resource.customResourceDefinition === undefined) return;
    const wrongLive = yield* this.#liveError(live);
    if (wrongLive) throw wrongLive;
  }

  *#liveError(live: ApiObject): Generator<void, StatusError | undefined> {
    const saidOf = (which: string): string => `failed to create typed live object (${which})`;
    return yield* this.#notOfType(live, true, saidOf);
  }

  /**
   * Returns the 500 error about an object that does not match its schema; `undefined` for an object
   * that matches.
   */
  *#notOfType(
    object: ApiObject,
    allowDuplicates: boolean,
    saidOf: (which: string) => string,
  ): Generator<void, StatusError | undefined> {
    const { types, apiVersion } = this.#ownership;
    try {
      yield* validateTypedInSteps(object, types.type(apiVersion)!, { allowDuplicates });
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      const which = `${nameOf(object)}; ${kindOf(apiVersion, this.#resource.kind)}`;
      return plainError(`${saidOf(which)}: ${error.message}`);
    }
    return undefined;
  }
}

/**
 * Refuses a server-side apply of an object whose `managedFields` are a list of objects, or an empty
 * list.
 *
 * @throws {StatusError} 400
 */
function refuseManagedFields({ metadata }: ApiObject): void {
  const given: unknown = metadata?.managedFields;
  if (Array.isArray(given) && given.every(isMap)) {
    throw badRequest("metadata.managedFields must be nil");
  }
}

/**
 * Returns `namespace/name` of an object that is not validated yet; a name or a namespace that is
 * not a string counts as empty.
 */
function nameOf({ metadata }: ApiObject): string {
  const text = (value: unknown) => typeof value === "string" ? value : "";
  return `${text(metadata?.namespace)}/${text(metadata?.name)}`;
}

/** Returns the text of a group, version and kind: `apps/v1, Kind=Deployment` or `/v1, Kind=Pod`. */
function kindOf(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Returns the 500 error without a reason that kube-apiserver sends for internal errors. */
function plainError(message: string): StatusError {
  return new StatusError(500, "", message);
}

function setManaged(object: ApiObject, managed: ManagedSets): void {
  const entries = writeManaged(managed);
  if (entries === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Reports whether a client resets the managed fields of an object: by an empty list, or one empty
 * entry.
 */
function isReset(entries: readonly unknown[]): boolean {
  if (entries.length === 0) return true;
  const [first] = entries;
  return entries.length === 1 &&
    (first === null || Object.keys(first as object).length === 0);
}

/** Returns a string value; an empty text for values of other types. */
function textOrNone(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function orNothing(read: () => ManagedSets): ManagedSets {
  try {
    return read();
  } catch (error) {
    if (error instanceof ManagedFieldsError) return new Map();
    throw error;
  }
}

/**
 * Returns a version finder that finds the given resource for all versions of its group, as if they
 * had the same structure.
 */
function versionOfGroup(resource: ApiResource): VersionFinder {
  return (apiVersion) => {
    const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
    return group === resource.group ? resource : undefined;
  };
}
