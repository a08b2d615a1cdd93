import { formatKey, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { ApiError, ignoreNotFound, isConflict } from "../../client/errors/api_error.ts";
import { ClusterError, type ClusterRun, objectName, stepOf } from "./cluster_run.ts";

/** The field manager of objects that `kubectl xca` commands apply. */
export const PROJECT_FIELD_MANAGER = "kubectl-xca";

/** Options of {@linkcode applyObjects}, which applies objects to a cluster. */
export interface ApplyObjectsOptions {
  /**
   * Sets whether an apply takes over fields that other field managers own, instead of failing.
   *
   * @default {false}
   */
  readonly forceConflicts?: boolean | undefined;
}

/**
 * Applies objects in their order (server-side apply), and calls `onStep` with the result of each.
 * After a conflict with another field manager, the remaining objects are still applied; all
 * conflicts are thrown together at the end. Any other refusal ends the function at once.
 *
 * @throws {ClusterError} When other managers own fields; names each field and its owner.
 * @throws {ApiError} When the server refuses an object.
 */
export async function applyObjects(
  run: ClusterRun,
  objects: ReadonlyMap<KubeObject, ResourceType>,
  { forceConflicts = false }: ApplyObjectsOptions = {},
): Promise<void> {
  const conflicts: string[] = [];
  for (const [object, type] of objects) {
    try {
      await applyObject(run, object, type, forceConflicts);
    } catch (error) {
      if (!isConflict(error)) throw error;
      conflicts.push(...conflictsOf(object, error));
    }
  }
  if (conflicts.length === 0) return;
  throw new ClusterError(
    `Cannot apply all fields, since others own some: ${
      conflicts.join("; ")
    }; give these fields up in ` +
      "the manifests, or take them over with --force-conflicts",
  );
}

/**
 * Applies an object to a cluster, and calls `onStep` with the result. `force` takes over fields of
 * other field managers. In a dry run, an object that does not exist is only reported as created.
 * Rejects with the ApiError of the server, also for a conflict.
 */
export async function applyObject(
  run: ClusterRun,
  object: KubeObject,
  type: ResourceType,
  force: boolean,
): Promise<void> {
  const { client, signal, dryRun = false, onStep } = run;
  const { name = "", namespace } = object.metadata;
  const before = await ignoreNotFound(client.get(type, formatKey({ namespace, name }), { signal }));
  // A dry run in a namespace that does not exist would be refused.
  if (dryRun && !before) return onStep(stepOf(object, "created"));
  const after = await client.apply(type, object as KubeObject & { metadata: { name: string } }, {
    fieldManager: PROJECT_FIELD_MANAGER,
    force,
    dryRun,
    signal,
  });
  const change = !before
    ? "created"
    : contentOf(before) === contentOf(after)
    ? "unchanged"
    : "configured";
  onStep(stepOf(object, change));
}

/**
 * Returns the text of an object without `managedFields` and `resourceVersion`, which every write
 * changes, to compare two versions.
 */
function contentOf(object: KubeObject): string {
  const { managedFields: _fields, resourceVersion: _version, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}

/**
 * Returns descriptions of the fields of an object that other field managers own, each with its
 * owner, from the error of an apply. Throws the error itself when it names no field.
 */
function conflictsOf(object: KubeObject, error: unknown): string[] {
  const causes = error instanceof ApiError ? error.status.details?.causes ?? [] : [];
  const fields = causes.filter(({ reason }) => reason === "FieldManagerConflict");
  if (fields.length === 0) throw error;
  return fields.map(({ field = "a field", message = "" }) => {
    const [, owner = "another manager"] = /conflict with "([^"]*)"/.exec(message) ?? [];
    return `${field} of ${objectName(object)} is owned by ${owner}`;
  });
}
