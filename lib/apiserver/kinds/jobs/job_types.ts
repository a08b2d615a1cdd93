import type { V1JobSpec, V1JobStatus } from "@xca/apimachinery/kubernetes-types";
import type { Loose } from "../../validation/fields.ts";
import type { Meta, PodTemplate } from "../pods/common/pod_types.ts";

/** The spec of a Job before its validation: every field may be absent. */
export type JobSpec = Omit<Loose<V1JobSpec>, "template"> & { template?: PodTemplate };
/** The status of a Job before its validation: every field may be absent. */
export type JobStatus = Loose<V1JobStatus>;

/** A Job before its validation: every field of its metadata, spec and status may be absent. */
export interface Job {
  metadata: Meta;
  spec: JobSpec;
  status?: JobStatus;
}

/**
 * Reports whether a Job's pods have completion indexes: whether its completion mode is `Indexed`.
 */
export function isIndexed(spec: JobSpec): boolean {
  return spec.completionMode === "Indexed";
}
