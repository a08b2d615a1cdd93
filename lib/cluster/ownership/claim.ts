// Mirrors `controller/controller_ref_manager.go, BaseControllerRefManager`.
import {
  controllerOf,
  type DeepReadonly,
  keyOf,
  type KubeObject,
  type LabelSelector,
  matchesLabels,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { isInvalid, isNotFound } from "../../client/errors/api_error.ts";
import { strategicPatch } from "../../client/typed/patch.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";

/** Options of {@linkcode claim}, which adopts and releases objects for an owner. */
export interface ClaimOptions<Owner extends KubeObject, T extends KubeObject> {
  readonly ownerType: ResourceType<Owner>;
  /** The owner, such as a ReplicaSet, that adopts and releases objects. */
  readonly owner: DeepReadonly<Owner>;
  /** The label selector by which the owner adopts and releases objects. */
  readonly selector: LabelSelector;
  readonly type: ResourceType<T>;
  /** The objects that the owner controls or may adopt, since they have no controller. */
  readonly objects: readonly DeepReadonly<T>[];
  /**
   * The finalizers that {@linkcode claim} adds to adopted objects and removes from released ones.
   *
   * @default {none}
   */
  readonly finalizers?: readonly string[];
}

/**
 * Adopts the objects without a controller that match an owner's selector, releases those of the
 * owner that no longer match, and returns the objects that the owner then controls. An owner that
 * is being deleted neither adopts nor releases; objects that are being deleted are not adopted.
 *
 * Before the first adoption the owner is read from the server, since the cache may not show its
 * deletion yet: garbage collection would delete the newly adopted objects with it.
 *
 * @throws {AggregateError} When an adoption or release fails, except for an object or owner that
 *   does not exist.
 */
export async function claim<Owner extends KubeObject, T extends KubeObject>(
  { client }: Pick<ReconcileContext, "client">,
  options: ClaimOptions<Owner, T>,
): Promise<DeepReadonly<T>[]> {
  const { owner, ownerType, selector, type, objects, finalizers = [] } = options;
  const claimed: DeepReadonly<T>[] = [];
  const failures: unknown[] = [];
  let allowed: Promise<void> | undefined;
  const mayAdopt = (): Promise<void> => allowed ??= checkAlive(client, ownerType, owner);
  for (const object of objects) {
    const { metadata } = object;
    const controller = controllerOf(metadata);
    if (controller && controller.uid !== owner.metadata.uid) continue;
    const isSelected = matchesLabels(selector, metadata.labels ?? {});
    if (controller && isSelected) {
      claimed.push(object);
      continue;
    }
    if (owner.metadata.deletionTimestamp !== undefined) continue;
    if (!controller && (!isSelected || metadata.deletionTimestamp !== undefined)) continue;
    try {
      if (controller) {
        await release(client, type, object, owner, finalizers);
      } else {
        await mayAdopt();
        const patch = adoption(ownerType, owner, object, finalizers);
        claimed.push(await client.patch(type, keyOf(object), patch) as DeepReadonly<T>);
      }
    } catch (error) {
      if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, messageOf(failures));
  return claimed;
}

/**
 * Reads the owner from the server, and throws an error unless the owner exists with the same UID
 * and is not being deleted.
 *
 * @throws {Error} When the owner was replaced or is being deleted.
 * @throws {ApiError} When the owner does not exist or cannot be read.
 */
async function checkAlive<Owner extends KubeObject>(
  client: ReconcileContext["client"],
  type: ResourceType<Owner>,
  { metadata }: DeepReadonly<Owner>,
): Promise<void> {
  const key = keyOf({ metadata });
  const fresh = await client.get(type, key);
  const what = `Cannot adopt objects for ${type.kind} ${key}`;
  if (fresh.metadata.uid !== metadata.uid) {
    throw new Error(
      `${what}: it is gone, and another one has its name: UID ${fresh.metadata.uid} instead of ` +
        metadata.uid,
    );
  }
  if (fresh.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${what}: it is being deleted since ${fresh.metadata.deletionTimestamp}`);
  }
}

function adoption<T extends KubeObject>(
  type: ResourceType,
  owner: DeepReadonly<KubeObject>,
  { metadata: { uid } }: DeepReadonly<T>,
  finalizers: readonly string[],
): ReturnType<typeof strategicPatch<T>> {
  const { name, uid: ownerUid } = owner.metadata;
  const reference = {
    apiVersion: type.apiVersion,
    kind: type.kind,
    name,
    uid: ownerUid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const added = finalizers.length > 0 ? { finalizers } : {};
  const metadata = { uid, ownerReferences: [reference], ...added };
  return strategicPatch<T>({ metadata } as never);
}

/**
 * Removes the reference to the owner, and the given finalizers, from an object on the server. If
 * the server refuses the write because of the UID, the object was replaced by a new object of the
 * same name, which the owner never controlled; this is no error.
 */
async function release<T extends KubeObject>(
  client: ReconcileContext["client"],
  type: ResourceType<T>,
  object: DeepReadonly<T>,
  owner: DeepReadonly<KubeObject>,
  finalizers: readonly string[],
): Promise<void> {
  const { uid } = object.metadata;
  const ownerReferences = [{ $patch: "delete", uid: owner.metadata.uid }];
  const removed = finalizers.length > 0
    ? { "$deleteFromPrimitiveList/finalizers": finalizers }
    : {};
  const patch = strategicPatch<T>({ metadata: { uid, ownerReferences, ...removed } } as never);
  try {
    await client.patch(type, keyOf(object), patch);
  } catch (error) {
    if (!isInvalid(error)) throw error;
  }
}

function messageOf(failures: readonly unknown[]): string {
  return failures.map((failure) => failure instanceof Error ? failure.message : String(failure))
    .join("; ");
}
