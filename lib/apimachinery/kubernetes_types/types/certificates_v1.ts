// Written by `deno task facts:dump`.
import type { V1Condition, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `CertificateSigningRequest` of `certificates.k8s.io/v1`. */
export type V1CertificateSigningRequest = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "CertificateSigningRequest";
  metadata: V1ObjectMeta;
  spec: V1CertificateSigningRequestSpec;
  status?: V1CertificateSigningRequestStatus;
};

/** The TypeScript type of the Kubernetes API type `CertificateSigningRequestCondition` of `certificates.k8s.io/v1`. */
export type V1CertificateSigningRequestCondition = {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  /** The field `lastUpdateTime` of `CertificateSigningRequestCondition`: an RFC 3339 time in whole seconds. */
  lastUpdateTime?: string;
  /** The field `lastTransitionTime` of `CertificateSigningRequestCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
};

/** The TypeScript type of the Kubernetes API type `CertificateSigningRequestSpec` of `certificates.k8s.io/v1`. */
export type V1CertificateSigningRequestSpec = {
  /** The field `request` of `CertificateSigningRequestSpec`: bytes in base64. */
  request: string;
  signerName: string;
  expirationSeconds?: number;
  /** The field `usages` of `CertificateSigningRequestSpec`: strings, each one of `any`, `cert sign`, `client auth`, `code signing`, `content commitment`, `crl sign`, `data encipherment`, `decipher only`, `digital signature`, `email protection`, `encipher only`, `ipsec end system`, `ipsec tunnel`, `ipsec user`, `key agreement`, `key encipherment`, `microsoft sgc`, `netscape sgc`, `ocsp signing`, `s/mime`, `server auth`, `signing`, `timestamping`. */
  usages?: string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};

/** The TypeScript type of the Kubernetes API type `CertificateSigningRequestStatus` of `certificates.k8s.io/v1`. */
export type V1CertificateSigningRequestStatus = {
  /** The field `conditions` of `CertificateSigningRequestStatus`: a list with at most one item for each `type`. */
  conditions?: V1CertificateSigningRequestCondition[];
  /** The field `certificate` of `CertificateSigningRequestStatus`: bytes in base64. */
  certificate?: string;
};

/** The TypeScript type of the Kubernetes kind `ClusterTrustBundle` of `certificates.k8s.io/v1`. */
export type V1ClusterTrustBundle = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "ClusterTrustBundle";
  metadata: V1ObjectMeta;
  spec: V1ClusterTrustBundleSpec;
};

/** The TypeScript type of the Kubernetes API type `ClusterTrustBundleSpec` of `certificates.k8s.io/v1`. */
export type V1ClusterTrustBundleSpec = {
  signerName?: string;
  trustBundle: string;
};

/** The TypeScript type of the Kubernetes kind `PodCertificateRequest` of `certificates.k8s.io/v1`. */
export type V1PodCertificateRequest = {
  apiVersion?: "certificates.k8s.io/v1";
  kind?: "PodCertificateRequest";
  metadata: V1ObjectMeta;
  spec: V1PodCertificateRequestSpec;
  status?: V1PodCertificateRequestStatus;
};

/** The TypeScript type of the Kubernetes API type `PodCertificateRequestSpec` of `certificates.k8s.io/v1`. */
export type V1PodCertificateRequestSpec = {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  /** The field `maxExpirationSeconds` of `PodCertificateRequestSpec`. @default {86400} */
  maxExpirationSeconds?: number;
  /** The field `stubPKCS10Request` of `PodCertificateRequestSpec`: bytes in base64. */
  stubPKCS10Request: string;
  unverifiedUserAnnotations?: Record<string, string>;
};

/** The TypeScript type of the Kubernetes API type `PodCertificateRequestStatus` of `certificates.k8s.io/v1`. */
export type V1PodCertificateRequestStatus = {
  /** The field `conditions` of `PodCertificateRequestStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
  certificateChain?: string;
  /** The field `notBefore` of `PodCertificateRequestStatus`: an RFC 3339 time in whole seconds. */
  notBefore?: string;
  /** The field `beginRefreshAt` of `PodCertificateRequestStatus`: an RFC 3339 time in whole seconds. */
  beginRefreshAt?: string;
  /** The field `notAfter` of `PodCertificateRequestStatus`: an RFC 3339 time in whole seconds. */
  notAfter?: string;
};
