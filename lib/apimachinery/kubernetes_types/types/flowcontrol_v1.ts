// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `ExemptPriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1ExemptPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
};

/** The TypeScript type of the Kubernetes API type `FlowDistinguisherMethod` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowDistinguisherMethod = {
  type: string;
};

/** The TypeScript type of the Kubernetes kind `FlowSchema` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowSchema = {
  apiVersion?: "flowcontrol.apiserver.k8s.io/v1";
  kind?: "FlowSchema";
  metadata: V1ObjectMeta;
  spec: V1FlowSchemaSpec;
  status?: V1FlowSchemaStatus;
};

/** The TypeScript type of the Kubernetes API type `FlowSchemaCondition` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowSchemaCondition = {
  type: string;
  status?: string;
  /** The field `lastTransitionTime` of `FlowSchemaCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `FlowSchemaSpec` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowSchemaSpec = {
  priorityLevelConfiguration: V1PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: V1FlowDistinguisherMethod;
  rules?: V1PolicyRulesWithSubjects[];
};

/** The TypeScript type of the Kubernetes API type `FlowSchemaStatus` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowSchemaStatus = {
  /** The field `conditions` of `FlowSchemaStatus`: a list with at most one item for each `type`. */
  conditions?: V1FlowSchemaCondition[];
};

/** The TypeScript type of the Kubernetes API type `GroupSubject` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1GroupSubject = {
  name: string;
};

/** The TypeScript type of the Kubernetes API type `LimitResponse` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1LimitResponse = {
  type: string;
  queuing?: V1QueuingConfiguration;
};

/** The TypeScript type of the Kubernetes API type `LimitedPriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1LimitedPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number;
  limitResponse: V1LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
};

/** The TypeScript type of the Kubernetes API type `NonResourcePolicyRule` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1NonResourcePolicyRule = {
  /** The field `verbs` of `NonResourcePolicyRule`: a list without duplicates. */
  verbs: string[];
  /** The field `nonResourceURLs` of `NonResourcePolicyRule`: a list without duplicates. */
  nonResourceURLs: string[];
};

/** The TypeScript type of the Kubernetes API type `PolicyRulesWithSubjects` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PolicyRulesWithSubjects = {
  subjects: FlowcontrolV1Subject[];
  resourceRules?: V1ResourcePolicyRule[];
  nonResourceRules?: V1NonResourcePolicyRule[];
};

/** The TypeScript type of the Kubernetes kind `PriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfiguration = {
  apiVersion?: "flowcontrol.apiserver.k8s.io/v1";
  kind?: "PriorityLevelConfiguration";
  metadata: V1ObjectMeta;
  spec: V1PriorityLevelConfigurationSpec;
  status?: V1PriorityLevelConfigurationStatus;
};

/** The TypeScript type of the Kubernetes API type `PriorityLevelConfigurationCondition` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfigurationCondition = {
  type: string;
  status?: string;
  /** The field `lastTransitionTime` of `PriorityLevelConfigurationCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `PriorityLevelConfigurationReference` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfigurationReference = {
  name: string;
};

/** The TypeScript type of the Kubernetes API type `PriorityLevelConfigurationSpec` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfigurationSpec = {
  type: string;
  limited?: V1LimitedPriorityLevelConfiguration;
  exempt?: V1ExemptPriorityLevelConfiguration;
};

/** The TypeScript type of the Kubernetes API type `PriorityLevelConfigurationStatus` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfigurationStatus = {
  /** The field `conditions` of `PriorityLevelConfigurationStatus`: a list with at most one item for each `type`. */
  conditions?: V1PriorityLevelConfigurationCondition[];
};

/** The TypeScript type of the Kubernetes API type `QueuingConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1QueuingConfiguration = {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
};

/** The TypeScript type of the Kubernetes API type `ResourcePolicyRule` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1ResourcePolicyRule = {
  /** The field `verbs` of `ResourcePolicyRule`: a list without duplicates. */
  verbs: string[];
  /** The field `apiGroups` of `ResourcePolicyRule`: a list without duplicates. */
  apiGroups: string[];
  /** The field `resources` of `ResourcePolicyRule`: a list without duplicates. */
  resources: string[];
  clusterScope?: boolean;
  /** The field `namespaces` of `ResourcePolicyRule`: a list without duplicates. */
  namespaces?: string[];
};

/** The TypeScript type of the Kubernetes API type `ServiceAccountSubject` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1ServiceAccountSubject = {
  namespace: string;
  name: string;
};

/** The TypeScript type of the Kubernetes API type `Subject` of `flowcontrol.apiserver.k8s.io/v1`. */
export type FlowcontrolV1Subject = {
  kind: string;
  user?: V1UserSubject;
  group?: V1GroupSubject;
  serviceAccount?: V1ServiceAccountSubject;
};

/** The TypeScript type of the Kubernetes API type `UserSubject` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1UserSubject = {
  name: string;
};
