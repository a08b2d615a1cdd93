import { delay } from "@xca/apimachinery/base";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import { retryOnConflict } from "../../client/typed/retry_on_conflict.ts";
import { ClusterError, type ClusterRun, stepOf } from "./cluster_run.ts";
import { definedMetadata, installedDefinitions } from "./definitions.ts";

/** Options of {@linkcode drainObjects}, which deletes the custom objects of an operator. */
export interface DrainOptions {
  /**
   * The reason to believe that the operator runs and removes its finalizers, as text for error
   * messages; `undefined` when it does not run.
   */
  readonly running: string | undefined;
  /**
   * Sets whether the command itself removes the finalizers of custom objects: at once when no
   * operator runs, otherwise the finalizers of the objects that remain after `timeoutMs`.
   */
  readonly force: boolean;
  /** The time limit for a running operator to remove its finalizers, in milliseconds. */
  readonly timeoutMs: number;
}

/** An object of a CustomResourceDefinition's kind, with its resource type. */
interface Found {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

/**
 * The interval at which the objects that still await their deletion are listed, and at which the
 * list of an established definition that is not served yet is retried, in milliseconds.
 */
const POLL_MS = 500;
/** The time limit for the end of objects whose finalizers the command removed, in milliseconds. */
const GONE_MS = 30_000;
/**
 * The time limit for the API server to serve an established CustomResourceDefinition, in
 * milliseconds.
 */
const SERVED_MS = 10_000;
/** The number of objects that are deleted, or whose finalizers are removed, concurrently. */
const AT_ONCE = 8;
/** The number of remaining objects that an error message names; it counts the others. */
const NAMED = 10;

/**
 * Deletes all objects of CustomResourceDefinitions, and waits until they no longer exist: the
 * operator removes its finalizers after it has cleaned up. Without a running operator, nothing is
 * deleted and existing objects are an error, unless `force` is set. Objects that are created during
 * the wait are deleted too. A dry run only reports the deletions, without a wait.
 *
 * A CustomResourceDefinition that is deleted before its objects stays in deletion for ever, and
 * with it the namespaces of the objects; so its objects are deleted first.
 *
 * @throws {ClusterError} When there are objects, no running operator and no `force`, or when
 * objects remain at the end; names the first ten. Also when an established definition serves no
 * version, or the server does not serve it within ten seconds.
 */
export async function drainObjects(
  run: ClusterRun,
  crds: readonly V1CustomResourceDefinition[],
  { running, force, timeoutMs }: DrainOptions,
): Promise<void> {
  const found = await objectsOf(run, crds);
  if (found.length === 0) return;
  if (running === undefined && !force) throw refusal(found);
  await inBatches(found, (each) => deleteObject(run, each));
  if (run.dryRun) return;
  let left = found;
  if (running !== undefined) left = await untilGone(run, crds, timeoutMs);
  if (left.length > 0 && force) {
    await inBatches(left, (each) => removeFinalizers(run, each));
    left = await untilGone(run, crds, GONE_MS);
  }
  if (left.length === 0) return;
  if (force) {
    throw new ClusterError(
      `Cannot delete ${listOf(left)} within ${GONE_MS / 1000} s after the removal of their ` +
        "finalizers: the operator or another program sets the finalizers or creates the objects " +
        "again; nothing else was deleted. Stop that program, and repeat the command",
    );
  }
  throw new ClusterError(
    `Cannot delete ${listOf(left)} within ${
      timeoutMs / 1000
    } s, although ${running}: the finalizers are ` +
      "still there; nothing else was deleted. See the log of the operator, or pass --force, which " +
      "removes the finalizers without the operator's clean-up",
  );
}

function refusal(found: readonly Found[]): ClusterError {
  const withFinalizers = found.filter(({ object }) => object.metadata.finalizers?.length).length;
  return new ClusterError(
    `Cannot continue while there are objects: ${
      listOf(found)
    }; they would be deleted, and nothing shows ` +
      `that the operator runs, which would clean up after them (${withFinalizers} of ${found.length} have ` +
      "finalizers). Start the operator; or pass --drain when it runs outside of the cluster without a " +
      "Lease; or pass --force, which deletes the objects and removes their finalizers without any " +
      "clean-up. Nothing was deleted",
  );
}

function listOf(found: readonly Found[]): string {
  const names = found.slice(0, NAMED).map(({ type, object }) => {
    const finalizers = object.metadata.finalizers ?? [];
    return `${type.kind} ${keyOf(object)}${finalizers.length ? ` (${finalizers.join(", ")})` : ""}`;
  });
  const more = found.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

async function objectsOf(
  run: ClusterRun,
  crds: readonly V1CustomResourceDefinition[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const crd of crds) {
    const type = definedMetadata(crd);
    if (type === undefined) {
      if (isEstablished(crd)) throw unserved(crd);
      continue; // A definition that was never established has no objects.
    }
    for (const object of await listed(run, crd, type)) found.push({ type, object });
  }
  return found;
}

/**
 * Returns the objects of a CustomResourceDefinition's kind. A 404 response means that there are no
 * objects only if the definition is not established: the server serves a new definition shortly
 * after it is established. Throws a ClusterError if an established definition is not served within
 * ten seconds.
 */
async function listed(
  run: ClusterRun,
  crd: V1CustomResourceDefinition,
  type: ResourceType<KubeObject>,
): Promise<readonly KubeObject[]> {
  const { client, clock, signal } = run;
  const endMs = clock.monotonicMs() + SERVED_MS;
  while (true) {
    const list = await ignoreNotFound(client.list(type, { signal }));
    if (list) return list.items;
    const [present] = await installedDefinitions(run, [crd as unknown as KubeObject]);
    if (!isEstablished(present)) return [];
    if (clock.monotonicMs() >= endMs) {
      throw new ClusterError(
        `Cannot tell which objects ${crd.metadata?.name} has: the API server serves none of its versions; ` +
          "nothing was deleted",
      );
    }
    await delay(POLL_MS, run);
  }
}

function isEstablished(crd: V1CustomResourceDefinition | undefined): boolean {
  return crd?.status?.conditions?.some(({ type, status }) =>
    type === "Established" && status === "True"
  ) ?? false;
}

/** Returns the error about an established definition whose versions all have `served: false`. */
function unserved({ metadata, spec }: V1CustomResourceDefinition): ClusterError {
  const versions = spec.versions.map(({ name }) => name).join(", ");
  return new ClusterError(
    `Cannot tell which objects ${metadata?.name} has: the definition serves none of its versions ` +
      `(${versions}); nothing was deleted. Set served: true for one of them, and repeat the command`,
  );
}

async function untilGone(
  run: ClusterRun,
  crds: readonly V1CustomResourceDefinition[],
  timeoutMs: number,
): Promise<Found[]> {
  const endMs = run.clock.monotonicMs() + timeoutMs;
  while (true) {
    const left = await objectsOf(run, crds);
    if (left.length === 0 || run.clock.monotonicMs() >= endMs) return left;
    // Objects that were created since the first deletion are deleted too.
    const fresh = left.filter(({ object }) => object.metadata.deletionTimestamp === undefined);
    await inBatches(fresh, (each) => deleteObject(run, each));
    await delay(POLL_MS, run);
  }
}

async function deleteObject(run: ClusterRun, { type, object }: Found): Promise<void> {
  const { client, signal, dryRun = false, onStep } = run;
  if (object.metadata.deletionTimestamp === undefined) {
    await ignoreNotFound(client.delete(type, keyOf(object), { signal, dryRun }));
  }
  onStep(stepOf({ ...object, apiVersion: type.apiVersion, kind: type.kind }, "deleted"));
}

/**
 * Removes the finalizers of an object, and calls `onStep` with the removed finalizers as the note.
 * Does nothing for an object that is gone or has no finalizers, and leaves a new object of the same
 * name alone.
 */
async function removeFinalizers(run: ClusterRun, { type, object }: Found): Promise<void> {
  const { client, signal, onStep } = run;
  const removed = await retryOnConflict(async () => {
    const current = await ignoreNotFound(client.get(type, keyOf(object), { signal }));
    const { uid, resourceVersion, finalizers = [] } = current?.metadata ?? {};
    if (uid !== object.metadata.uid || finalizers.length === 0) return [];
    const metadata = { uid, resourceVersion, finalizers: null };
    const patch = mergePatch<KubeObject>({ metadata } as never);
    await ignoreNotFound(client.patch(type, keyOf(object), patch, { signal }));
    return finalizers;
  }, { signal });
  if (removed.length === 0) return;
  const note = removed.join(", ");
  onStep(
    stepOf({ ...object, apiVersion: type.apiVersion, kind: type.kind }, "finalizers removed", note),
  );
}

async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
  }
}
