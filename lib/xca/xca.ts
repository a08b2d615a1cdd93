import type { KubeObject } from "@xca/apimachinery/meta";
import { defineResource } from "../resource/define_resource.ts";
import type { DefinedResource } from "../resource/definition/defined_resource.ts";
import { PRINTER_COLUMNS, specOf, statusOf } from "./xca_schema.ts";

/** The desired state of an {@linkcode Xca}. */
export interface XcaSpec {
  /** An example field of the Xca spec; the controller does not read it. */
  foo?: string;
}

/** The observed state of an {@linkcode Xca}. */
export interface XcaStatus {
  /** Reports whether the operator has seen the Xca object; absent before, and never `false`. */
  active?: boolean;
  /** The time of the operator's last write of the Xca status: RFC 3339, UTC, whole seconds. */
  last_update_time: string;
}

/** An Xca object: the first kind of the reference operator. */
export interface Xca extends KubeObject {
  /** The desired state of the Xca object. */
  spec?: XcaSpec;
  /** The observed state of the Xca object. */
  status?: XcaStatus;
}

/** The resource type `xcas`, version `apps.xca.k8s.kb.cx/v1beta1`. */
export const Xca: DefinedResource<Xca> = defineResource({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xca",
  description: "Xca is the Schema for the Xca API.",
  spec: specOf("Xca"),
  status: statusOf("Xca"),
  printerColumns: PRINTER_COLUMNS,
});
