import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import {
  keyOf,
  type KubeObject,
  type LabelSelector,
  matchesLabels,
  type ObjectKey,
  parseKeyOf,
  parseLabelSelector,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { deleteIf } from "../../client/typed/delete_if.ts";
import type { ChildContext } from "./apply_child.ts";
import { type ChildOwner, isOwned } from "./child_ownership.ts";
import { CONTROLLER_UID_INDEX } from "./child_source.ts";

/** Options of {@linkcode pruneChildren}, which deletes child objects that are no longer desired. */
export interface PruneChildrenOptions {
  /** The owner of the children to prune; only objects whose controller the owner is are deleted. */
  readonly owner: ChildOwner;
  /** The resource of the children to prune. */
  readonly type: ResourceType;
  /**
   * The label selector of the children to prune, such as
   * `app.kubernetes.io/managed-by=app-operator`; an empty selector selects all children of the
   * owner.
   */
  readonly labelSelector: string;
  /**
   * The keys (`namespace/name`, or `name` when cluster-scoped) of the children that are not pruned.
   */
  readonly keep: ReadonlySet<ObjectKey>;
  /**
   * The propagation policy of the deletions: the fate of the objects that a deleted child owns.
   *
   * @default that of the resource
   */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
}

/** The names of all options of {@linkcode pruneChildren}. */
const PRUNE_OPTIONS: OptionNames<PruneChildrenOptions> = {
  owner: true,
  type: true,
  labelSelector: true,
  keep: true,
  propagationPolicy: true,
};

/**
 * Deletes the cached children of an owner that are of one resource, match the label selector and
 * are not in `keep`; returns the keys of the children that it deleted, without those that were
 * gone. Each deletion names the UID and the resourceVersion of the object that was checked, so that
 * an object whose controller or labels have just been changed is not deleted.
 *
 * The source of the children needs the index of {@linkcode childSource}. Children that are being
 * deleted are left alone; no request is sent when there is no child to delete.
 *
 * @throws {CacheReadError} When the controller does not own the resource with {@linkcode
 * childSource}.
 * @throws {TypeError} When an option is unknown, the label selector cannot be parsed, or a key in
 * `keep` cannot be one of the resource, such as a name without the namespace.
 * @throws {ApiError} When the server refuses a request, or each try conflicted; the remaining
 * children are then not deleted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import {
 *   childSource, controllerFor, pruneChildren, reconcileOnce,
 * } from "@xca/operator/controller";
 * import { ConfigMap, Secret, setControllerReference } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * let deleted: readonly string[] = [];
 * const controller = controllerFor(ConfigMap).owns(Secret, childSource).reconcile(async (context) => {
 *   const map = context.cache.get(ConfigMap, context.key);
 *   if (!map) return;
 *   const owner = { type: ConfigMap, object: map };
 *   const keep = new Set(["default/web"]);
 *   deleted = await pruneChildren(context, { owner, type: Secret, labelSelector: "made", keep });
 * });
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const map = await client.create(ConfigMap, { metadata: { name: "web" } });
 * for (const name of ["web", "old"]) {
 *   const secret = { metadata: { name, namespace: "default", labels: { made: "yes" } } };
 *   setControllerReference(secret, map, ConfigMap);
 *   await client.create(Secret, secret);
 * }
 * await client.create(Secret, { metadata: { name: "other", labels: { made: "yes" } } });
 * await reconcileOnce(controller, "default/web", { client });
 * assert.deepEqual(deleted, ["default/old"]);
 * ```
 */
export async function pruneChildren(
  context: ChildContext,
  options: PruneChildrenOptions,
): Promise<ObjectKey[]> {
  checkOptionNames("Cannot prune children", options, PRUNE_OPTIONS);
  const { owner, type, keep, labelSelector } = options;
  const { uid = "" } = owner.object.metadata;
  for (const key of keep) parseKeyOf(type, key);
  const children = await context.cache.shared.byIndex(type, CONTROLLER_UID_INDEX, uid);
  const selector = parseLabelSelector(labelSelector);
  const deleted: ObjectKey[] = [];
  for (const child of children as unknown as readonly KubeObject[]) { // read, never changed
    const key = keyOf(child);
    if (keep.has(key) || !isPrunable(child, owner, selector)) continue;
    if (await prune(context, child, options, selector)) deleted.push(key);
  }
  return deleted;
}

function isPrunable(child: KubeObject, owner: ChildOwner, selector: LabelSelector): boolean {
  return isOwned(child, owner) && !child.metadata.deletionTimestamp &&
    matchesLabels(selector, child.metadata.labels ?? {});
}

/**
 * Deletes a child object if the owner is still its controller and its labels are still selected,
 * and reports whether the call deleted the object. After a conflict the child is read again and
 * checked again.
 */
async function prune(
  { client, signal, clock, random }: ChildContext,
  child: KubeObject,
  { type, owner, propagationPolicy }: PruneChildrenOptions,
  selector: LabelSelector,
): Promise<boolean> {
  const key = keyOf(child);
  const outcome = await deleteIf<KubeObject>({
    known: child,
    read: () => client.get(type, key),
    judge: (current) => isPrunable(current, owner, selector),
    remove: (preconditions) => client.delete(type, key, { preconditions, propagationPolicy }),
    signal,
    clock,
    random,
  });
  return outcome === "deleted";
}
