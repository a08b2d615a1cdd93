// Written by `deno task facts:dump`.
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The kind `CertificateSigningRequest` of `certificates.k8s.io/v1`. */
export type V1CertificateSigningRequest = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "CertificateSigningRequest";
  metadata: V1ObjectMeta;
  spec: V1CertificateSigningRequestSpec;
  status?: V1CertificateSigningRequestStatus;
};

/** The type `CertificateSigningRequestCondition` of `certificates/v1`. */
export type V1CertificateSigningRequestCondition = {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  /** RFC 3339, in whole seconds. */
  lastUpdateTime?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
};

/** The type `CertificateSigningRequestSpec` of `certificates/v1`. */
export type V1CertificateSigningRequestSpec = {
  /** Base64. */
  request: string;
  signerName: string;
  expirationSeconds?: number;
  /** One of `any`, `cert sign`, `client auth`, `code signing`, `content commitment`, `crl sign`, `data encipherment`, `decipher only`, `digital signature`, `email protection`, `encipher only`, `ipsec end system`, `ipsec tunnel`, `ipsec user`, `key agreement`, `key encipherment`, `microsoft sgc`, `netscape sgc`, `ocsp signing`, `s/mime`, `server auth`, `signing`, `timestamping`. */
  usages?: string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};

/** The type `CertificateSigningRequestStatus` of `certificates/v1`. */
export type V1CertificateSigningRequestStatus = {
  /** One item for each `type`. */
  conditions?: V1CertificateSigningRequestCondition[];
  /** Base64. */
  certificate?: string;
};

/** The kind `ClusterTrustBundle` of `certificates.k8s.io/v1`. */
export type V1ClusterTrustBundle = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "ClusterTrustBundle";
  metadata: V1ObjectMeta;
  spec: V1ClusterTrustBundleSpec;
};

/** The type `ClusterTrustBundleSpec` of `certificates/v1`. */
export type V1ClusterTrustBundleSpec = {
  signerName?: string;
  trustBundle: string;
};

/** The kind `PodCertificateRequest` of `certificates.k8s.io/v1`. */
export type V1PodCertificateRequest = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "PodCertificateRequest";
  metadata: V1ObjectMeta;
  spec: V1PodCertificateRequestSpec;
  status?: V1PodCertificateRequestStatus;
};

/** The type `PodCertificateRequestSpec` of `certificates/v1`. */
export type V1PodCertificateRequestSpec = {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  /** @default {86400} */
  maxExpirationSeconds?: number;
  /** Base64. */
  stubPKCS10Request: string;
  unverifiedUserAnnotations?: Record<string, string>;
};

/** The type `PodCertificateRequestStatus` of `certificates/v1`. */
export type V1PodCertificateRequestStatus = {
  /** One item for each `type`. */
  conditions?: V1Condition[];
  certificateChain?: string;
  /** RFC 3339, in whole seconds. */
  notBefore?: string;
  /** RFC 3339, in whole seconds. */
  beginRefreshAt?: string;
  /** RFC 3339, in whole seconds. */
  notAfter?: string;
};
