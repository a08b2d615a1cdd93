// Written by `deno task facts:dump`.
import type {
  V1FieldSelectorRequirement,
  V1LabelSelectorRequirement,
  V1ObjectMeta,
} from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `FieldSelectorAttributes` of `authorization.k8s.io/v1`. */
export type V1FieldSelectorAttributes = {
  rawSelector?: string;
  requirements?: V1FieldSelectorRequirement[];
};

/** The TypeScript type of the Kubernetes API type `LabelSelectorAttributes` of `authorization.k8s.io/v1`. */
export type V1LabelSelectorAttributes = {
  rawSelector?: string;
  requirements?: V1LabelSelectorRequirement[];
};

/** The TypeScript type of the Kubernetes kind `LocalSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1LocalSubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "LocalSubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `NonResourceAttributes` of `authorization.k8s.io/v1`. */
export type V1NonResourceAttributes = {
  path?: string;
  verb?: string;
};

/** The TypeScript type of the Kubernetes API type `NonResourceRule` of `authorization.k8s.io/v1`. */
export type V1NonResourceRule = {
  verbs: string[];
  nonResourceURLs?: string[];
};

/** The TypeScript type of the Kubernetes API type `ResourceAttributes` of `authorization.k8s.io/v1`. */
export type V1ResourceAttributes = {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: V1FieldSelectorAttributes;
  labelSelector?: V1LabelSelectorAttributes;
};

/** The TypeScript type of the Kubernetes API type `ResourceRule` of `authorization.k8s.io/v1`. */
export type V1ResourceRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
};

/** The TypeScript type of the Kubernetes kind `SelfSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SelfSubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SelfSubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `SelfSubjectAccessReviewSpec` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectAccessReviewSpec = {
  resourceAttributes?: V1ResourceAttributes;
  nonResourceAttributes?: V1NonResourceAttributes;
};

/** The TypeScript type of the Kubernetes kind `SelfSubjectRulesReview` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectRulesReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SelfSubjectRulesReview";
  metadata: V1ObjectMeta;
  spec: V1SelfSubjectRulesReviewSpec;
  status?: V1SubjectRulesReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `SelfSubjectRulesReviewSpec` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectRulesReviewSpec = {
  namespace?: string;
};

/** The TypeScript type of the Kubernetes kind `SubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1SubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The TypeScript type of the Kubernetes API type `SubjectAccessReviewSpec` of `authorization.k8s.io/v1`. */
export type V1SubjectAccessReviewSpec = {
  resourceAttributes?: V1ResourceAttributes;
  nonResourceAttributes?: V1NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
};

/** The TypeScript type of the Kubernetes API type `SubjectAccessReviewStatus` of `authorization.k8s.io/v1`. */
export type V1SubjectAccessReviewStatus = {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
};

/** The TypeScript type of the Kubernetes API type `SubjectRulesReviewStatus` of `authorization.k8s.io/v1`. */
export type V1SubjectRulesReviewStatus = {
  resourceRules: V1ResourceRule[];
  nonResourceRules: V1NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
};
