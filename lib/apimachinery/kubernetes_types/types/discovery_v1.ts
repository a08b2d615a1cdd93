// Written by `deno task facts:dump`.
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `Endpoint` of `discovery.k8s.io/v1`. */
export type V1Endpoint = {
  /** The field `addresses` of `Endpoint`: a list without duplicates. */
  addresses: string[];
  conditions?: V1EndpointConditions;
  hostname?: string;
  targetRef?: V1ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: V1EndpointHints;
};

/** The TypeScript type of the Kubernetes API type `EndpointConditions` of `discovery.k8s.io/v1`. */
export type V1EndpointConditions = {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
};

/** The TypeScript type of the Kubernetes API type `EndpointHints` of `discovery.k8s.io/v1`. */
export type V1EndpointHints = {
  forZones?: V1ForZone[];
  forNodes?: V1ForNode[];
};

/** The TypeScript type of the Kubernetes API type `EndpointPort` of `discovery.k8s.io/v1`. */
export type DiscoveryV1EndpointPort = {
  name?: string;
  /** The field `protocol` of `EndpointPort`: a string, one of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  port?: number;
  appProtocol?: string;
};

/** The TypeScript type of the Kubernetes kind `EndpointSlice` of `discovery.k8s.io/v1`. */
export type V1EndpointSlice = {
  apiVersion?: "discovery.k8s.io/v1";
  kind?: "EndpointSlice";
  metadata: V1ObjectMeta;
  /** The field `addressType` of `EndpointSlice`: a string, one of `FQDN`, `IPv4`, `IPv6`. */
  addressType: string;
  endpoints?: V1Endpoint[];
  ports?: DiscoveryV1EndpointPort[];
};

/** The TypeScript type of the Kubernetes API type `ForNode` of `discovery.k8s.io/v1`. */
export type V1ForNode = {
  name: string;
};

/** The TypeScript type of the Kubernetes API type `ForZone` of `discovery.k8s.io/v1`. */
export type V1ForZone = {
  name: string;
};
