/**
 * The ownership of `spec.replicas` of an object as seen and changed through its `scale`
 * subresource, which has another kind (`managedfields/scalehandler.go, ScaleHandler`).
 *
 * @module
 */
import type { ApiResource } from "../machinery/resource.ts";
import { difference, type FieldSet, hasPath, isEmpty, setOf } from "./field_set/field_set.ts";
import {
  type ManagedFieldsEntry,
  type ManagedSets,
  readStoredManaged,
  writeManaged,
} from "./managed_entries.ts";

/**
 * The end of the messages of errors about a server-side apply to the `scale` subresource of a
 * custom object whose Scale cannot be converted: custom resources have no API version
 * `autoscaling/v1`.
 */
export const UNCONVERTED_SCALE =
  "request to convert CR to an invalid group/version: autoscaling/v1";

/** Reports whether a patched resource is the `scale` subresource of a custom resource. */
export function isCustomScale(
  { kind, scalePaths, customResourceDefinition }: ApiResource,
): boolean {
  return scalePaths !== undefined && customResourceDefinition === undefined && kind === "Scale";
}

const SCALE_VERSION = "autoscaling/v1";
const SCALE_PATH = ["f:spec", "f:replicas"];
const SCALE_SET: FieldSet = setOf(SCALE_PATH);

/**
 * The field path of the replica count by API version of the object: for a custom resource, of all
 * versions in its definition, `undefined` for a version without a replica count; for a built-in
 * resource, of the requested version alone.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

type Entries = readonly unknown[] | undefined;

/** Returns the managed fields of an object's `Scale`, derived from those of the object. */
export function scaleEntries(parent: Entries, paths: ReplicasPaths): ManagedFieldsEntry[] {
  const scale: ManagedSets = new Map();
  for (const [id, managed] of readStoredManaged(parent)) {
    const path = paths.get(managed.apiVersion);
    if (path === undefined || !hasPath(managed.set, path)) continue;
    scale.set(id, { ...managed, apiVersion: SCALE_VERSION, set: SCALE_SET });
  }
  return writeManaged(scale) ?? [];
}

/**
 * Returns the managed fields of an object after a write of its `scale` subresource, without the
 * entries of API versions that `paths` lacks. Entries match as in kube-apiserver: an updating
 * manager counts as a different manager in the version of `Scale`, and gets a separate entry
 * without a time. Returns `undefined` if no entry is left.
 */
export function parentEntries(
  parent: Entries,
  scale: Entries,
  paths: ReplicasPaths,
  parentVersion: string,
): ManagedFieldsEntry[] | undefined {
  const before = readStoredManaged(parent);
  const scaled = readStoredManaged(scale);
  const after: ManagedSets = new Map();
  for (const [id, managed] of before) {
    if (!paths.has(managed.apiVersion)) continue;
    const path = paths.get(managed.apiVersion);
    if (path === undefined || !hasPath(managed.set, path)) after.set(id, managed);
    else if (scaled.delete(id)) after.set(id, managed);
    else {
      const set = difference(managed.set, setOf(path));
      if (!isEmpty(set)) after.set(id, { ...managed, set });
    }
  }
  const replicas = setOf(paths.get(parentVersion) ?? SCALE_PATH);
  for (const [id, managed] of scaled) {
    if (!hasPath(managed.set, SCALE_PATH)) continue;
    const time = before.get(id)?.time;
    after.set(id, { ...managed, apiVersion: parentVersion, time, set: replicas });
  }
  return writeManaged(after);
}
