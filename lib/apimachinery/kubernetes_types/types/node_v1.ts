// Written by `deno task facts:dump`.
import type { V1Toleration } from "./core_v1_pods.ts";
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `Overhead` of `node.k8s.io/v1`. */
export type V1Overhead = {
  /** The field `podFixed` of `Overhead`: a map, each value a quantity, such as `500m` or `2Gi`. */
  podFixed?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes kind `RuntimeClass` of `node.k8s.io/v1`. */
export type V1RuntimeClass = {
  apiVersion?: "node.k8s.io/v1";
  kind?: "RuntimeClass";
  metadata: V1ObjectMeta;
  handler: string;
  overhead?: V1Overhead;
  scheduling?: V1Scheduling;
};

/** The TypeScript type of the Kubernetes API type `Scheduling` of `node.k8s.io/v1`. */
export type V1Scheduling = {
  nodeSelector?: Record<string, string>;
  tolerations?: V1Toleration[];
};
