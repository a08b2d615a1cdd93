// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The kind `Lease` of `coordination.k8s.io/v1`. */
export type V1Lease = {
  apiVersion?: "coordination.k8s.io/v1";
  kind?: "Lease";
  metadata: V1ObjectMeta;
  spec?: V1LeaseSpec;
};

/** The type `LeaseSpec` of `coordination/v1`. */
export type V1LeaseSpec = {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  /** RFC 3339, with microseconds. */
  acquireTime?: string;
  /** RFC 3339, with microseconds. */
  renewTime?: string;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
};
