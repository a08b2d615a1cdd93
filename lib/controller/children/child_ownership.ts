import { markClass } from "@xca/apimachinery/internal/base";
import {
  controllerOf,
  keyOf,
  type KubeObject,
  type OwnerReference,
  type ResourceType,
  setControllerReference,
} from "@xca/apimachinery/meta";

/** The owner of a child object: its resource and the object. */
export interface ChildOwner {
  /** The resource type of the child's owner. */
  readonly type: ResourceType;
  /** The owner of the child; it must have a UID. */
  readonly object: KubeObject;
}

/**
 * The error of a child whose name is taken by an object that has another controller than the owner,
 * or none and is not adopted (pkg/controller/controllerutil/controllerutil.go, AlreadyOwnedError).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyChild, controllerFor, ForeignChildError, reconcileOnce } from "@xca/operator/controller";
 * import { ConfigMap, Secret } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * const controller = controllerFor(ConfigMap).owns(Secret).reconcile(async (context) => {
 *   const owner = { type: ConfigMap, object: context.cache.get(ConfigMap, context.key)! };
 *   const secret = { metadata: { name: "taken" } };
 *   await applyChild(context, Secret, secret, { owner, fieldManager: "token-operator" });
 * });
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "web" } });
 * await client.create(Secret, { metadata: { name: "taken" } });
 * await assert.rejects(reconcileOnce(controller, "default/web", { client }), ForeignChildError);
 * ```
 */
export class ForeignChildError extends Error {
  /** The name of this error class, `ForeignChildError`. */
  override readonly name = "ForeignChildError";

  static {
    markClass(this, Symbol.for("@xca/operator/ForeignChildError"));
  }
}

/**
 * Returns a deep copy of a child object, without `undefined` fields, with the apiVersion and kind
 * of its resource, and with the owner as its controller. A namespaced child without a namespace
 * gets that of the owner.
 *
 * @throws {TypeError} When the child cannot have that owner; see {@linkcode
 * setControllerReference}.
 */
export function ownedChild<T extends KubeObject>(
  type: ResourceType<T>,
  child: T,
  owner: ChildOwner,
): T {
  const { namespace } = owner.object.metadata;
  const owned: T = JSON.parse(JSON.stringify(child)); // as it is sent, without undefined fields
  owned.apiVersion = type.apiVersion;
  owned.kind = type.kind;
  if (type.scope === "Namespaced" && namespace) owned.metadata.namespace ??= namespace;
  setControllerReference(owned, owner.object, owner.type);
  return owned;
}

/**
 * Throws unless an existing object of a child's name has the owner as its controller, or, with
 * `adopt`, has no controller.
 *
 * @throws {ForeignChildError} When the object has another controller, or has none and may not be
 * adopted.
 */
export function checkOwned(
  type: ResourceType,
  object: KubeObject,
  owner: ChildOwner,
  { adopt }: { readonly adopt: boolean },
): void {
  if (isOwned(object, owner)) return;
  const controller = controllerOf(object.metadata);
  if (!controller && adopt) return;
  const { name } = owner.object.metadata;
  throw new ForeignChildError(
    `Cannot change ${type.kind} ${keyOf(object)} as a child of ${owner.type.kind} ${name}: ` +
      (controller
        ? controlled(controller, owner)
        : "it has no controller; set the option adopt, or " +
          "rename one of the two"),
  );
}

/**
 * Reports whether an owner is the controller of an object, by UID; false for an owner without a
 * UID.
 */
export function isOwned(object: KubeObject, { object: owner }: ChildOwner): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && controllerOf(object.metadata)?.uid === uid;
}

function controlled({ kind, name }: OwnerReference, owner: ChildOwner): string {
  return kind === owner.type.kind && name === owner.object.metadata.name
    ? `its controller is an earlier ${kind} of that name, with which it is about to be deleted`
    : `its controller is ${kind} ${name}; rename one of the two`;
}
