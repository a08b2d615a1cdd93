// Written by `deno task facts:dump`.
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The type `Endpoint` of `discovery/v1`. */
export type V1Endpoint = {
  /** Each item once. */
  addresses: string[];
  conditions?: V1EndpointConditions;
  hostname?: string;
  targetRef?: V1ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: V1EndpointHints;
};

/** The type `EndpointConditions` of `discovery/v1`. */
export type V1EndpointConditions = {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
};

/** The type `EndpointHints` of `discovery/v1`. */
export type V1EndpointHints = {
  forZones?: V1ForZone[];
  forNodes?: V1ForNode[];
};

/** The type `EndpointPort` of `discovery/v1`. */
export type DiscoveryV1EndpointPort = {
  name?: string;
  /** One of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  port?: number;
  appProtocol?: string;
};

/** The kind `EndpointSlice` of `discovery.k8s.io/v1`. */
export type V1EndpointSlice = {
  apiVersion?: "discovery.k8s.io/v1";
  kind?: "EndpointSlice";
  metadata: V1ObjectMeta;
  /** One of `FQDN`, `IPv4`, `IPv6`. */
  addressType: string;
  endpoints?: V1Endpoint[];
  ports?: DiscoveryV1EndpointPort[];
};

/** The type `ForNode` of `discovery/v1`. */
export type V1ForNode = {
  name: string;
};

/** The type `ForZone` of `discovery/v1`. */
export type V1ForZone = {
  name: string;
};
