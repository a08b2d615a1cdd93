import { type KubeObject, type ResourceType, resourceType } from "@xca/apimachinery/meta";

/** What is desired of an {@linkcode Xca}. */
export interface XcaSpec {
  /** An example field. */
  foo?: string;
}

/** What was observed of an {@linkcode Xca}. */
export interface XcaStatus {
  /** Whether the operator has seen the object. */
  active?: boolean;
  /** When the operator last wrote this status: RFC 3339, UTC, whole seconds. */
  last_update_time: string;
}

/** An object of the reference operator's first kind. */
export interface Xca extends KubeObject {
  /** What is desired. */
  spec?: XcaSpec;
  /** What was observed. */
  status?: XcaStatus;
}

/** `xcas`, version `apps.xca.k8s.kb.cx/v1beta1`. */
export const Xca: ResourceType<Xca> = resourceType<Xca>({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xca",
  plural: "xcas",
});
