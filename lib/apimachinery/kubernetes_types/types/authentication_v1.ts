// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `BoundObjectReference` of `authentication.k8s.io/v1`. */
export type V1BoundObjectReference = {
  apiVersion?: string;
  kind?: string;
  name?: string;
  uid?: string;
};

/** The TypeScript type of the Kubernetes kind `SelfSubjectReview` of `authentication.k8s.io/v1`. */
export type V1SelfSubjectReview = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "SelfSubjectReview";
  metadata: V1ObjectMeta;
  status?: V1SelfSubjectReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `SelfSubjectReviewStatus` of `authentication.k8s.io/v1`. */
export type V1SelfSubjectReviewStatus = {
  userInfo?: V1UserInfo;
};

/** The TypeScript type of the Kubernetes kind `TokenRequest` of `authentication.k8s.io/v1`. */
export type V1TokenRequest = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "TokenRequest";
  metadata: V1ObjectMeta;
  spec?: V1TokenRequestSpec;
  status?: V1TokenRequestStatus;
};

/** The TypeScript type of the Kubernetes API type `TokenRequestSpec` of `authentication.k8s.io/v1`. */
export type V1TokenRequestSpec = {
  audiences?: string[];
  expirationSeconds?: number;
  boundObjectRef?: V1BoundObjectReference;
  attestations?: Record<string, string[]>;
};

/** The TypeScript type of the Kubernetes API type `TokenRequestStatus` of `authentication.k8s.io/v1`. */
export type V1TokenRequestStatus = {
  token?: string;
  /** The field `expirationTimestamp` of `TokenRequestStatus`: an RFC 3339 time in whole seconds. */
  expirationTimestamp?: string;
};

/** The TypeScript type of the Kubernetes kind `TokenReview` of `authentication.k8s.io/v1`. */
export type V1TokenReview = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "TokenReview";
  metadata: V1ObjectMeta;
  spec: V1TokenReviewSpec;
  status?: V1TokenReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `TokenReviewSpec` of `authentication.k8s.io/v1`. */
export type V1TokenReviewSpec = {
  token: string;
  audiences?: string[];
};

/** The TypeScript type of the Kubernetes API type `TokenReviewStatus` of `authentication.k8s.io/v1`. */
export type V1TokenReviewStatus = {
  authenticated?: boolean;
  user?: V1UserInfo;
  audiences?: string[];
  error?: string;
};

/** The TypeScript type of the Kubernetes API type `UserInfo` of `authentication.k8s.io/v1`. */
export type V1UserInfo = {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};
