// Mirrors `storageversionmigrator/storageversionmigrator.go, SVMController`.
import {
  CustomResourceDefinition,
  formatKey,
  metadataOf,
  type ResourceType,
  resourceType,
  type Scope,
} from "@xca/apimachinery/meta";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import {
  ApiError,
  isConflict,
  isNotFound,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
} from "../../../client/errors/api_error.ts";
import type { Client } from "../../../client/typed/client.ts";
import { mergePatch } from "../../../client/typed/patch.ts";
import { storageVersionOf } from "../compare/definitions.ts";

/** The number of objects that the storage migration writes concurrently. */
const PARALLEL = 10;

/**
 * Options for {@linkcode migrateStorage}, which rewrites all stored objects in the storage version.
 */
export interface MigrateStorageOptions {
  /**
   * The signal that aborts the migration, which then rejects; the migration can be repeated later.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sets whether the storage migration is a dry run: the API server checks each write without
   * storing it.
   *
   * @default {false}
   */
  readonly dryRun?: boolean | undefined;
  /**
   * A function that the storage migration calls after each batch of ten objects, with the number of
   * objects written so far (without refused ones) and the number of all objects.
   */
  readonly onProgress?: ((written: number, all: number) => void) | undefined;
}

/**
 * The result of {@linkcode migrateStorage}, which rewrites all stored objects in the storage
 * version.
 */
export interface StorageMigration {
  /**
   * The storage version of the definition; after a migration that is not a dry run and has no
   * refusals, all objects are stored in this version.
   */
  readonly storageVersion: string;
  /**
   * The versions in which objects may have been stored before the migration:
   * `status.storedVersions` of the definition at that time.
   */
  readonly storedVersions: readonly string[];
  /**
   * The number of objects that the migration wrote, or checked in a dry run; includes objects that
   * were deleted during the migration.
   */
  readonly written: number;
  /**
   * The objects whose write the API server answered with an error, each as `namespace/name`, or as
   * `name` for a cluster-scoped object, and with the message of the error.
   */
  readonly refused: readonly { readonly object: string; readonly reason: string }[];
}

/**
 * Writes every object of a CustomResourceDefinition once, so that each is stored in the storage
 * version, and then removes the other versions from `status.storedVersions`. Writes nothing if this
 * field lists the storage version only, or no version.
 *
 * Each object is patched with its own UID, which changes nothing but the version that the object is
 * stored in: no field, no generation, and no int64 that JavaScript could not hold. Other writers
 * are not disturbed. `status.storedVersions` is not changed in a dry run, when the API server
 * refused the write of an object, or when the definition changed meanwhile. The client needs the
 * rights to `list` and `patch` the resource, to `get` the definition, and to `patch` its `status`.
 *
 * After a change of the storage version, wait until each replica of the API server has noticed it,
 * some seconds, before the migration.
 *
 * @throws {ApiError} When the definition or its objects cannot be read, the definition changed, or
 * the API server or a proxy before it is overloaded or unavailable during the writes (429, 502, 503
 * or 504). The objects written until then stay in the storage version, and the migration can be
 * repeated.
 * @throws {UnreachableError} When the API server cannot be reached, also during the writes, with
 * the same effect.
 * @throws {RangeError} When the definition serves no version.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { migrateStorage } from "@xca/operator/evolution";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * using server = await ApiServer.start();
 * await server.seed(xcaOperator.crds);
 * using client = clientOf(server);
 * const { written, refused } = await migrateStorage(client, "xcas.apps.xca.k8s.kb.cx");
 * assert.deepEqual([written, refused], [0, []]);
 * ```
 */
export async function migrateStorage(
  client: Client,
  name: string,
  options: MigrateStorageOptions = {},
): Promise<StorageMigration> {
  const { signal, dryRun = false, onProgress } = options;
  const read = async (): Promise<V1CustomResourceDefinition> =>
    await client.get(CustomResourceDefinition, name, { signal }) as V1CustomResourceDefinition;
  const definition = await read();
  const storageVersion = storageVersionOf(definition)!;
  const storedVersions = definition.status?.storedVersions ?? [];
  const refused: { object: string; reason: string }[] = [];
  if (storedVersions.every((version) => version === storageVersion)) {
    return { storageVersion, storedVersions, written: 0, refused };
  }
  const type = typeOf(definition);
  let written = 0;
  const { items } = await client.list(metadataOf(type), { signal });
  for (let start = 0; start < items.length; start += PARALLEL) {
    const results = await Promise.all(
      items.slice(start, start + PARALLEL).map(async ({ metadata }) => {
        const key = formatKey({ namespace: metadata.namespace, name: metadata.name! });
        const reason = await rewrite(client, type, key, metadata.uid, { signal, dryRun });
        return reason === undefined ? undefined : { object: key, reason };
      }),
    );
    for (const problem of results) {
      if (problem === undefined) written++;
      else refused.push(problem);
    }
    onProgress?.(written, items.length);
  }
  if (refused.length === 0 && !dryRun) await prune(client, definition, storageVersion, signal);
  return { storageVersion, storedVersions, written, refused };
}

/**
 * Writes a stored object unchanged. Resolves to the message of the error if the API server refused
 * the write; to `undefined` after a write, and for an object that no longer exists. Rejects if the
 * migration was aborted, and for an error that says nothing about the object: no response, such as
 * an UnreachableError, or a response that says that the server is overloaded or unavailable.
 */
async function rewrite(
  client: Client,
  type: ResourceType,
  key: string,
  uid: string | undefined,
  options: { readonly signal: AbortSignal | undefined; readonly dryRun: boolean },
): Promise<string | undefined> {
  try {
    await client.patch(type, key, mergePatch({ metadata: { uid } }), options);
    return undefined;
  } catch (error) {
    // The object is gone, or another one has its name, which was created in the new version.
    if (isNotFound(error) || isConflict(error)) return undefined;
    if (options.signal?.aborted || !(error instanceof ApiError) || isUnavailable(error)) {
      throw error;
    }
    return error.message;
  }
}

/**
 * Reports whether a response says that the API server, or a proxy before it, is overloaded or
 * unavailable.
 */
function isUnavailable(error: ApiError): boolean {
  return error.code === 502 || isTooManyRequests(error) || isServiceUnavailable(error) ||
    isTimeout(error);
}

/**
 * Sets `status.storedVersions` of a definition to the storage version alone.
 *
 * @throws {ApiError} When the definition changed after it was read.
 */
async function prune(
  client: Client,
  { metadata }: V1CustomResourceDefinition,
  storageVersion: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const patch = mergePatch({
    metadata: { resourceVersion: metadata.resourceVersion },
    status: { storedVersions: [storageVersion] },
  });
  await client.patchStatus(CustomResourceDefinition, metadata.name!, patch, { signal });
}

function typeOf({ metadata, spec }: V1CustomResourceDefinition): ResourceType {
  const served = spec.versions.find(({ storage, served }) => storage && served) ??
    spec.versions.find((version) => version.served);
  if (served === undefined) {
    throw new RangeError(
      `Cannot migrate the objects of ${metadata.name}: no version is served; serve one`,
    );
  }
  return resourceType({
    group: spec.group,
    version: served.name,
    kind: spec.names.kind,
    plural: spec.names.plural,
    scope: spec.scope as Scope,
  });
}
