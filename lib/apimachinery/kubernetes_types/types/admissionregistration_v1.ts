// Written by `deno task facts:dump`.
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `ApplyConfiguration` of `admissionregistration.k8s.io/v1`. */
export type V1ApplyConfiguration = {
  expression?: string;
};

/** The TypeScript type of the Kubernetes API type `AuditAnnotation` of `admissionregistration.k8s.io/v1`. */
export type V1AuditAnnotation = {
  key: string;
  valueExpression: string;
};

/** The TypeScript type of the Kubernetes API type `ExpressionWarning` of `admissionregistration.k8s.io/v1`. */
export type V1ExpressionWarning = {
  fieldRef: string;
  warning: string;
};

/** The TypeScript type of the Kubernetes API type `JSONPatch` of `admissionregistration.k8s.io/v1`. */
export type V1JSONPatch = {
  expression?: string;
};

/** The TypeScript type of the Kubernetes API type `MatchCondition` of `admissionregistration.k8s.io/v1`. */
export type V1MatchCondition = {
  name: string;
  expression: string;
};

/** The TypeScript type of the Kubernetes API type `MatchResources` of `admissionregistration.k8s.io/v1`. */
export type V1MatchResources = {
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  resourceRules?: V1NamedRuleWithOperations[];
  excludeResourceRules?: V1NamedRuleWithOperations[];
  /** The field `matchPolicy` of `MatchResources`: a string, one of `Equivalent`, `Exact`. */
  matchPolicy?: string;
};

/** The TypeScript type of the Kubernetes kind `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicy = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingAdmissionPolicy";
  metadata: V1ObjectMeta;
  spec?: V1MutatingAdmissionPolicySpec;
};

/** The TypeScript type of the Kubernetes kind `MutatingAdmissionPolicyBinding` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicyBinding = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingAdmissionPolicyBinding";
  metadata: V1ObjectMeta;
  spec?: V1MutatingAdmissionPolicyBindingSpec;
};

/** The TypeScript type of the Kubernetes API type `MutatingAdmissionPolicyBindingSpec` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicyBindingSpec = {
  policyName?: string;
  paramRef?: V1ParamRef;
  matchResources?: V1MatchResources;
};

/** The TypeScript type of the Kubernetes API type `MutatingAdmissionPolicySpec` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingAdmissionPolicySpec = {
  paramKind?: V1ParamKind;
  matchConstraints?: V1MatchResources;
  variables?: V1Variable[];
  mutations?: V1Mutation[];
  /** The field `failurePolicy` of `MutatingAdmissionPolicySpec`: a string, one of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** The field `matchConditions` of `MutatingAdmissionPolicySpec`: a list with at most one item for each `name`. */
  matchConditions?: V1MatchCondition[];
  /** The field `reinvocationPolicy` of `MutatingAdmissionPolicySpec`: a string, one of `IfNeeded`, `Never`. */
  reinvocationPolicy?: string;
};

/** The TypeScript type of the Kubernetes API type `MutatingWebhook` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingWebhook = {
  name: string;
  clientConfig: AdmissionregistrationV1WebhookClientConfig;
  rules?: V1RuleWithOperations[];
  /** The field `failurePolicy` of `MutatingWebhook`: a string, one of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** The field `matchPolicy` of `MutatingWebhook`: a string, one of `Equivalent`, `Exact`. */
  matchPolicy?: string;
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  /** The field `sideEffects` of `MutatingWebhook`: a string, one of `None`, `NoneOnDryRun`, `Some`, `Unknown`. */
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  /** The field `reinvocationPolicy` of `MutatingWebhook`: a string, one of `IfNeeded`, `Never`. */
  reinvocationPolicy?: string;
  /** The field `matchConditions` of `MutatingWebhook`: a list with at most one item for each `name`. */
  matchConditions?: V1MatchCondition[];
};

/** The TypeScript type of the Kubernetes kind `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type V1MutatingWebhookConfiguration = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "MutatingWebhookConfiguration";
  metadata: V1ObjectMeta;
  /** The field `webhooks` of `MutatingWebhookConfiguration`: a list with at most one item for each `name`. */
  webhooks?: V1MutatingWebhook[];
};

/** The TypeScript type of the Kubernetes API type `Mutation` of `admissionregistration.k8s.io/v1`. */
export type V1Mutation = {
  /** The field `patchType` of `Mutation`: a string, one of `ApplyConfiguration`, `JSONPatch`. */
  patchType: string;
  applyConfiguration?: V1ApplyConfiguration;
  jsonPatch?: V1JSONPatch;
};

/** The TypeScript type of the Kubernetes API type `NamedRuleWithOperations` of `admissionregistration.k8s.io/v1`. */
export type V1NamedRuleWithOperations = {
  resourceNames?: string[];
  /** The field `operations` of `NamedRuleWithOperations`: strings, each one of `*`, `CONNECT`, `CREATE`, `DELETE`, `UPDATE`. */
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  /** The field `scope` of `NamedRuleWithOperations`: a string, one of `*`, `Cluster`, `Namespaced`. */
  scope?: string;
};

/** The TypeScript type of the Kubernetes API type `ParamKind` of `admissionregistration.k8s.io/v1`. */
export type V1ParamKind = {
  apiVersion?: string;
  kind?: string;
};

