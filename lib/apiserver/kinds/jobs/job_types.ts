import type { V1JobSpec, V1JobStatus } from "@xca/apimachinery/kubernetes-types";
import type { Loose } from "../../validation/fields.ts";
import type { Meta, PodTemplate } from "../pods/pod_types.ts";

/** What a Job shall do. */
export type JobSpec = Omit<Loose<V1JobSpec>, "template"> & { template?: PodTemplate };
/** How a Job does. */
export type JobStatus = Loose<V1JobStatus>;

/** A `Job.batch`. */
export interface Job {
  metadata: Meta;
  spec: JobSpec;
  status?: JobStatus;
}

/** Whether each pod of a Job has a number. */
export function isIndexed(spec: JobSpec): boolean {
  return spec.completionMode === "Indexed";
}
