// Written by `deno task facts:dump`.
import type { V1TypedLocalObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The type `HTTPIngressPath` of `networking/v1`. */
export type V1HTTPIngressPath = {
  path?: string;
  /** One of `Exact`, `ImplementationSpecific`, `Prefix`. */
  pathType: string;
  backend: V1IngressBackend;
};

/** The type `HTTPIngressRuleValue` of `networking/v1`. */
export type V1HTTPIngressRuleValue = {
  paths: V1HTTPIngressPath[];
};

/** The kind `IPAddress` of `networking.k8s.io/v1`. */
export type V1IPAddress = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "IPAddress";
  metadata: V1ObjectMeta;
  spec: V1IPAddressSpec;
};

/** The type `IPAddressSpec` of `networking/v1`. */
export type V1IPAddressSpec = {
  parentRef: V1ParentReference;
};

/** The type `IPBlock` of `networking/v1`. */
export type V1IPBlock = {
  cidr: string;
  except?: string[];
};

/** The kind `Ingress` of `networking.k8s.io/v1`. */
export type V1Ingress = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "Ingress";
  metadata: V1ObjectMeta;
  spec?: V1IngressSpec;
  status?: V1IngressStatus;
};

/** The type `IngressBackend` of `networking/v1`. */
export type V1IngressBackend = {
  service?: V1IngressServiceBackend;
  resource?: V1TypedLocalObjectReference;
};

/** The kind `IngressClass` of `networking.k8s.io/v1`. */
export type V1IngressClass = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "IngressClass";
  metadata: V1ObjectMeta;
  spec?: V1IngressClassSpec;
};

/** The type `IngressClassParametersReference` of `networking/v1`. */
export type V1IngressClassParametersReference = {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string;
  namespace?: string;
};

/** The type `IngressClassSpec` of `networking/v1`. */
export type V1IngressClassSpec = {
  controller?: string;
  parameters?: V1IngressClassParametersReference;
};

/** The type `IngressLoadBalancerIngress` of `networking/v1`. */
export type V1IngressLoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ports?: V1IngressPortStatus[];
};

/** The type `IngressLoadBalancerStatus` of `networking/v1`. */
export type V1IngressLoadBalancerStatus = {
  ingress?: V1IngressLoadBalancerIngress[];
};

/** The type `IngressPortStatus` of `networking/v1`. */
export type V1IngressPortStatus = {
  port: number;
  /** One of `SCTP`, `TCP`, `UDP`. */
  protocol: string;
  error?: string;
};

/** The type `IngressRule` of `networking/v1`. */
export type V1IngressRule = {
  host?: string;
  http?: V1HTTPIngressRuleValue;
};

/** The type `IngressServiceBackend` of `networking/v1`. */
export type V1IngressServiceBackend = {
  name: string;
  port?: V1ServiceBackendPort;
};

/** The type `IngressSpec` of `networking/v1`. */
export type V1IngressSpec = {
  ingressClassName?: string;
  defaultBackend?: V1IngressBackend;
  tls?: V1IngressTLS[];
  rules?: V1IngressRule[];
};

/** The type `IngressStatus` of `networking/v1`. */
export type V1IngressStatus = {
  loadBalancer?: V1IngressLoadBalancerStatus;
};

/** The type `IngressTLS` of `networking/v1`. */
export type V1IngressTLS = {
  hosts?: string[];
  secretName?: string;
};

/** The kind `NetworkPolicy` of `networking.k8s.io/v1`. */
export type V1NetworkPolicy = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "NetworkPolicy";
  metadata: V1ObjectMeta;
  spec?: V1NetworkPolicySpec;
};

/** The type `NetworkPolicyEgressRule` of `networking/v1`. */
export type V1NetworkPolicyEgressRule = {
  ports?: V1NetworkPolicyPort[];
  to?: V1NetworkPolicyPeer[];
};

/** The type `NetworkPolicyIngressRule` of `networking/v1`. */
export type V1NetworkPolicyIngressRule = {
  ports?: V1NetworkPolicyPort[];
  from?: V1NetworkPolicyPeer[];
};

/** The type `NetworkPolicyPeer` of `networking/v1`. */
export type V1NetworkPolicyPeer = {
  podSelector?: V1LabelSelector;
  namespaceSelector?: V1LabelSelector;
  ipBlock?: V1IPBlock;
};

/** The type `NetworkPolicyPort` of `networking/v1`. */
export type V1NetworkPolicyPort = {
  /** One of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  port?: number | string;
  endPort?: number;
};

/** The type `NetworkPolicySpec` of `networking/v1`. */
export type V1NetworkPolicySpec = {
  podSelector?: V1LabelSelector;
  ingress?: V1NetworkPolicyIngressRule[];
  egress?: V1NetworkPolicyEgressRule[];
  /** One of `Egress`, `Ingress`. */
  policyTypes?: string[];
};

/** The type `ParentReference` of `networking/v1`. */
export type V1ParentReference = {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
};

/** The type `ServiceBackendPort` of `networking/v1`. */
export type V1ServiceBackendPort = {
  name?: string;
  number?: number;
};

/** The kind `ServiceCIDR` of `networking.k8s.io/v1`. */
export type V1ServiceCIDR = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "ServiceCIDR";
  metadata: V1ObjectMeta;
  spec?: V1ServiceCIDRSpec;
  status?: V1ServiceCIDRStatus;
};

/** The type `ServiceCIDRSpec` of `networking/v1`. */
export type V1ServiceCIDRSpec = {
  cidrs?: string[];
};

/** The type `ServiceCIDRStatus` of `networking/v1`. */
export type V1ServiceCIDRStatus = {
  /** One item for each `type`. */
  conditions?: V1Condition[];
};