/** The TypeScript type of the Kubernetes API type `ParamRef` of `admissionregistration.k8s.io/v1`. */
export type V1ParamRef = {
  name?: string;
  namespace?: string;
  selector?: V1LabelSelector;
  parameterNotFoundAction?: string;
};

/** The TypeScript type of the Kubernetes API type `RuleWithOperations` of `admissionregistration.k8s.io/v1`. */
export type V1RuleWithOperations = {
  /** The field `operations` of `RuleWithOperations`: strings, each one of `*`, `CONNECT`, `CREATE`, `DELETE`, `UPDATE`. */
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  /** The field `scope` of `RuleWithOperations`: a string, one of `*`, `Cluster`, `Namespaced`. */
  scope?: string;
};

/** The TypeScript type of the Kubernetes API type `ServiceReference` of `admissionregistration.k8s.io/v1`. */
export type AdmissionregistrationV1ServiceReference = {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** The TypeScript type of the Kubernetes API type `TypeChecking` of `admissionregistration.k8s.io/v1`. */
export type V1TypeChecking = {
  expressionWarnings?: V1ExpressionWarning[];
};

/** The TypeScript type of the Kubernetes kind `ValidatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicy = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingAdmissionPolicy";
  metadata: V1ObjectMeta;
  spec?: V1ValidatingAdmissionPolicySpec;
  status?: V1ValidatingAdmissionPolicyStatus;
};

/** The TypeScript type of the Kubernetes kind `ValidatingAdmissionPolicyBinding` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicyBinding = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingAdmissionPolicyBinding";
  metadata: V1ObjectMeta;
  spec: V1ValidatingAdmissionPolicyBindingSpec;
};

/** The TypeScript type of the Kubernetes API type `ValidatingAdmissionPolicyBindingSpec` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicyBindingSpec = {
  policyName: string;
  paramRef?: V1ParamRef;
  matchResources?: V1MatchResources;
  /** The field `validationActions` of `ValidatingAdmissionPolicyBindingSpec`: strings, each one of `Audit`, `Deny`, `Warn`, without duplicates. */
  validationActions: string[];
};

/** The TypeScript type of the Kubernetes API type `ValidatingAdmissionPolicySpec` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicySpec = {
  paramKind?: V1ParamKind;
  matchConstraints?: V1MatchResources;
  validations?: V1Validation[];
  /** The field `failurePolicy` of `ValidatingAdmissionPolicySpec`: a string, one of `Fail`, `Ignore`. */
  failurePolicy?: string;
  auditAnnotations?: V1AuditAnnotation[];
  /** The field `matchConditions` of `ValidatingAdmissionPolicySpec`: a list with at most one item for each `name`. */
  matchConditions?: V1MatchCondition[];
  /** The field `variables` of `ValidatingAdmissionPolicySpec`: a list with at most one item for each `name`. */
  variables?: V1Variable[];
};

/** The TypeScript type of the Kubernetes API type `ValidatingAdmissionPolicyStatus` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingAdmissionPolicyStatus = {
  observedGeneration?: number;
  typeChecking?: V1TypeChecking;
  /** The field `conditions` of `ValidatingAdmissionPolicyStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
};

/** The TypeScript type of the Kubernetes API type `ValidatingWebhook` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingWebhook = {
  name: string;
  clientConfig: AdmissionregistrationV1WebhookClientConfig;
  rules?: V1RuleWithOperations[];
  /** The field `failurePolicy` of `ValidatingWebhook`: a string, one of `Fail`, `Ignore`. */
  failurePolicy?: string;
  /** The field `matchPolicy` of `ValidatingWebhook`: a string, one of `Equivalent`, `Exact`. */
  matchPolicy?: string;
  namespaceSelector?: V1LabelSelector;
  objectSelector?: V1LabelSelector;
  /** The field `sideEffects` of `ValidatingWebhook`: a string, one of `None`, `NoneOnDryRun`, `Some`, `Unknown`. */
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  /** The field `matchConditions` of `ValidatingWebhook`: a list with at most one item for each `name`. */
  matchConditions?: V1MatchCondition[];
};

/** The TypeScript type of the Kubernetes kind `ValidatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`. */
export type V1ValidatingWebhookConfiguration = {
  apiVersion?: "admissionregistration.k8s.io/v1";
  kind?: "ValidatingWebhookConfiguration";
  metadata: V1ObjectMeta;
  /** The field `webhooks` of `ValidatingWebhookConfiguration`: a list with at most one item for each `name`. */
  webhooks?: V1ValidatingWebhook[];
};

/** The TypeScript type of the Kubernetes API type `Validation` of `admissionregistration.k8s.io/v1`. */
export type V1Validation = {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
};

/** The TypeScript type of the Kubernetes API type `Variable` of `admissionregistration.k8s.io/v1`. */
export type V1Variable = {
  name: string;
  expression: string;
};

/** The TypeScript type of the Kubernetes API type `WebhookClientConfig` of `admissionregistration.k8s.io/v1`. */
export type AdmissionregistrationV1WebhookClientConfig = {
  url?: string;
  service?: AdmissionregistrationV1ServiceReference;
  /** The field `caBundle` of `WebhookClientConfig`: bytes in base64. */
  caBundle?: string;
};
