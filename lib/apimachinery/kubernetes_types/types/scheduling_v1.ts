// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The kind `PriorityClass` of `scheduling.k8s.io/v1`. */
export type V1PriorityClass = {
  apiVersion?: "scheduling.k8s.io/v1";
  kind?: "PriorityClass";
  metadata: V1ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  /** One of `Never`, `PreemptLowerPriority`. */
  preemptionPolicy?: string;
};
