// Written by `deno task facts:dump`.
/** The type `Condition` of `meta/v1`. */
export type V1Condition = {
  type: string;
  status: string;
  observedGeneration?: number;
  /** RFC 3339, in whole seconds. */
  lastTransitionTime: string;
  reason: string;
  message: string;
};

/** The kind `DeleteOptions` of `v1`. */
export type V1DeleteOptions = {
  apiVersion?: "v1";
  kind?: "DeleteOptions";
  gracePeriodSeconds?: number;
  preconditions?: V1Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

/** The type `FieldSelectorRequirement` of `meta/v1`. */
export type V1FieldSelectorRequirement = {
  key: string;
  operator: string;
  values?: string[];
};

/** The type `GroupResource` of `meta/v1`. */
export type V1GroupResource = {
  group: string;
  resource: string;
};

/** The type `LabelSelector` of `meta/v1`. */
export type V1LabelSelector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: V1LabelSelectorRequirement[];
};

/** The type `LabelSelectorRequirement` of `meta/v1`. */
export type V1LabelSelectorRequirement = {
  key: string;
  operator: string;
  values?: string[];
};

/** The type `ManagedFieldsEntry` of `meta/v1`. */
export type V1ManagedFieldsEntry = {
  apiVersion?: string;
  manager?: string;
  operation?: string;
  /** RFC 3339, in whole seconds. */
  time?: string;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
};

/** The type `ObjectMeta` of `meta/v1`. */
export type V1ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  /** RFC 3339, in whole seconds. */
  creationTimestamp?: string;
  /** RFC 3339, in whole seconds. */
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** One item for each `uid`. */
  ownerReferences?: V1OwnerReference[];
  /** Each item once. */
  finalizers?: string[];
  managedFields?: V1ManagedFieldsEntry[];
};

/** The type `OwnerReference` of `meta/v1`. */
export type V1OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** The type `Preconditions` of `meta/v1`. */
export type V1Preconditions = {
  uid?: string;
  resourceVersion?: string;
};
