// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `Lease` of `coordination.k8s.io/v1`. */
export type V1Lease = {
  apiVersion?: "coordination.k8s.io/v1";
  kind?: "Lease";
  metadata: V1ObjectMeta;
  spec?: V1LeaseSpec;
};

/** The TypeScript type of the Kubernetes API type `LeaseSpec` of `coordination.k8s.io/v1`. */
export type V1LeaseSpec = {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  /** The field `acquireTime` of `LeaseSpec`: an RFC 3339 time with microseconds. */
  acquireTime?: string;
  /** The field `renewTime` of `LeaseSpec`: an RFC 3339 time with microseconds. */
  renewTime?: string;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
};
