import type { KubeObject } from "@xca/apimachinery/meta";
import { defineResource } from "../resource/define_resource.ts";
import type { DefinedResource } from "../resource/definition/defined_resource.ts";
import { PRINTER_COLUMNS, specOf, statusOf } from "./xca_schema.ts";

/** The desired state of an {@linkcode Xtls}. */
export interface XtlsSpec {
  /** An example field of the Xtls spec; the controller does not read it. */
  foo?: string;
}

/** The observed state of an {@linkcode Xtls}. */
export interface XtlsStatus {
  /** Reports whether the operator has seen the Xtls object; absent before, and never `false`. */
  active?: boolean;
  /** The time of the operator's last write of the Xtls status: RFC 3339, UTC, whole seconds. */
  last_update_time: string;
}

/** An Xtls object: the second kind of the reference operator. */
export interface Xtls extends KubeObject {
  /** The desired state of the Xtls object. */
  spec?: XtlsSpec;
  /** The observed state of the Xtls object. */
  status?: XtlsStatus;
}

/** The resource type `xtls`, version `apps.xca.k8s.kb.cx/v1beta1`. */
export const Xtls: DefinedResource<Xtls> = defineResource({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xtls",
  plural: "xtls",
  description: "Xtls is the Schema for the Xtls API.",
  spec: specOf("Xtls"),
  status: statusOf("Xtls"),
  printerColumns: PRINTER_COLUMNS,
});
