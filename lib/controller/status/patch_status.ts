import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import type { Patch } from "../../client/typed/patch.ts";
import type { MergeFields } from "../../client/typed/patch_fields.ts";
import type { WriteOptions } from "../../client/calls/options.ts";
import { checkJson } from "../../client/calls/json_values.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { isTooLarge, statusTooLarge } from "./status_too_large_error.ts";
import { mergeDifference, replacesList } from "./merge_difference.ts";

/**
 * The type of the status of objects of type `T`, without `undefined`; `Record<string, unknown>` if
 * `T` has no `status`.
 */
export type StatusOf<T extends KubeObject> = T extends { readonly status?: infer Status }
  ? NonNullable<Status>
  : Record<string, unknown>;

/** The members of a {@linkcode ReconcileContext} that {@linkcode patchStatus} uses. */
export type PatchStatusContext =
  & Pick<ReconcileContext, "client">
  & Partial<Pick<ReconcileContext, "events">>;

/**
 * Writes the given fields of an object's status by a merge patch: those that differ from `object`,
 * the version that the caller knows, and nothing else. Without a difference no request is sent.
 * Returns the object as it is on the server after the write, or the given object if no request was
 * sent.
 *
 * A field that is left out, or `undefined`, keeps its value; `null` removes a field; a list is
 * replaced as a whole. A patch that replaces a list, such as `conditions`, carries the
 * resourceVersion of `object`, so that an entry that another writer has added meanwhile is not
 * lost: the write then fails with a conflict. A patch of other fields cannot conflict with another
 * writer's change. Each patch carries the UID of `object`, if it has one, so that a new object of
 * the same name is not changed. Built-in kinds drop some empty values, such as an empty `message`
 * of a condition of a Deployment; a field that is set to such a value differs each time.
 *
 * @throws {TypeError} When the object has no name, the status is not an object, or a value in it
 * has no form in JSON, such as `NaN` or a date.
 * @throws {TerminalError} When the status is larger than the server stores. A Warning event about
 * the object reports this error if the context has `events`. A reconciler that throws the error is
 * not run again for the object until something changes.
 * @throws {ApiError} When the server refuses the patch, such as for an object of another UID;
 * `isConflict` when the patch replaces a list and the object has changed since.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Deployment } from "@xca/operator/meta";
 * import { patchStatus } from "@xca/operator/controller";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * const labels = { app: "web" };
 * await server.seed([{
 *   apiVersion: "apps/v1",
 *   kind: "Deployment",
 *   metadata: { name: "web", namespace: "default" },
 *   spec: {
 *     selector: { matchLabels: labels },
 *     template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
 *   },
 * }]);
 * using client = clientOf(server);
 * const web = await client.get(Deployment, "default/web");
 * const first = await patchStatus({ client }, Deployment, web, { replicas: 3 });
 * const second = await patchStatus({ client }, Deployment, first, { replicas: 3 });
 * assert.equal(second, first); // nothing was sent
 * ```
 */
export async function patchStatus<T extends KubeObject>(
  { client, events }: PatchStatusContext,
  type: ResourceType<T>,
  object: T,
  status: MergeFields<StatusOf<NoInfer<T>>>,
  options: WriteOptions = {},
): Promise<T> {
  if (typeof status !== "object" || status === null || Array.isArray(status)) {
    throw new TypeError(`Cannot patch the status of ${type.kind}: it must be an object`);
  }
  checkJson(`Cannot patch the status of ${type.kind} ${keyOf(object)}`, status, "status");
  const { status: current } = object as { status?: unknown };
  const difference = mergeDifference(current, status as Readonly<Record<string, unknown>>);
  if (!difference) return object;
  const { uid, resourceVersion } = object.metadata;
  const metadata = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && replacesList(difference) && { resourceVersion }),
  };
  const patch: Patch = { type: "merge", body: { metadata, status: difference } };
  try {
    return await client.patchStatus(type, keyOf(object), patch, options);
  } catch (error) {
    throw isTooLarge(error) ? statusTooLarge(events, type, object, error) : error;
  }
}
