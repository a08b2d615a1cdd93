// Written by `deno task facts:dump`.
import type { V1TypedLocalObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `HTTPIngressPath` of `networking.k8s.io/v1`. */
export type V1HTTPIngressPath = {
  path?: string;
  /** The field `pathType` of `HTTPIngressPath`: a string, one of `Exact`, `ImplementationSpecific`, `Prefix`. */
  pathType: string;
  backend: V1IngressBackend;
};

/** The TypeScript type of the Kubernetes API type `HTTPIngressRuleValue` of `networking.k8s.io/v1`. */
export type V1HTTPIngressRuleValue = {
  paths: V1HTTPIngressPath[];
};

/** The TypeScript type of the Kubernetes kind `IPAddress` of `networking.k8s.io/v1`. */
export type V1IPAddress = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "IPAddress";
  metadata: V1ObjectMeta;
  spec: V1IPAddressSpec;
};

/** The TypeScript type of the Kubernetes API type `IPAddressSpec` of `networking.k8s.io/v1`. */
export type V1IPAddressSpec = {
  parentRef: V1ParentReference;
};

/** The TypeScript type of the Kubernetes API type `IPBlock` of `networking.k8s.io/v1`. */
export type V1IPBlock = {
  cidr: string;
  except?: string[];
};

/** The TypeScript type of the Kubernetes kind `Ingress` of `networking.k8s.io/v1`. */
export type V1Ingress = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "Ingress";
  metadata: V1ObjectMeta;
  spec?: V1IngressSpec;
  status?: V1IngressStatus;
};

/** The TypeScript type of the Kubernetes API type `IngressBackend` of `networking.k8s.io/v1`. */
export type V1IngressBackend = {
  service?: V1IngressServiceBackend;
  resource?: V1TypedLocalObjectReference;
};

/** The TypeScript type of the Kubernetes kind `IngressClass` of `networking.k8s.io/v1`. */
export type V1IngressClass = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "IngressClass";
  metadata: V1ObjectMeta;
  spec?: V1IngressClassSpec;
};

/** The TypeScript type of the Kubernetes API type `IngressClassParametersReference` of `networking.k8s.io/v1`. */
export type V1IngressClassParametersReference = {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string;
  namespace?: string;
};

/** The TypeScript type of the Kubernetes API type `IngressClassSpec` of `networking.k8s.io/v1`. */
export type V1IngressClassSpec = {
  controller?: string;
  parameters?: V1IngressClassParametersReference;
};

/** The TypeScript type of the Kubernetes API type `IngressLoadBalancerIngress` of `networking.k8s.io/v1`. */
export type V1IngressLoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ports?: V1IngressPortStatus[];
};

/** The TypeScript type of the Kubernetes API type `IngressLoadBalancerStatus` of `networking.k8s.io/v1`. */
export type V1IngressLoadBalancerStatus = {
  ingress?: V1IngressLoadBalancerIngress[];
};

/** The TypeScript type of the Kubernetes API type `IngressPortStatus` of `networking.k8s.io/v1`. */
export type V1IngressPortStatus = {
  port: number;
  /** The field `protocol` of `IngressPortStatus`: a string, one of `SCTP`, `TCP`, `UDP`. */
  protocol: string;
  error?: string;
};

/** The TypeScript type of the Kubernetes API type `IngressRule` of `networking.k8s.io/v1`. */
export type V1IngressRule = {
  host?: string;
  http?: V1HTTPIngressRuleValue;
};

/** The TypeScript type of the Kubernetes API type `IngressServiceBackend` of `networking.k8s.io/v1`. */
export type V1IngressServiceBackend = {
  name: string;
  port?: V1ServiceBackendPort;
};

/** The TypeScript type of the Kubernetes API type `IngressSpec` of `networking.k8s.io/v1`. */
export type V1IngressSpec = {
  ingressClassName?: string;
  defaultBackend?: V1IngressBackend;
  tls?: V1IngressTLS[];
  rules?: V1IngressRule[];
};

/** The TypeScript type of the Kubernetes API type `IngressStatus` of `networking.k8s.io/v1`. */
export type V1IngressStatus = {
  loadBalancer?: V1IngressLoadBalancerStatus;
};

/** The TypeScript type of the Kubernetes API type `IngressTLS` of `networking.k8s.io/v1`. */
export type V1IngressTLS = {
  hosts?: string[];
  secretName?: string;
};

/** The TypeScript type of the Kubernetes kind `NetworkPolicy` of `networking.k8s.io/v1`. */
export type V1NetworkPolicy = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "NetworkPolicy";
  metadata: V1ObjectMeta;
  spec?: V1NetworkPolicySpec;
};

/** The TypeScript type of the Kubernetes API type `NetworkPolicyEgressRule` of `networking.k8s.io/v1`. */
export type V1NetworkPolicyEgressRule = {
  ports?: V1NetworkPolicyPort[];
  to?: V1NetworkPolicyPeer[];
};

/** The TypeScript type of the Kubernetes API type `NetworkPolicyIngressRule` of `networking.k8s.io/v1`. */
export type V1NetworkPolicyIngressRule = {
  ports?: V1NetworkPolicyPort[];
  from?: V1NetworkPolicyPeer[];
};

/** The TypeScript type of the Kubernetes API type `NetworkPolicyPeer` of `networking.k8s.io/v1`. */
export type V1NetworkPolicyPeer = {
  podSelector?: V1LabelSelector;
  namespaceSelector?: V1LabelSelector;
  ipBlock?: V1IPBlock;
};

/** The TypeScript type of the Kubernetes API type `NetworkPolicyPort` of `networking.k8s.io/v1`. */
export type V1NetworkPolicyPort = {
  /** The field `protocol` of `NetworkPolicyPort`: a string, one of `SCTP`, `TCP`, `UDP`. */
  protocol?: string;
  port?: number | string;
  endPort?: number;
};

/** The TypeScript type of the Kubernetes API type `NetworkPolicySpec` of `networking.k8s.io/v1`. */
export type V1NetworkPolicySpec = {
  podSelector?: V1LabelSelector;
  ingress?: V1NetworkPolicyIngressRule[];
  egress?: V1NetworkPolicyEgressRule[];
  /** The field `policyTypes` of `NetworkPolicySpec`: strings, each one of `Egress`, `Ingress`. */
  policyTypes?: string[];
};

/** The TypeScript type of the Kubernetes API type `ParentReference` of `networking.k8s.io/v1`. */
export type V1ParentReference = {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
};

/** The TypeScript type of the Kubernetes API type `ServiceBackendPort` of `networking.k8s.io/v1`. */
export type V1ServiceBackendPort = {
  name?: string;
  number?: number;
};

/** The TypeScript type of the Kubernetes kind `ServiceCIDR` of `networking.k8s.io/v1`. */
export type V1ServiceCIDR = {
  apiVersion?: "networking.k8s.io/v1";
  kind?: "ServiceCIDR";
  metadata: V1ObjectMeta;
  spec?: V1ServiceCIDRSpec;
  status?: V1ServiceCIDRStatus;
};

/** The TypeScript type of the Kubernetes API type `ServiceCIDRSpec` of `networking.k8s.io/v1`. */
export type V1ServiceCIDRSpec = {
  cidrs?: string[];
};

/** The TypeScript type of the Kubernetes API type `ServiceCIDRStatus` of `networking.k8s.io/v1`. */
export type V1ServiceCIDRStatus = {
  /** The field `conditions` of `ServiceCIDRStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
};
