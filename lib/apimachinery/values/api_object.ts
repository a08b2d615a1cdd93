// Mirrors `runtime/schema/group_version.go, GroupResource`.
import type { ObjectMeta } from "../meta/object.ts";

/** The TypeScript type of a JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** The TypeScript type of a JSON object; an absent field is `undefined`. */
export interface JsonObject {
  [field: string]: Json | undefined;
}

/**
 * A Kubernetes object as the server works on it: a JSON tree that may be changed until it is
 * stored. Storage keeps text, never the tree.
 */
export interface ApiObject {
  /** The API group and version of the object, such as `apps/v1`. */
  apiVersion?: string;
  /** The kind of the object, such as `Deployment`. */
  kind?: string;
  /** The metadata of the object, which every object has. */
  metadata: ObjectMeta;
  /** The further fields of the object, which depend on its kind. */
  [field: string]: unknown;
}

/**
 * An API group and the plural of a resource, written `deployments.apps`, or `pods` for the core
 * group.
 */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** An API group and a kind, written `Deployment.apps`, or `Pod` for the core group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Formats an API group and resource, such as `deployments.apps`, or `pods` in the core group. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Formats an API group and kind, such as `Deployment.apps`, or `Pod` in the core group. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}
