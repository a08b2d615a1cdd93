// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The type `BoundObjectReference` of `authentication/v1`. */
export type V1BoundObjectReference = {
  apiVersion?: string;
  kind?: string;
  name?: string;
  uid?: string;
};

/** The kind `SelfSubjectReview` of `authentication.k8s.io/v1`. */
export type V1SelfSubjectReview = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "SelfSubjectReview";
  metadata: V1ObjectMeta;
  status?: V1SelfSubjectReviewStatus;
};

/** The type `SelfSubjectReviewStatus` of `authentication/v1`. */
export type V1SelfSubjectReviewStatus = {
  userInfo?: V1UserInfo;
};

/** The kind `TokenRequest` of `authentication.k8s.io/v1`. */
export type V1TokenRequest = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "TokenRequest";
  metadata: V1ObjectMeta;
  spec?: V1TokenRequestSpec;
  status?: V1TokenRequestStatus;
};

/** The type `TokenRequestSpec` of `authentication/v1`. */
export type V1TokenRequestSpec = {
  audiences?: string[];
  expirationSeconds?: number;
  boundObjectRef?: V1BoundObjectReference;
  attestations?: Record<string, string[]>;
};

/** The type `TokenRequestStatus` of `authentication/v1`. */
export type V1TokenRequestStatus = {
  token?: string;
  /** RFC 3339, in whole seconds. */
  expirationTimestamp?: string;
};

/** The kind `TokenReview` of `authentication.k8s.io/v1`. */
export type V1TokenReview = {
  apiVersion?: "authentication.k8s.io/v1";
  kind?: "TokenReview";
  metadata: V1ObjectMeta;
  spec: V1TokenReviewSpec;
  status?: V1TokenReviewStatus;
};

/** The type `TokenReviewSpec` of `authentication/v1`. */
export type V1TokenReviewSpec = {
  token: string;
  audiences?: string[];
};

/** The type `TokenReviewStatus` of `authentication/v1`. */
export type V1TokenReviewStatus = {
  authenticated?: boolean;
  user?: V1UserInfo;
  audiences?: string[];
  error?: string;
};

/** The type `UserInfo` of `authentication/v1`. */
export type V1UserInfo = {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};
