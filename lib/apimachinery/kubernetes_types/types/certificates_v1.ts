// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

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
