import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { Patch } from "../../client/typed/patch.ts";
import { retryOnConflict } from "../../client/typed/retry_on_conflict.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";

/** The members of a {@linkcode ReconcileContext} that {@linkcode finalize} uses. */
export type FinalizeContext =
  & Pick<ReconcileContext, "client">
  & Partial<Pick<ReconcileContext, "signal" | "clock" | "random">>;

/**
 * Options of {@linkcode finalize}, which adds and removes a finalizer, and runs the clean-up before
 * a deletion.
 */
export interface FinalizeOptions<T extends KubeObject> {
  /** The name of the finalizer: a domain, a slash and a name, such as `example.org/bucket`. */
  readonly finalizer: string;
  /**
   * The user's function that removes the external resources of the object, such as a storage
   * bucket, which the garbage collector cannot delete. The function may run more than once for one
   * object, since a crash may follow it. An error keeps the finalizer, and the object with it.
   */
  readonly cleanup: (object: T) => void | Promise<void>;
}

/** The names of all options of {@linkcode finalize}. */
const FINALIZE_OPTIONS: OptionNames<FinalizeOptions<KubeObject>> = {
  finalizer: true,
  cleanup: true,
};

/**
 * A regular expression that matches a whole qualified finalizer: a DNS subdomain of any length, a
 * slash, and a name of at most 63 characters.
 */
const FINALIZER =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * Guards the deletion of an object by a finalizer (pkg/finalizer/finalizer.go, Finalizers): adds
 * the finalizer to a live object, and runs the cleanup of an object that is being deleted before it
 * removes the finalizer. The function is the first call of a reconciler:
 *
 * - It returns the object, which now has the finalizer on the server: create the resources that
 *   need a cleanup.
 * - It returns `undefined`: the object is being deleted or is gone, and nothing is left to do in
 *   this run.
 *
 * The cleanup runs at least once before an object that was returned disappears, and does not run
 * for an object without the finalizer. The next run repairs the effect of a crash between any two
 * calls. Each write names the version and the UID of the object, so that neither finalizers of
 * others nor a new object of the same name are touched. After a conflict the object is read again,
 * and the write is tried again; an object that was changed since the cleanup saw it is cleaned up
 * again first. No request is sent for a live object that has the finalizer.
 *
 * @throws {TypeError} When the finalizer is not a qualified name, which API servers warn of or
 * refuse, or an option is unknown.
 * @throws {ApiError} When the server refuses a request, or every try conflicted.
 * @throws {unknown} The error of the cleanup.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { finalize } from "@xca/operator/controller";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const buckets = new Set<string>();
 * async function reconcile(): Promise<void> {
 *   const map = await client.get(ConfigMap, "default/web");
 *   const live = await finalize({ client }, ConfigMap, map, {
 *     finalizer: "example.org/bucket",
 *     cleanup: () => void buckets.delete("web"),
 *   });
 *   if (live) buckets.add("web");
 * }
 * await client.create(ConfigMap, { metadata: { name: "web" } });
 * await reconcile();
 * assert.deepEqual([...buckets], ["web"]);
 * await client.delete(ConfigMap, "default/web");
 * await reconcile();
 * assert.deepEqual([...buckets], []);
 * ```
 */
export async function finalize<T extends KubeObject>(
  context: FinalizeContext,
  type: ResourceType<T>,
  object: T,
  options: FinalizeOptions<NoInfer<T>>,
): Promise<T | undefined> {
  checkOptionNames(`Cannot finalize ${type.kind}`, options, FINALIZE_OPTIONS);
  const { finalizer, cleanup } = options;
  if (typeof finalizer !== "string" || !FINALIZER.test(finalizer)) {
    throw new TypeError(
      `Cannot finalize ${type.kind}: the finalizer must be a domain, a slash and a name, such as ` +
        `example.org/cleanup, is ${JSON.stringify(finalizer)}`,
    );
  }
  const has = hasFinalizer(object, finalizer);
  if (!object.metadata.deletionTimestamp) {
    return has
      ? object
      : await change(context, type, object, (names) =>
        names.includes(finalizer) ? names : [...names, finalizer]);
  }
  let seen: T | undefined = has ? object : undefined;
  while (seen) {
    await cleanup(seen);
    seen = await release(context, type, seen, finalizer);
  }
  return undefined;
}

function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Removes a finalizer from an object that was cleaned up, and returns `undefined`. Returns the
 * server's newer object, still with the finalizer, when it differs from the cleaned one in more
 * than finalizers and version: it may name resources that the cleanup did not see.
 */
async function release<T extends KubeObject>(
  context: FinalizeContext,
  type: ResourceType<T>,
  cleaned: T,
  finalizer: string,
): Promise<T | undefined> {
  let newer: T | undefined;
  await change(context, type, cleaned, (names, current) => {
    newer = hasFinalizer(current, finalizer) && !isAlike(cleaned, current) ? current : undefined;
    return newer ? names : names.filter((each) => each !== finalizer);
  });
  return newer;
}

/**
 * Reports whether two versions of an object differ at most in finalizers, resourceVersion,
 * managedFields, apiVersion and kind.
 */
function isAlike(a: KubeObject, b: KubeObject): boolean {
  const unversioned = { resourceVersion: "", finalizers: [], managedFields: [] };
  const compared = (object: KubeObject): unknown => ({
    ...object,
    metadata: { ...object.metadata, ...unversioned },
    apiVersion: "", // the cached object may lack both
    kind: "",
  });
  return jsonEqual(compared(a), compared(b));
}

/**
 * Sends the finalizers that `changed` returns, unless their number is the same, as a merge patch of
 * the object, and returns the object as of the last response. Each write names the version that the
 * change was made from; after a conflict the object is read again. Returns `undefined` when the
 * object is gone, or has begun to be deleted meanwhile: its deletion is an event, which leads to
 * another run.
 */
async function change<T extends KubeObject>(
  { client, signal, clock, random }: FinalizeContext,
  type: ResourceType<T>,
  object: T,
  changed: (finalizers: readonly string[], current: T) => readonly string[],
): Promise<T | undefined> {
  const key = keyOf(object);
  const { uid, deletionTimestamp } = object.metadata;
  let known: T | undefined = object;
  const attempt = async (): Promise<T | undefined> => {
    const current: T = known ?? await client.get(type, key);
    known = undefined;
    if (current.metadata.uid !== uid) return undefined;
    if (!deletionTimestamp && current.metadata.deletionTimestamp) return undefined;
    const before = current.metadata.finalizers ?? [];
    const finalizers = changed(before, current);
    if (finalizers.length === before.length) return current;
    const { resourceVersion } = current.metadata;
    const body = { metadata: { uid, resourceVersion, finalizers } };
    const patch: Patch = { type: "merge", body };
    return await client.patch(type, key, patch);
  };
  return await ignoreNotFound(retryOnConflict(attempt, { signal, clock, random }));
}
