// Written by `deno task facts:dump`.
import type {
  V1FieldSelectorRequirement,
  V1LabelSelectorRequirement,
  V1ObjectMeta,
} from "./meta_v1.ts";

/** The type `FieldSelectorAttributes` of `authorization/v1`. */
export type V1FieldSelectorAttributes = {
  rawSelector?: string;
  requirements?: V1FieldSelectorRequirement[];
};

/** The type `LabelSelectorAttributes` of `authorization/v1`. */
export type V1LabelSelectorAttributes = {
  rawSelector?: string;
  requirements?: V1LabelSelectorRequirement[];
};

/** The kind `LocalSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1LocalSubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "LocalSubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The type `NonResourceAttributes` of `authorization/v1`. */
export type V1NonResourceAttributes = {
  path?: string;
  verb?: string;
};

/** The type `NonResourceRule` of `authorization/v1`. */
export type V1NonResourceRule = {
  verbs: string[];
  nonResourceURLs?: string[];
};

/** The type `ResourceAttributes` of `authorization/v1`. */
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

/** The type `ResourceRule` of `authorization/v1`. */
export type V1ResourceRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
};

/** The kind `SelfSubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SelfSubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SelfSubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The type `SelfSubjectAccessReviewSpec` of `authorization/v1`. */
export type V1SelfSubjectAccessReviewSpec = {
  resourceAttributes?: V1ResourceAttributes;
  nonResourceAttributes?: V1NonResourceAttributes;
};

/** The kind `SelfSubjectRulesReview` of `authorization.k8s.io/v1`. */
export type V1SelfSubjectRulesReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SelfSubjectRulesReview";
  metadata: V1ObjectMeta;
  spec: V1SelfSubjectRulesReviewSpec;
  status?: V1SubjectRulesReviewStatus;
};

/** The type `SelfSubjectRulesReviewSpec` of `authorization/v1`. */
export type V1SelfSubjectRulesReviewSpec = {
  namespace?: string;
};

/** The kind `SubjectAccessReview` of `authorization.k8s.io/v1`. */
export type V1SubjectAccessReview = {
  apiVersion?: "authorization.k8s.io/v1";
  kind?: "SubjectAccessReview";
  metadata: V1ObjectMeta;
  spec: V1SubjectAccessReviewSpec;
  status?: V1SubjectAccessReviewStatus;
};

/** The type `SubjectAccessReviewSpec` of `authorization/v1`. */
export type V1SubjectAccessReviewSpec = {
  resourceAttributes?: V1ResourceAttributes;
  nonResourceAttributes?: V1NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
};

/** The type `SubjectAccessReviewStatus` of `authorization/v1`. */
export type V1SubjectAccessReviewStatus = {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
};

/** The type `SubjectRulesReviewStatus` of `authorization/v1`. */
export type V1SubjectRulesReviewStatus = {
  resourceRules: V1ResourceRule[];
  nonResourceRules: V1NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
};
