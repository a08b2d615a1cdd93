// Written by `deno task facts:dump`.
/** The TypeScript type of the Kubernetes API type `Condition` of `meta/v1`. */
export type V1Condition = {
  type: string;
  status: string;
  observedGeneration?: number;
  /** The field `lastTransitionTime` of `Condition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime: string;
  reason: string;
  message: string;
};

/** The TypeScript type of the Kubernetes kind `DeleteOptions` of `v1`. */
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

/** The TypeScript type of the Kubernetes API type `FieldSelectorRequirement` of `meta/v1`. */
export type V1FieldSelectorRequirement = {
  key: string;
  operator: string;
  values?: string[];
};

/** The TypeScript type of the Kubernetes API type `GroupResource` of `meta/v1`. */
export type V1GroupResource = {
  group: string;
  resource: string;
};

/** The TypeScript type of the Kubernetes API type `LabelSelector` of `meta/v1`. */
export type V1LabelSelector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: V1LabelSelectorRequirement[];
};

/** The TypeScript type of the Kubernetes API type `LabelSelectorRequirement` of `meta/v1`. */
export type V1LabelSelectorRequirement = {
  key: string;
  operator: string;
  values?: string[];
};

/** The TypeScript type of the Kubernetes API type `ManagedFieldsEntry` of `meta/v1`. */
export type V1ManagedFieldsEntry = {
  apiVersion?: string;
  manager?: string;
  operation?: string;
  /** The field `time` of `ManagedFieldsEntry`: an RFC 3339 time in whole seconds. */
  time?: string;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
};

/** The TypeScript type of the Kubernetes API type `ObjectMeta` of `meta/v1`. */
export type V1ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  /** The field `creationTimestamp` of `ObjectMeta`: an RFC 3339 time in whole seconds. */
  creationTimestamp?: string;
  /** The field `deletionTimestamp` of `ObjectMeta`: an RFC 3339 time in whole seconds. */
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** The field `ownerReferences` of `ObjectMeta`: a list with at most one item for each `uid`. */
  ownerReferences?: V1OwnerReference[];
  /** The field `finalizers` of `ObjectMeta`: a list without duplicates. */
  finalizers?: string[];
  managedFields?: V1ManagedFieldsEntry[];
};

/** The TypeScript type of the Kubernetes API type `OwnerReference` of `meta/v1`. */
export type V1OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** The TypeScript type of the Kubernetes API type `Preconditions` of `meta/v1`. */
export type V1Preconditions = {
  uid?: string;
  resourceVersion?: string;
};
