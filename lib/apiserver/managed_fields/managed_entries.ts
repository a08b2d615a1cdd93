/**
 * `metadata.managedFields` as field management works on it, and back.
 *
 * @module
 */
import { goJson, goQuote } from "@xca/apimachinery/internal/values";
import { EMPTY, type FieldSet } from "./field_set.ts";
import { readFieldSet } from "./read_field_set.ts";

/** One entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
  subresource?: string;
}

/** What one manager owns. */
export interface Managed {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  /** The version that the paths are of. */
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** What each manager owns, by {@linkcode managerId}. */
export type ManagedSets = Map<string, Managed>;

/** Entries that cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

type Identity = Pick<Managed, "manager" | "operation" | "apiVersion" | "subresource">;

/** What tells managers apart: an applier is the same one in every version, an updater is not. */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): string {
  return goJson({
    manager: manager || undefined,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource || undefined,
  });
}

/**
 * Reads entries as a client or a webhook sends them.
 * @throws {ManagedFieldsError} When they are not well-formed.
 */
export function readManaged(entries: readonly unknown[] | undefined): ManagedSets {
  return readWith(entries, readSet);
}

/**
 * Reads the entries of a stored object, whose sets are in order: they were written here.
 * @throws {ManagedFieldsError} When they are not well-formed.
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

/** Entries in the order of the real server: by operation, time, manager, version, subresource. */
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
  return compareText(a.operation, b.operation) || seconds(a.time) - seconds(b.time) ||
    compareText(a.manager, b.manager) || compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The time of an entry in seconds; zero without one. */
export function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
