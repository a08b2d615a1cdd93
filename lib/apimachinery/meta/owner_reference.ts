// Mirrors `apis/meta/v1/controller_ref.go, GetControllerOf`.
import type { DeepReadonly, KubeObject, OwnerReference } from "./object.ts";
import type { ResourceType } from "./resource_type.ts";

/**
 * Returns the owner reference of the controller that an object's metadata names
 * (`controller: true`); `undefined` when the object has no controller.
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
 * Reports whether an owner reference is to an object of a resource: group and kind must match, the
 * version may differ.
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
 * Sets `owner` as the controller of `object` in place: adds an owner reference with `controller`
 * and `blockOwnerDeletion`, or replaces the one with the same UID
 * (pkg/controller/controllerutil/controllerutil.go, SetControllerReference).
 *
 * @throws {TypeError} When the object or the owner has no metadata, when the owner's type has no
 * kind, when the object has another controller, when the owner is namespaced and the object is in
 * another namespace or in none (the API forbids both), or when the owner has no name or UID.
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
  owner: DeepReadonly<KubeObject>,
  ownerType: ResourceType,
): void {
  const reference = ownerReference(object, owner, ownerType, "the controller");
  const owners = object.metadata.ownerReferences ?? [];
  const other = controllerOf({ ownerReferences: owners });
  if (other && other.uid !== reference.uid) {
    throw new TypeError(
      `Cannot make ${ownerType.kind} ${reference.name} the controller of ${object.metadata.name}: ` +
        `its controller is already ${other.kind} ${other.name}`,
    );
  }
  replaceOwner(object, { ...reference, controller: true, blockOwnerDeletion: true });
}

/**
 * Sets `owner` as one of the owners of `object` in place, in addition to a controller and other
 * owners that the object may have: adds the owner reference, or replaces the one with the same UID
 * (pkg/controller/controllerutil/controllerutil.go, SetOwnerReference). The garbage collector
 * deletes the object when all its owners are gone. If the owner was the object's controller, it is
 * only an owner afterwards.
 *
 * @throws {TypeError} When the object or the owner has no metadata, when the owner's type has no
 * kind, when the owner is namespaced and the object is in another namespace or in none (the API
 * forbids both), or when the owner has no name or UID.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, type KubeObject, setOwnerReference } from "@xca/apimachinery/meta";
 *
 * const shared: KubeObject = { metadata: { namespace: "default", name: "shared" } };
 * for (const uid of ["1", "2"]) {
 *   setOwnerReference(shared, { metadata: { namespace: "default", name: uid, uid } }, ConfigMap);
 * }
 * assert.equal(shared.metadata.ownerReferences?.length, 2);
 * ```
 */
export function setOwnerReference(
  object: KubeObject,
  owner: DeepReadonly<KubeObject>,
  ownerType: ResourceType,
): void {
  replaceOwner(object, ownerReference(object, owner, ownerType, "an owner"));
}

/**
 * Removes the owner references with a UID from `object` in place, and reports whether there was one
 * (pkg/controller/controllerutil/controllerutil.go, RemoveOwnerReference).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type KubeObject, removeOwnerReference } from "@xca/apimachinery/meta";
 *
 * const owner = { apiVersion: "v1", kind: "ConfigMap", name: "web", uid: "1" };
 * const object: KubeObject = { metadata: { name: "child", ownerReferences: [owner] } };
 * assert(removeOwnerReference(object, "1"));
 * assert(!removeOwnerReference(object, "1"));
 * ```
 */
export function removeOwnerReference(object: KubeObject, ownerUid: string): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  const others = owners.filter(({ uid }) => uid !== ownerUid);
  if (others.length === owners.length) return false;
  if (others.length > 0) object.metadata.ownerReferences = others;
  else delete object.metadata.ownerReferences;
  return true;
}

function replaceOwner(object: KubeObject, reference: OwnerReference): void {
  const owners = object.metadata.ownerReferences ?? [];
  object.metadata.ownerReferences = [
    ...owners.filter(({ uid }) => uid !== reference.uid),
    reference,
  ];
}

/**
 * Returns an owner reference to `owner` for `object`; `role` names the owner's role in error
 * messages.
 *
 * @throws {TypeError} When the object or the owner has no metadata, when the owner's type has no
 * kind, or when the owner has no name or UID, or is in a namespace other than that of the object.
 */
function ownerReference(
  object: KubeObject,
  owner: DeepReadonly<KubeObject>,
  ownerType: ResourceType,
  role: string,
): OwnerReference {
  if (!object?.metadata || !owner?.metadata || !ownerType?.kind) {
    throw new TypeError(
      `Cannot set ${role} of an object: pass the object, its owner, and the resource of the owner`,
    );
  }
  const { name, uid, namespace } = owner.metadata;
  const what = `Cannot make ${ownerType.kind} ${name} ${role} of ${object.metadata.name}`;
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
  return { apiVersion: ownerType.apiVersion, kind: ownerType.kind, name, uid };
}
