/**
 * Converts `metadata.managedFields` to the form that field management works on, and back.
 *
 * Mirrors `managedfields/internal/managedfields.go, DecodeManagedFields`.
 *
 * @module
 */
import { compareTexts, goJson, goQuote } from "@xca/apimachinery/internal/values";
import { EMPTY, type FieldSet } from "./field_set/field_set.ts";
import { readFieldSet } from "./field_set/read_field_set.ts";

/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
  subresource?: string;
}

/**
 * The field set that one manager owns, with the manager's identity: an entry of `managedFields` in
 * parsed form.
 */
export interface Managed {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  /** The API version of the field paths in the managed fields entry. */
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** The field sets of an object's managers, by {@linkcode managerId}. */
export type ManagedSets = Map<string, Managed>;

/** The error for invalid entries of `metadata.managedFields`. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

type Identity = Pick<Managed, "manager" | "operation" | "apiVersion" | "subresource">;

/**
 * Returns the identity of a field manager as a text. For an apply, the identity is the same in all
 * API versions; for updates, it differs.
 */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): string {
  return goJson({
    manager: manager || undefined,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource || undefined,
  });
}

/**
 * Parses the entries of `managedFields` that a client or a webhook sent. Of several entries with
 * one identity, the last one counts.
 *
 * @throws {ManagedFieldsError} If they are invalid.
 */
export function readManaged(entries: readonly unknown[] | undefined): ManagedSets {
  return readWith(entries, readSet);
}

/**
 * Parses the `managedFields` of a stored object. The field sets are used without a check, since the
 * server wrote them in canonical order.
 *
 * @throws {ManagedFieldsError} If they are invalid.
 */
export function readStoredManaged(entries: readonly unknown[] | undefined): ManagedSets {
  return readWith(entries, ({ fieldsV1 }) => fieldsV1 ?? EMPTY);
}

function readWith(
  entries: readonly unknown[] | undefined,
  setOf: (entry: ManagedFieldsEntry) => FieldSet,
): ManagedSets {
  const sets: ManagedSets = new Map();
  for (const [index, entry] of (entries ?? []).entries()) {
    const managed = readEntry((entry ?? {}) as ManagedFieldsEntry, index, setOf);
    sets.set(managerId(managed), managed);
  }
  return sets;
}

function readEntry(
  entry: ManagedFieldsEntry,
  index: number,
  setOf: (entry: ManagedFieldsEntry) => FieldSet,
): Managed {
  const { manager = "", operation, apiVersion, subresource = "", time, fieldsType } = entry;
  if (operation !== "Apply" && operation !== "Update") {
    throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  }
  if (!apiVersion) throw new ManagedFieldsError("apiVersion must not be empty");
  if (!fieldsType) {
    throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== "FieldsV1") {
    throw new ManagedFieldsError(
      `invalid fieldsType ${goQuote(String(fieldsType))} in managed fields entry ${index}`,
    );
  }
  return { manager, operation, apiVersion, subresource, time, set: setOf(entry) };
}

function readSet(entry: ManagedFieldsEntry): FieldSet {
  try {
    return readFieldSet(entry.fieldsV1);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(`error decoding set: ${error.message}`);
  }
}

/**
 * Returns the entries of `managedFields` in kube-apiserver's order: by operation, time, manager,
 * version, subresource; `undefined` if there are none.
 */
export function writeManaged(sets: ManagedSets): ManagedFieldsEntry[] | undefined {
  if (sets.size === 0) return undefined;
  return [...sets.values()].sort(compareManaged).map(toEntry);
}

function toEntry(managed: Managed): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, set } = managed;
  return {
    ...(manager && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: set,
    ...(subresource && { subresource }),
  };
}

function compareManaged(a: Managed, b: Managed): number {
  return compareTexts(a.operation, b.operation) || seconds(a.time) - seconds(b.time) ||
    compareTexts(a.manager, b.manager) || compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource);
}

/**
 * Returns the time of an entry of `managedFields` in seconds since 1970; zero for an absent time.
 */
export function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
