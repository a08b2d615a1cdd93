// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes API type `CustomResourceColumnDefinition` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceColumnDefinition = {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceConversion` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceConversion = {
  strategy: string;
  webhook?: V1WebhookConversion;
};

/** The TypeScript type of the Kubernetes kind `CustomResourceDefinition` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinition = {
  apiVersion?: "apiextensions.k8s.io/v1";
  kind?: "CustomResourceDefinition";
  metadata: V1ObjectMeta;
  spec: V1CustomResourceDefinitionSpec;
  status?: V1CustomResourceDefinitionStatus;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceDefinitionCondition` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinitionCondition = {
  type: string;
  status: string;
  /** The field `lastTransitionTime` of `CustomResourceDefinitionCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceDefinitionNames` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinitionNames = {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
};

/** The TypeScript type of the Kubernetes API type `CustomResourceDefinitionSpec` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinitionSpec = {
  group: string;
  names: V1CustomResourceDefinitionNames;
  scope: string;
  versions: V1CustomResourceDefinitionVersion[];
  conversion?: V1CustomResourceConversion;
  preserveUnknownFields?: boolean;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceDefinitionStatus` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinitionStatus = {
  /** The field `conditions` of `CustomResourceDefinitionStatus`: a list with at most one item for each `type`. */
  conditions?: V1CustomResourceDefinitionCondition[];
  acceptedNames?: V1CustomResourceDefinitionNames;
  storedVersions?: string[];
  observedGeneration?: number;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceDefinitionVersion` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceDefinitionVersion = {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: V1CustomResourceValidation;
  subresources?: V1CustomResourceSubresources;
  additionalPrinterColumns?: V1CustomResourceColumnDefinition[];
  selectableFields?: V1SelectableField[];
};

/** The TypeScript type of the Kubernetes API type `CustomResourceSubresourceScale` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceSubresourceScale = {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceSubresourceStatus` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceSubresourceStatus = Record<string, never>;

/** The TypeScript type of the Kubernetes API type `CustomResourceSubresources` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceSubresources = {
  status?: V1CustomResourceSubresourceStatus;
  scale?: V1CustomResourceSubresourceScale;
};

/** The TypeScript type of the Kubernetes API type `CustomResourceValidation` of `apiextensions.k8s.io/v1`. */
export type V1CustomResourceValidation = {
  openAPIV3Schema?: V1JSONSchemaProps;
};

/** The TypeScript type of the Kubernetes API type `ExternalDocumentation` of `apiextensions.k8s.io/v1`. */
export type V1ExternalDocumentation = {
  description?: string;
  url?: string;
};

/** The TypeScript type of the Kubernetes API type `JSONSchemaProps` of `apiextensions.k8s.io/v1`. */
export type V1JSONSchemaProps = {
  id?: string;
  "$schema"?: string;
  "$ref"?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: unknown;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: unknown[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: V1JSONSchemaProps | V1JSONSchemaProps[];
  allOf?: V1JSONSchemaProps[];
  oneOf?: V1JSONSchemaProps[];
  anyOf?: V1JSONSchemaProps[];
  not?: V1JSONSchemaProps;
  properties?: Record<string, V1JSONSchemaProps>;
  additionalProperties?: V1JSONSchemaProps | boolean;
  patternProperties?: Record<string, V1JSONSchemaProps>;
  dependencies?: Record<string, V1JSONSchemaProps | string[]>;
  additionalItems?: V1JSONSchemaProps | boolean;
  definitions?: Record<string, V1JSONSchemaProps>;
  externalDocs?: V1ExternalDocumentation;
  example?: unknown;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  /** The field `x-kubernetes-validations` of `JSONSchemaProps`: a list with at most one item for each `rule`. */
  "x-kubernetes-validations"?: V1ValidationRule[];
};

/** The TypeScript type of the Kubernetes API type `SelectableField` of `apiextensions.k8s.io/v1`. */
export type V1SelectableField = {
  jsonPath: string;
};

/** The TypeScript type of the Kubernetes API type `ServiceReference` of `apiextensions.k8s.io/v1`. */
export type ApiextensionsV1ServiceReference = {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** The TypeScript type of the Kubernetes API type `ValidationRule` of `apiextensions.k8s.io/v1`. */
export type V1ValidationRule = {
  rule: string;
  message?: string;
  messageExpression?: string;
  /** The field `reason` of `ValidationRule`: a string, one of `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid`, `FieldValueRequired`. */
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
};

/** The TypeScript type of the Kubernetes API type `WebhookClientConfig` of `apiextensions.k8s.io/v1`. */
export type ApiextensionsV1WebhookClientConfig = {
  url?: string;
  service?: ApiextensionsV1ServiceReference;
  /** The field `caBundle` of `WebhookClientConfig`: bytes in base64. */
  caBundle?: string;
};

/** The TypeScript type of the Kubernetes API type `WebhookConversion` of `apiextensions.k8s.io/v1`. */
export type V1WebhookConversion = {
  clientConfig?: ApiextensionsV1WebhookClientConfig;
  conversionReviewVersions: string[];
};
