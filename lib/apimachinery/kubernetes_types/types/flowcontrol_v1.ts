// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The type `ExemptPriorityLevelConfiguration` of `flowcontrol/v1`. */
export type V1ExemptPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
};

/** The type `FlowDistinguisherMethod` of `flowcontrol/v1`. */
export type V1FlowDistinguisherMethod = {
  type: string;
};

/** The kind `FlowSchema` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1FlowSchema = {
  apiVersion?: "flowcontrol.apiserver.k8s.io/v1";
  kind?: "FlowSchema";
  metadata: V1ObjectMeta;
  spec: V1FlowSchemaSpec;
  status?: V1FlowSchemaStatus;
};

/** The type `FlowSchemaCondition` of `flowcontrol/v1`. */
export type V1FlowSchemaCondition = {
  type: string;
  status?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `FlowSchemaSpec` of `flowcontrol/v1`. */
export type V1FlowSchemaSpec = {
  priorityLevelConfiguration: V1PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: V1FlowDistinguisherMethod;
  rules?: V1PolicyRulesWithSubjects[];
};

/** The type `FlowSchemaStatus` of `flowcontrol/v1`. */
export type V1FlowSchemaStatus = {
  /** One item for each `type`. */
  conditions?: V1FlowSchemaCondition[];
};

/** The type `GroupSubject` of `flowcontrol/v1`. */
export type V1GroupSubject = {
  name: string;
};

/** The type `LimitResponse` of `flowcontrol/v1`. */
export type V1LimitResponse = {
  type: string;
  queuing?: V1QueuingConfiguration;
};

/** The type `LimitedPriorityLevelConfiguration` of `flowcontrol/v1`. */
export type V1LimitedPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number;
  limitResponse: V1LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
};

/** The type `NonResourcePolicyRule` of `flowcontrol/v1`. */
export type V1NonResourcePolicyRule = {
  /** Each item once. */
  verbs: string[];
  /** Each item once. */
  nonResourceURLs: string[];
};

/** The type `PolicyRulesWithSubjects` of `flowcontrol/v1`. */
export type V1PolicyRulesWithSubjects = {
  subjects: FlowcontrolV1Subject[];
  resourceRules?: V1ResourcePolicyRule[];
  nonResourceRules?: V1NonResourcePolicyRule[];
};

/** The kind `PriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1`. */
export type V1PriorityLevelConfiguration = {
  apiVersion?: "flowcontrol.apiserver.k8s.io/v1";
  kind?: "PriorityLevelConfiguration";
  metadata: V1ObjectMeta;
  spec: V1PriorityLevelConfigurationSpec;
  status?: V1PriorityLevelConfigurationStatus;
};

/** The type `PriorityLevelConfigurationCondition` of `flowcontrol/v1`. */
export type V1PriorityLevelConfigurationCondition = {
  type: string;
  status?: string;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The type `PriorityLevelConfigurationReference` of `flowcontrol/v1`. */
export type V1PriorityLevelConfigurationReference = {
  name: string;
};

/** The type `PriorityLevelConfigurationSpec` of `flowcontrol/v1`. */
export type V1PriorityLevelConfigurationSpec = {
  type: string;
  limited?: V1LimitedPriorityLevelConfiguration;
  exempt?: V1ExemptPriorityLevelConfiguration;
};

/** The type `PriorityLevelConfigurationStatus` of `flowcontrol/v1`. */
export type V1PriorityLevelConfigurationStatus = {
  /** One item for each `type`. */
  conditions?: V1PriorityLevelConfigurationCondition[];
};

/** The type `QueuingConfiguration` of `flowcontrol/v1`. */
export type V1QueuingConfiguration = {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
};

/** The type `ResourcePolicyRule` of `flowcontrol/v1`. */
export type V1ResourcePolicyRule = {
  /** Each item once. */
  verbs: string[];
  /** Each item once. */
  apiGroups: string[];
  /** Each item once. */
  resources: string[];
  clusterScope?: boolean;
  /** Each item once. */
  namespaces?: string[];
};

/** The type `ServiceAccountSubject` of `flowcontrol/v1`. */
export type V1ServiceAccountSubject = {
  namespace: string;
  name: string;
};

/** The type `Subject` of `flowcontrol/v1`. */
export type FlowcontrolV1Subject = {
  kind: string;
  user?: V1UserSubject;
  group?: V1GroupSubject;
  serviceAccount?: V1ServiceAccountSubject;
};

/** The type `UserSubject` of `flowcontrol/v1`. */
export type V1UserSubject = {
  name: string;
};
