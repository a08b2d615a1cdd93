// Mirrors `core/validation/validation.go, ValidatePersistentVolumeClaimSpec`.
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  validateLabels,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type {
  V1PersistentVolumeClaimSpec,
  V1PersistentVolumeClaimTemplate,
} from "@xca/apimachinery/kubernetes-types";
import { validateAnnotations } from "../../validation/annotations.ts";
import type { Loose } from "../../validation/fields.ts";
import { sameValue } from "../../validation/immutable.ts";
import { validatePositiveQuantity } from "../../validation/quantity.ts";

/** The spec of a PersistentVolumeClaim before its validation: every field may be absent. */
export type ClaimSpec = Loose<V1PersistentVolumeClaimSpec>;

/** The exceptions for invalid values that the stored PersistentVolumeClaim already has. */
export interface ClaimSpecRules {
  readonly allowInvalidSelectorValues?: boolean;
  readonly allowInvalidApiGroup?: boolean;
}

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const VOLUME_MODES = ["Block", "Filesystem"];

/**
 * Validates the spec of a PersistentVolumeClaim (`core/validation/validation.go`,
 * `ValidatePersistentVolumeClaimSpec`).
 */
export function validateClaimSpec(
  spec: ClaimSpec,
  path: FieldPath,
  rules: ClaimSpecRules = {},
): FieldError[] {
  const { accessModes = [], resources, storageClassName, volumeMode } = spec;
  const errors: FieldError[] = [];
  if (accessModes.length === 0) {
    errors.push(required(path.child("accessModes"), "at least 1 access mode is required"));
  }
  errors.push(...validateLabelSelector(spec.selector, path.child("selector"), {
    allowInvalidValues: rules.allowInvalidSelectorValues ?? false,
  }));
  errors.push(...validateAccessModes(accessModes, path.child("accessModes")));
  const storage = resources?.requests?.["storage"];
  const at = path.child("resources").key("storage");
  if (storage === undefined) errors.push(required(at));
  else errors.push(...validatePositiveQuantity(storage, at));
  if (storageClassName) {
    const problems = dnsSubdomainProblems(storageClassName);
    errors.push(...invalidForEach(path.child("storageClassName"), storageClassName, problems));
  }
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) {
    errors.push(notSupported(path.child("volumeMode"), volumeMode, VOLUME_MODES));
  }
  errors.push(...validateSources(spec, path, rules));
  const { volumeAttributesClassName: attributes } = spec;
  if (attributes) {
    const problems = dnsSubdomainProblems(attributes);
    errors.push(...invalidForEach(path.child("volumeAttributesClassName"), attributes, problems));
  }
  return errors;
}

function validateAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const errors = modes.filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(path, mode, ACCESS_MODES));
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  const exclusive = known.filter((mode) => mode === "ReadWriteOncePod");
  if (exclusive.length > 0 && exclusive.length < known.length) {
    errors.push(forbiddenField(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

/**
 * Validates the data sources of a PersistentVolumeClaim: `dataSource` and `dataSourceRef` must
 * agree.
 */
function validateSources(spec: ClaimSpec, path: FieldPath, rules: ClaimSpecRules): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors: FieldError[] = [];
  if (dataSource) errors.push(...validateSource(dataSource, path.child("dataSource"), rules));
  if (dataSourceRef) {
    const at = path.child("dataSourceRef");
    errors.push(...validateSource(dataSourceRef, at, rules));
    const { namespace } = dataSourceRef;
    if (namespace) {
      errors.push(...invalidForEach(at.child("namespace"), namespace, dnsLabelProblems(namespace)));
    }
  }
  if (!dataSource || !dataSourceRef) return errors;
  if (dataSourceRef.namespace) {
    errors.push(
      invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified"),
    );
  } else if (
    !sameValue(dataSource.apiGroup, dataSourceRef.apiGroup) ||
    dataSource.kind !== dataSourceRef.kind || dataSource.name !== dataSourceRef.name
  ) {
    errors.push(invalid(path, {}, "must match dataSourceRef"));
  }
  return errors;
}

function validateSource(
  { apiGroup, kind = "", name }: { apiGroup?: string; kind?: string; name?: string },
  path: FieldPath,
  rules: ClaimSpecRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!name) errors.push(required(path.child("name")));
  if (!kind) errors.push(required(path.child("kind")));
  if (!apiGroup && kind !== "PersistentVolumeClaim") {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, kind, detail));
  }
  if (apiGroup && !rules.allowInvalidApiGroup) {
    errors.push(
      ...invalidForEach(path.child("apiGroup"), apiGroup, dnsSubdomainProblems(apiGroup)),
    );
  }
  return errors;
}

/**
 * The metadata fields that the claim template of an ephemeral volume cannot have, each with its
 * name in kube-apiserver's error paths.
 */
const FORBIDDEN_METADATA = [
  ["name", "name"],
  ["generateName", "generateName"],
  ["namespace", "namespace"],
  ["selfLink", "selfLink"],
  ["uid", "uID"],
  ["resourceVersion", "resourceVersion"],
  ["generation", "generation"],
  ["creationTimestamp", "creationTimestamp"],
  ["deletionTimestamp", "deletionTimestamp"],
  ["deletionGracePeriodSeconds", "deletionGracePeriodSeconds"],
  ["ownerReferences", "ownerReferences"],
  ["finalizers", "finalizers"],
  ["managedFields", "managedFields"],
] as const;

/** Validates the PersistentVolumeClaim template of an ephemeral volume. */
export function validateClaimTemplate(
  template: Loose<V1PersistentVolumeClaimTemplate>,
  path: FieldPath,
): FieldError[] {
  const { metadata = {}, spec = {} } = template;
  const at = path.child("metadata");
  return [
    ...validateAnnotations(metadata.annotations, at.child("annotations")),
    ...validateLabels(metadata.labels, at.child("labels")),
    ...FORBIDDEN_METADATA.filter(([field]) => metadata[field])
      .map(([, shown]) => forbiddenField(at.child(shown), "cannot be set")),
    ...validateClaimSpec(spec, path.child("spec")),
  ];
}
