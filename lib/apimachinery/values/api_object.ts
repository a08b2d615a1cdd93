import type { ObjectMeta } from "../meta/object.ts";

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; an absent field reads as `undefined`. */
export interface JsonObject {
  [field: string]: Json | undefined;
}

/**
 * One Kubernetes object as the server works on it: a JSON tree of its own, free to be changed until
 * it is stored. Storage keeps text, never the tree.
 */
export interface ApiObject {
  /** Group and version, as `apps/v1`. */
  apiVersion?: string;
  /** The kind, as `Deployment`. */
  kind?: string;
  /** What every object has. */
  metadata: ObjectMeta;
  /** What is particular to the kind. */
  [field: string]: unknown;
}

/** A group and a resource of it (plural), written `deployments.apps`, or `pods` of the core group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A group and a kind of it, written `Deployment.apps`, or `Pod` of the core group. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `deployments.apps`, `pods`. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** `Deployment.apps`, `Pod`. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}
