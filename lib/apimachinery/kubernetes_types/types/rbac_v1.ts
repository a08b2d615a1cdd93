// Written by `deno task facts:dump`.
import type { V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `AggregationRule` of `rbac.authorization.k8s.io/v1`. */
export type V1AggregationRule = {
  clusterRoleSelectors?: V1LabelSelector[];
};

/** The TypeScript type of the Kubernetes kind `ClusterRole` of `rbac.authorization.k8s.io/v1`. */
export type V1ClusterRole = {
  apiVersion?: "rbac.authorization.k8s.io/v1";
  kind?: "ClusterRole";
  metadata: V1ObjectMeta;
  rules?: V1PolicyRule[];
  aggregationRule?: V1AggregationRule;
};

/** The TypeScript type of the Kubernetes kind `ClusterRoleBinding` of `rbac.authorization.k8s.io/v1`. */
export type V1ClusterRoleBinding = {
  apiVersion?: "rbac.authorization.k8s.io/v1";
  kind?: "ClusterRoleBinding";
  metadata: V1ObjectMeta;
  subjects?: RbacV1Subject[];
  roleRef: V1RoleRef;
};

/** The TypeScript type of the Kubernetes API type `PolicyRule` of `rbac.authorization.k8s.io/v1`. */
export type V1PolicyRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};

/** The TypeScript type of the Kubernetes kind `Role` of `rbac.authorization.k8s.io/v1`. */
export type V1Role = {
  apiVersion?: "rbac.authorization.k8s.io/v1";
  kind?: "Role";
  metadata: V1ObjectMeta;
  rules?: V1PolicyRule[];
};

/** The TypeScript type of the Kubernetes kind `RoleBinding` of `rbac.authorization.k8s.io/v1`. */
export type V1RoleBinding = {
  apiVersion?: "rbac.authorization.k8s.io/v1";
  kind?: "RoleBinding";
  metadata: V1ObjectMeta;
  subjects?: RbacV1Subject[];
  roleRef: V1RoleRef;
};

/** The TypeScript type of the Kubernetes API type `RoleRef` of `rbac.authorization.k8s.io/v1`. */
export type V1RoleRef = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** The TypeScript type of the Kubernetes API type `Subject` of `rbac.authorization.k8s.io/v1`. */
export type RbacV1Subject = {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
};
