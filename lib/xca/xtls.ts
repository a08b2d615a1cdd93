import { type KubeObject, type ResourceType, resourceType } from "@xca/apimachinery/meta";

/** What is desired of an {@linkcode Xtls}. */
export interface XtlsSpec {
  /** An example field. */
  foo?: string;
}

/** What was observed of an {@linkcode Xtls}. */
export interface XtlsStatus {
  /** Whether the operator has seen the object. */
  active?: boolean;
  /** When the operator last wrote this status: RFC 3339, UTC, whole seconds. */
  last_update_time: string;
}

/** An object of the reference operator's second kind. */
export interface Xtls extends KubeObject {
  /** What is desired. */
  spec?: XtlsSpec;
  /** What was observed. */
  status?: XtlsStatus;
}

/** `xtls`, version `apps.xca.k8s.kb.cx/v1beta1`. */
export const Xtls: ResourceType<Xtls> = resourceType<Xtls>({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xtls",
  plural: "xtls",
});
