import type { KubeObject, OwnerReference } from "./object.ts";
import type { ResourceType } from "./resource_type.ts";

/**
 * Returns the owner reference of the object's controller, if it has one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerOf } from "@xca/apimachinery/meta";
 *
 * const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1", controller: true };
 * assert.equal(controllerOf({ ownerReferences: [owner] })?.name, "web");
 * assert.equal(controllerOf({}), undefined);
 * ```
 */
export function controllerOf(
  object: { readonly ownerReferences?: readonly OwnerReference[] | undefined },
): OwnerReference | undefined {
  return object.ownerReferences?.find((owner) => owner.controller === true);
}

/**
 * Reports whether a reference is to an object of a resource: group and kind must match, the version
 * may differ.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Deployment, refersTo, StatefulSet } from "@xca/apimachinery/meta";
 *
 * const reference = { apiVersion: "apps/v1beta2", kind: "Deployment", name: "web", uid: "1" };
 * assert(refersTo(reference, Deployment));
 * assert(!refersTo(reference, StatefulSet));
 * ```
 */
export function refersTo(reference: OwnerReference, type: ResourceType): boolean {
  const slash = reference.apiVersion.indexOf("/");
  const group = slash < 0 ? "" : reference.apiVersion.slice(0, slash);
  return group === type.group && reference.kind === type.kind;
}

/**
 * Sets `owner` as the controller of `object` in place: adds the owner reference, or renews the one
 * with the same UID.
 *
 * @throws {TypeError} When the object has another controller, when the owner is namespaced and the
 * object is in another namespace or in none (the API forbids both), or when the owner has no UID.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerOf, Deployment, type KubeObject, setControllerReference } from "@xca/apimachinery/meta";
 *
 * const owner = { metadata: { namespace: "default", name: "web", uid: "1" } };
 * const map: KubeObject = { metadata: { namespace: "default", name: "web-settings" } };
 * setControllerReference(map, owner, Deployment);
 * assert.equal(controllerOf(map.metadata)?.uid, "1");
 * ```
 */
export function setControllerReference(
  object: KubeObject,
  owner: KubeObject,
  ownerType: ResourceType,
): void {
  if (!object?.metadata || !owner?.metadata || !ownerType?.kind) {
    throw new TypeError(
      "Cannot set a controller reference: pass the object, its owner, and the resource of the owner",
    );
  }
  const { name, uid, namespace } = owner.metadata;
  const what = `Cannot make ${ownerType.kind} ${name} the controller of ${object.metadata.name}`;
  if (!name || !uid) {
    throw new TypeError(`${what}: the owner has no UID; read it from the server first`);
  }
  if (ownerType.scope === "Namespaced" && object.metadata.namespace !== namespace) {
    throw new TypeError(
      object.metadata.namespace
        ? `${what}: the owner is in namespace ${namespace}, the object in ${object.metadata.namespace}`
        : `${what}: a cluster-scoped object cannot have an owner in a namespace`,
    );
  }
  const owners = object.metadata.ownerReferences ?? [];
  const other = controllerOf({ ownerReferences: owners });
  if (other && other.uid !== uid) {
    throw new TypeError(`${what}: its controller is already ${other.kind} ${other.name}`);
  }
  const reference: OwnerReference = {
    apiVersion: ownerType.apiVersion,
    kind: ownerType.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  object.metadata.ownerReferences = [...owners.filter((each) => each.uid !== uid), reference];
}
