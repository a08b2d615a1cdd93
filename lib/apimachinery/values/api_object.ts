import type { ObjectMeta } from "../meta/object.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; an absent field is `undefined`. */
export interface JsonObject {
  [field: string]: Json | undefined;
}

/**
 * A Kubernetes object as the server works on it: a JSON tree that may be changed until it is
 * stored. Storage keeps text, never the tree.
 */
export interface ApiObject {
  /** Group and version, as `apps/v1`. */
  apiVersion?: string;
  /** The kind, as `Deployment`. */
  kind?: string;
  /** The metadata, which every object has. */
  metadata: ObjectMeta;
  /** The fields of the kind. */
  [field: string]: unknown;
}

/**
 * A group and the plural of a resource, written `deployments.apps`, or `pods` for the core group.
 */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A group and a kind, written `Deployment.apps`, or `Pod` for the core group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Formats a group and resource: `deployments.apps`, `pods`. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Formats a group and kind: `Deployment.apps`, `Pod`. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}
