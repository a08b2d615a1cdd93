import type { V1ManagedFieldsEntry } from "../kubernetes_types/types/meta_v1.ts";

/** Who owns an object; see {@linkcode https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/ | owners and dependents}. */
export interface OwnerReference {
  /** Group and version of the owner, as `apps/v1`. */
  apiVersion: string;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner, in the namespace of the owned object unless the owner is cluster-scoped. */
  name: string;
  /** Identity of the owner. */
  uid: string;
  /** Whether this owner is the one controller that manages the object. */
  controller?: boolean;
  /** Whether the owner's foreground deletion waits for this object. */
  blockOwnerDeletion?: boolean;
}

/** The metadata that every object carries. Dates are RFC 3339 strings, as on the wire. */
export interface ObjectMeta {
  /** Unique among the objects of one kind in one namespace. */
  name?: string;
  /** A prefix from which the server makes a unique name, when `name` is absent. */
  generateName?: string;
  /** Absent on cluster-scoped objects. */
  namespace?: string;
  /** Identity: another object that later takes the same name has another one. */
  uid?: string;
  /** The version of this object that the server stored; opaque, but ordered within one resource. */
  resourceVersion?: string;
  /** Counts the changes of what is desired (the spec). */
  generation?: number;
  /** When the server stored the object first. */
  creationTimestamp?: string;
  /** When deletion was asked for; set while finalizers hold the object back. */
  deletionTimestamp?: string;
  /** The grace given to the deletion, in seconds. */
  deletionGracePeriodSeconds?: number;
  /** Pairs to select by. */
  labels?: Record<string, string>;
  /** Pairs that tools keep; not selectable. */
  annotations?: Record<string, string>;
  /** The owners; when all are gone the garbage collector deletes the object. */
  ownerReferences?: OwnerReference[];
  /** What must still be done, and by whom, before the object goes. */
  finalizers?: string[];
  /** Which manager set which field. */
  managedFields?: V1ManagedFieldsEntry[];
}

/** Any Kubernetes object. */
export interface KubeObject {
  /** Group and version, as `apps/v1`, or `v1` of the core group. */
  apiVersion?: string;
  /** The kind, as `Deployment`. */
  kind?: string;
  /** Name, identity, version, labels. */
  metadata: ObjectMeta;
}

/** An object of a kind that nothing more is known of. */
export interface UnstructuredObject extends KubeObject {
  /** Whatever the kind has. */
  [field: string]: unknown;
}

/** The metadata of a list. */
export interface ListMeta {
  /** The version that the list shows: a watch from here misses nothing. */
  resourceVersion?: string;
  /** Where the next page begins; absent or empty on the last. */
  continue?: string;
  /** How many objects the following pages hold, when the server knows. */
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
