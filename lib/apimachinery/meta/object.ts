import type { V1ManagedFieldsEntry } from "../kubernetes_types/types/meta_v1.ts";

/**
 * The owner of an object; see {@linkcode
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/ | owners and
 * dependents}.
 */
export interface OwnerReference {
  /** Group and version of the owner, as `apps/v1`. */
  apiVersion: string;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner, in the namespace of the owned object unless the owner is cluster-scoped. */
  name: string;
  /** UID of the owner. */
  uid: string;
  /** Whether this owner is the controller that manages the object; at most one owner is. */
  controller?: boolean;
  /** Whether the owner's foreground deletion waits for this object. */
  blockOwnerDeletion?: boolean;
}

/** The metadata of every object. Dates are RFC 3339 strings, as on the wire. */
export interface ObjectMeta {
  /** The name, unique among the objects of one kind in one namespace. */
  name?: string;
  /** The prefix of a unique name that the server generates when `name` is absent. */
  generateName?: string;
  /** The namespace; absent on cluster-scoped objects. */
  namespace?: string;
  /** The identity: an object that is created later under the same name has another UID. */
  uid?: string;
  /** The stored version of this object; opaque, but ordered within one resource. */
  resourceVersion?: string;
  /** The number of changes of the desired state (the spec). */
  generation?: number;
  /** The time of creation. */
  creationTimestamp?: string;
  /**
   * The time of the request for deletion; set while finalizers or a grace period delay the
   * deletion.
   */
  deletionTimestamp?: string;
  /** The grace period of the deletion, in seconds. */
  deletionGracePeriodSeconds?: number;
  /** Pairs for selection. */
  labels?: Record<string, string>;
  /** Pairs for tools; not selectable. */
  annotations?: Record<string, string>;
  /** The owners. The garbage collector deletes the object when all are gone. */
  ownerReferences?: OwnerReference[];
  /** Names of pending clean-ups, which delay the deletion until each is removed. */
  finalizers?: string[];
  /** The fields that each manager set. */
  managedFields?: V1ManagedFieldsEntry[];
}

/** Any Kubernetes object. */
export interface KubeObject {
  /** Group and version, as `apps/v1`; `v1` in the core group. */
  apiVersion?: string;
  /** The kind, as `Deployment`. */
  kind?: string;
  /** The metadata. */
  metadata: ObjectMeta;
}

/** An object of a kind without a type in the program. */
export interface UnstructuredObject extends KubeObject {
  /** Any further field. */
  [field: string]: unknown;
}

/** The metadata of a list. */
export interface ListMeta {
  /** The version of the list. A watch from this version misses no change. */
  resourceVersion?: string;
  /** The token of the next page; absent or empty on the last. */
  continue?: string;
  /** The number of objects on the following pages, when the server knows it. */
  remainingItemCount?: number;
}

/** A list of objects. */
export interface KubeList<T extends KubeObject = KubeObject> {
  /** Group and version of the list. */
  apiVersion?: string;
  /** The kind of the list, as `PodList`. */
  kind?: string;
  /** Version and paging. */
  metadata: ListMeta;
  /** The objects. The server leaves out their `apiVersion` and `kind`. */
  items: T[];
}

/** `T` with every field, however deep, read-only. */
export type DeepReadonly<T> = T extends (infer Item)[] ? readonly DeepReadonly<Item>[]
  : T extends object ? { readonly [Field in keyof T]: DeepReadonly<T[Field]> }
  : T;
