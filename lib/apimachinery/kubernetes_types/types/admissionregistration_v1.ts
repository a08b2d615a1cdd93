// Written by `deno task facts:dump`.
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The type `ApplyConfiguration` of `admissionregistration/v1`. */
export type V1ApplyConfiguration = {
  expression?: string;
};

/** The type `AuditAnnotation` of `admissionregistration/v1`. */
export type V1AuditAnnotation = {
  key: string;
  valueExpression: string;
};

/** The type `ExpressionWarning` of `admissionregistration/v1`. */
export type V1ExpressionWarning = {
  fieldRef: string;
  warning: string;
};

/** The type `JSONPatch` of `admissionregistration/v1`. */
export type V1JSONPatch = {
  expression?: string;
};

/** The type `MatchCondition` of `admissionregistration/v1`. */
export type V1MatchCondition = {
  name: string;
  expression: string;
};

/** The type `MatchResources` of `admissionregistration/v1`. */
export type V1MatchResources = {
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  resourceRules?: V1NamedRuleWithOperations[];
  excludeResourceRules?: V1NamedRuleWithOperations[];
  /** One of `Equivalent`, `Exact`. */
  matchPolicy?: string;
};

/** The kind `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicy = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingAdmissionPolicy";
  metadata: V1ObjectMeta;
  spec?: V1MutatingAdmissionPolicySpec;
};

/** The kind `MutatingAdmissionPolicyBinding` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicyBinding = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingAdmissionPolicyBinding";
  metadata: V1ObjectMeta;
  spec?: V1MutatingAdmissionPolicyBindingSpec;
};

/** The type `MutatingAdmissionPolicyBindingSpec` of `admissionregistration/v1`. */
export type V1MutatingAdmissionPolicyBindingSpec = {
  policyName?: string;
  paramRef?: V1ParamRef;
  matchResources?: V1MatchResources;
};

/** The type `MutatingAdmissionPolicySpec` of `admissionregistration/v1`. */
export type V1MutatingAdmissionPolicySpec = {
  paramKind?: V1ParamKind;
  matchConstraints?: V1MatchResources;
  variables?: V1Variable[];
  mutations?: V1Mutation[];
  /** One of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** One item for each `name`. */
  matchConditions?: V1MatchCondition[];
  /** One of `IfNeeded`, `Never`. */
  reinvocationPolicy?: string;
};

/** The type `MutatingWebhook` of `admissionregistration/v1`. */
export type V1MutatingWebhook = {
  name: string;
  clientConfig: AdmissionregistrationV1WebhookClientConfig;
  rules?: V1RuleWithOperations[];
  /** One of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** One of `Equivalent`, `Exact`. */
  matchPolicy?: string;
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  /** One of `None`, `NoneOnDryRun`, `Some`, `Unknown`. */
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  /** One of `IfNeeded`, `Never`. */
  reinvocationPolicy?: string;
  /** One item for each `name`. */
  matchConditions?: V1MatchCondition[];
};

/** The kind `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingWebhookConfiguration = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingWebhookConfiguration";
  metadata: V1ObjectMeta;
  /** One item for each `name`. */
  webhooks?: V1MutatingWebhook[];
};

/** The type `Mutation` of `admissionregistration/v1`. */
export type V1Mutation = {
  /** One of `ApplyConfiguration`, `JSONPatch`. */
  patchType: string;
  applyConfiguration?: V1ApplyConfiguration;
  jsonPatch?: V1JSONPatch;
};

/** The type `NamedRuleWithOperations` of `admissionregistration/v1`. */
export type V1NamedRuleWithOperations = {
  resourceNames?: string[];
  /** One of `*`, `CONNECT`, `CREATE`, `DELETE`, `UPDATE`. */
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  /** One of `*`, `Cluster`, `Namespaced`. */
  scope?: string;
};

/** The type `ParamKind` of `admissionregistration/v1`. */
export type V1ParamKind = {
  apiVersion?: string;
  kind?: string;
};

/** The type `ParamRef` of `admissionregistration/v1`. */
export type V1ParamRef = {
  name?: string;
  namespace?: string;
  selector?: V1LabelSelector;
  parameterNotFoundAction?: string;
};

/** The type `RuleWithOperations` of `admissionregistration/v1`. */
export type V1RuleWithOperations = {
  /** One of `*`, `CONNECT`, `CREATE`, `DELETE`, `UPDATE`. */
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  /** One of `*`, `Cluster`, `Namespaced`. */
  scope?: string;
};

/** The type `ServiceReference` of `admissionregistration/v1`. */
export type AdmissionregistrationV1ServiceReference = {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** The type `TypeChecking` of `admissionregistration/v1`. */
export type V1TypeChecking = {
  expressionWarnings?: V1ExpressionWarning[];
};

/** The kind `ValidatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicy = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingAdmissionPolicy";
  metadata: V1ObjectMeta;
  spec?: V1ValidatingAdmissionPolicySpec;
  status?: V1ValidatingAdmissionPolicyStatus;
};

/** The kind `ValidatingAdmissionPolicyBinding` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicyBinding = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingAdmissionPolicyBinding";
  metadata: V1ObjectMeta;
  spec: V1ValidatingAdmissionPolicyBindingSpec;
};

/** The type `ValidatingAdmissionPolicyBindingSpec` of `admissionregistration/v1`. */
export type V1ValidatingAdmissionPolicyBindingSpec = {
  policyName: string;
  paramRef?: V1ParamRef;
  matchResources?: V1MatchResources;
  /** One of `Audit`, `Deny`, `Warn`. Each item once. */
  validationActions: string[];
};

/** The type `ValidatingAdmissionPolicySpec` of `admissionregistration/v1`. */
export type V1ValidatingAdmissionPolicySpec = {
  paramKind?: V1ParamKind;
  matchConstraints?: V1MatchResources;
  validations?: V1Validation[];
  /** One of `Fail`, `Ignore`. */
  failurePolicy?: string;
  auditAnnotations?: V1AuditAnnotation[];
  /** One item for each `name`. */
  matchConditions?: V1MatchCondition[];
  /** One item for each `name`. */
  variables?: V1Variable[];
};

/** The type `ValidatingAdmissionPolicyStatus` of `admissionregistration/v1`. */
export type V1ValidatingAdmissionPolicyStatus = {
  observedGeneration?: number;
  typeChecking?: V1TypeChecking;
  /** One item for each `type`. */
  conditions?: V1Condition[];
};

/** The type `ValidatingWebhook` of `admissionregistration/v1`. */
export type V1ValidatingWebhook = {
  name: string;
  clientConfig: AdmissionregistrationV1WebhookClientConfig;
  rules?: V1RuleWithOperations[];
  /** One of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** One of `Equivalent`, `Exact`. */
  matchPolicy?: string;
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  /** One of `None`, `NoneOnDryRun`, `Some`, `Unknown`. */
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  /** One item for each `name`. */
  matchConditions?: V1MatchCondition[];
};

/** The kind `ValidatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingWebhookConfiguration = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingWebhookConfiguration";
  metadata: V1ObjectMeta;
  /** One item for each `name`. */
  webhooks?: V1ValidatingWebhook[];
};

/** The type `Validation` of `admissionregistration/v1`. */
export type V1Validation = {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
};

/** The type `Variable` of `admissionregistration/v1`. */
export type V1Variable = {
  name: string;
  expression: string;
};

/** The type `WebhookClientConfig` of `admissionregistration/v1`. */
export type AdmissionregistrationV1WebhookClientConfig = {
  url?: string;
  service?: AdmissionregistrationV1ServiceReference;
  /** Base64. */
  caBundle?: string;
};
