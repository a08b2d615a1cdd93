// Mirrors `apis/meta/v1/types.go, ObjectMeta`.
import type { V1ManagedFieldsEntry } from "../kubernetes_types/types/meta_v1.ts";

/**
 * A reference to the owner of an object; see {@linkcode
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/ | owners and
 * dependents}.
 */
export interface OwnerReference {
  /** The API group and version of the owning object, such as `apps/v1`. */
  apiVersion: string;
  /** The kind of the owning object. */
  kind: string;
  /**
   * The name of the owner, in the namespace of the owned object unless the owner is cluster-scoped.
   */
  name: string;
  /** The UID of the owning object. */
  uid: string;
  /**
   * Reports whether the owner is the controller that manages the object; at most one owner is. An
   * absent field counts as false.
   */
  controller?: boolean;
  /**
   * Reports whether the owner's foreground deletion waits until the owned object is deleted. An
   * absent field counts as false.
   */
  blockOwnerDeletion?: boolean;
}

/** The metadata of every object. Dates are RFC 3339 strings, as on the wire. */
export interface ObjectMeta {
  /** The name of the object, unique among the objects of one kind in one namespace. */
  name?: string;
  /**
   * The prefix of the unique name that the server generates for the object when `name` is absent.
   */
  generateName?: string;
  /** The namespace of the object; absent on cluster-scoped objects. */
  namespace?: string;
  /**
   * The identity of the object: another object that is created later under the same name has
   * another UID.
   */
  uid?: string;
  /** The stored version of the object; opaque, but ordered within one resource. */
  resourceVersion?: string;
  /**
   * The generation of the object: a number that the server increases when the desired state (the
   * spec) changes.
   */
  generation?: number;
  /** The time of the object's creation. */
  creationTimestamp?: string;
  /**
   * The time at which the object's deletion is due: that of the request plus the grace period. Set
   * while finalizers or the grace period delay the deletion.
   */
  deletionTimestamp?: string;
  /**
   * The grace period of the object's deletion, in seconds from the deletion request to
   * `deletionTimestamp`; absent before the deletion is requested.
   */
  deletionGracePeriodSeconds?: number;
  /** The labels of the object: keys and values that selectors can match. */
  labels?: Record<string, string>;
  /** The annotations of the object: keys and values for tools; not selectable. */
  annotations?: Record<string, string>;
  /**
   * The owners of the object. The garbage collector deletes an object with owners when all of them
   * are gone.
   */
  ownerReferences?: OwnerReference[];
  /**
   * The finalizers of the object: names of pending clean-ups, which delay its deletion until each
   * is removed.
   */
  finalizers?: string[];
  /** The entries that state which fields of the object each field manager owns. */
  managedFields?: V1ManagedFieldsEntry[];
}

/** A Kubernetes object of any kind: the fields that all objects have. */
export interface KubeObject {
  /** The API group and version of the object, such as `apps/v1`; `v1` in the core group. */
  apiVersion?: string;
  /** The kind of the object, such as `Deployment`. */
  kind?: string;
  /** The metadata of the object. */
  metadata: ObjectMeta;
}

/** A Kubernetes object of a kind for which the program has no TypeScript type. */
export interface UnstructuredObject extends KubeObject {
  /** Any further field of the object, such as `spec`. */
  [field: string]: unknown;
}

/** The metadata of a list of Kubernetes objects. */
export interface ListMeta {
  /** The resourceVersion of the list. A watch from this resourceVersion misses no change. */
  resourceVersion?: string;
  /** The token of the list's next page; absent or empty on the last. */
  continue?: string;
  /**
   * The number of objects on all following pages of the list; absent on the last page, and when the
   * server does not know the number.
   */
  remainingItemCount?: number;
}

/** A list of Kubernetes objects, as the server responds with it. */
export interface KubeList<T extends KubeObject = KubeObject> {
  /** The API group and version of the object list. */
  apiVersion?: string;
  /** The kind of the object list, such as `PodList`. */
  kind?: string;
  /** The metadata of the object list: resourceVersion and paging. */
  metadata: ListMeta;
  /**
   * The objects of the list. The server leaves out the `apiVersion` and `kind` of objects of
   * built-in kinds.
   */
  items: T[];
}

/** The type `T` with every field, however deep, read-only. */
export type DeepReadonly<T> = T extends (infer Item)[] ? readonly DeepReadonly<Item>[]
  : T extends object ? { readonly [Field in keyof T]: DeepReadonly<T[Field]> }
  : T;
