/**
 * Webhooks of operators: typed defaulters, validators and rules in CEL, and the HTTPS server that the API
 * server calls.
 *
 * @module
 */
export {
  type AdmissionContext,
  type AdmissionUser,
  type ConnectContext,
  type CreateContext,
  type DefaultContext,
  type Defaulter,
  type DeleteContext,
  type RequestKind,
  type UpdateContext,
  type Validator,
  type Verdict,
} from "./admission/admission_context.ts";
export { type Admission, admit, type AdmitRequest } from "./admission/admit.ts";
export {
  DenialError,
  deny,
  type DenyOptions,
  field,
  type FieldProblem,
  type FieldProblems,
} from "./admission/denial.ts";
export type { JsonPatchOperation } from "./admission/json_patch.ts";
export type { RuleOptions } from "./admission/object_rule.ts";
export { CONVERT_PATH, mutatePath, validatePath } from "./admission/paths.ts";
export { WebhookBuilder, webhookFor } from "./admission/webhook_builder.ts";
export type {
  WebhookDefinition,
  WebhookForOptions,
  WebhookOptions,
} from "./admission/webhook_definition.ts";
export type {
  ObjectRule,
  ObjectRuleScope,
  OperatorWebhook,
  RuleParameters,
  WebhookMatch,
  WebhookMatchCondition,
  WebhookOperation,
  WebhookRegistration,
} from "../controller/definition/operator_webhook.ts";
export type { WebhookMetrics } from "../controller/ports/webhook_metrics.ts";
export type { Conversion } from "./conversion/conversion.ts";
export { conversionsOf } from "./conversion/conversions_of.ts";
export {
  WEBHOOK_PORT,
  type WebhookClients,
  type WebhookServer,
  webhookServer,
  type WebhookServerOptions,
} from "./server/webhook_server.ts";
export { checkRules } from "./rules/check_rules.ts";
export { policiesOf } from "./rules/policies_of.ts";
export {
  filesCertificate,
  type FilesCertificateOptions,
} from "./certificates/files_certificate.ts";
export type {
  CertificateMetrics,
  CertificateOffer,
  CertificateSource,
  ServingCertificate,
} from "@xca/apimachinery/serving";
export {
  type OwnCertificates,
  ownCertificates,
  type OwnCertificatesOptions,
  ownCertificatesUses,
} from "./certificates/own_certificates.ts";
export type { CaBundleTargets } from "./certificates/ca_bundle.ts";
export type { SecretName } from "./certificates/material_store.ts";
export type { WebhookAddress, WebhookService } from "./configuration/webhook_address.ts";
export {
  caBundleTargetsOf,
  type ConfiguredOperator,
  type WebhookConfiguration,
  webhookConfigurationsOf,
  type WebhookConfigurationsOptions,
} from "./configuration/webhook_configurations.ts";
export { withConversionWebhook } from "./configuration/conversion_webhook.ts";
export {
  type CertManagerManifest,
  certManagerManifests,
  type CertManagerOptions,
} from "./configuration/cert_manager.ts";
export {
  keepConfigurations,
  type KeepConfigurationsOptions,
  keepConfigurationsUses,
  type KeptConfigurations,
} from "./configuration/keep_configurations.ts";
export { type WebhookDeadlock, webhookDeadlocks } from "./configuration/webhook_deadlock.ts";
