/**
 * Descriptions of the fields of `ObjectMeta`, `OwnerReference` and `ListMeta`, which `kubectl
 * explain` shows. The fields of other built-in types have no descriptions.
 *
 * @module
 */

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * A record of the descriptions of the fields of `ObjectMeta`, `OwnerReference` and `ListMeta`, by
 * the type's OpenAPI name and the field's name.
 */
export const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${META}.ObjectMeta`]: {
    annotations:
      "Annotations is a map of data that tools and controllers attach to an object. Keys " +
      "are qualified names; selectors cannot refer to it.",
    creationTimestamp:
      "CreationTimestamp is a timestamp of the server's time when the object was " +
      "created. It is set by the server, in RFC 3339 form and UTC, and cannot be changed.",
    deletionGracePeriodSeconds:
      "Number of seconds that the object has to end by itself before it is " +
      "removed. It is set together with deletionTimestamp and may only be shortened.",
    deletionTimestamp:
      "DeletionTimestamp is a timestamp after which the object is removed. It is set " +
      "by the server when a client asks for a graceful deletion; the object stays until its list of " +
      "finalizers is empty. It cannot be unset.",
    finalizers: "Identifiers of components that have work to do before the object is removed. An " +
      "object is removed only when the list is empty; components may take themselves off in any order.",
    generateName:
      "GenerateName is a prefix from which the server makes a unique name when name is " +
      "empty. A request fails with AlreadyExists when the made name is taken.",
    generation:
      "Sequence number of the desired state. It is set by the server and increases with each " +
      "change of it.",
    labels:
      "Map of keys and values that selectors of services, controllers and requests match. Keys " +
      "are qualified names.",
    managedFields:
      "Fields that each manager owns, by manager, operation and version. It is kept by " +
      "the server for server-side apply and is of little use to people.",
    name:
      "Name is unique among the objects of a resource in a namespace. It is required for most " +
      "objects when they are created and cannot be changed.",
    namespace:
      "Namespace in which the name is unique. It is empty for cluster-scoped resources and " +
      "cannot be changed.",
    ownerReferences:
      "Objects that this object depends on. It is removed when all of them are gone. At " +
      "most one of them is the managing controller.",
    resourceVersion:
      "Version of the object, an opaque value from the server. Clients use it to detect " +
      "changes, for optimistic locking and for watches.",
    selfLink: "Deprecated: selfLink is a field that the server does not set any more.",
    uid:
      "UID identifies this object among all that ever had its name. It is set by the server and " +
      "cannot be changed.",
  },
  [`${META}.OwnerReference`]: {
    apiVersion: "API version of the owner.",
    blockOwnerDeletion:
      "Whether the owner stays until this reference is gone when it is deleted in " +
      "the foreground.",
    controller: "Whether the owner is the managing controller.",
    kind: "Kind of the owner.",
    name: "Name of the owner.",
    uid: "UID of the owner.",
  },
  [`${META}.ListMeta`]: {
    continue: "Token for the next page of the list; empty on the last page.",
    remainingItemCount: "Number of objects after this page, where the server knows it.",
    resourceVersion: "Version at which the list was read, an opaque value from the server.",
    selfLink: "Deprecated: selfLink is a field that the server does not set any more.",
  },
};
