// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `PriorityClass` of `scheduling.k8s.io/v1`. */
export type V1PriorityClass = {
  apiVersion?: "scheduling.k8s.io/v1";
  kind?: "PriorityClass";
  metadata: V1ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  /** The field `preemptionPolicy` of `PriorityClass`: a string, one of `Never`, `PreemptLowerPriority`. */
  preemptionPolicy?: string;
};
