import { compareQuantities, nanosOf, wholeValue } from "@xca/apimachinery/internal/values";
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type { V1PersistentVolumeClaim } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { type ClaimSpec, validateClaimSpec } from "./claim_spec.ts";
import { IMMUTABLE, sameValue, validateImmutable } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { internalDiff } from "../pods/internal_diff.ts";
import { claimWarnings } from "../pods/pod_warnings.ts";

type Spec = NonNullable<V1PersistentVolumeClaim["spec"]>;

const SPEC = FieldPath.of("spec");
const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

/**
 * The strategy of PersistentVolumeClaims, which sets defaults, prepares objects for storage and
 * validates writes (registry/core/persistentvolumeclaim, `Strategy`).
 */
export const volumeClaimStrategy: KindStrategy = typedStrategy<V1PersistentVolumeClaim>({
  defaults(claim) {
    const spec = claim.spec ??= {};
    spec.volumeMode ??= "Filesystem";
    spec.resources ??= {};
    claim.status = { ...claim.status, phase: claim.status?.phase || "Pending" };
  },
  prepareForCreate(claim) {
    claim.status = {};
    alignSources(claim.spec!);
  },
  readsMoreThanStored: ({ status }) => !status?.phase,
  validateCreate: ({ spec }) => validateClaimSpec(spec as ClaimSpec, SPEC),
  prepareForUpdate(claim, old) {
    claim.status = old.status ?? {};
    alignSources(claim.spec!);
  },
  validateUpdate(claim, old) {
    const selector = old.spec?.selector as ClaimSpec["selector"];
    const allowInvalidSelectorValues = validateLabelSelector(selector, SPEC).length > 0;
    return [
      ...validateClaimSpec(claim.spec as ClaimSpec, SPEC, { allowInvalidSelectorValues }),
      ...validateChange(claim, old),
    ];
  },
  status: {
    prepareForUpdate(claim, old) {
      claim.spec = old.spec!;
      if (!old.status?.healthStatus) delete claim.status?.healthStatus;
    },
    validateUpdate: ({ spec, status }) => [
      ...spec?.accessModes?.length ? [] : [required(FieldPath.of("Spec", "accessModes"))],
      ...Object.entries(status?.capacity ?? {})
        .filter(([, quantity]) => nanosOf(quantity) < 0n)
        .map(([name, quantity]) =>
          invalid(
            FieldPath.of("status", "capacity").key(name),
            Number(wholeValue(quantity)),
            "must be a valid resource quantity",
          )
        ),
    ],
  },
  warnings: ({ metadata, spec }) => [
    ...metadata.annotations?.[BETA_CLASS] === undefined ? [] : [
      `${FieldPath.of("metadata", "annotations").key(BETA_CLASS)}: ` +
      'deprecated since v1.8; use "storageClassName" attribute instead',
    ],
    ...claimWarnings(spec?.resources, SPEC),
  ],
  validateName: subdomainNameProblems,
});

/**
 * Copies the `dataSource` of a PersistentVolumeClaim to an absent `dataSourceRef`, and a
 * `dataSourceRef` without a namespace to an absent `dataSource`, in place.
 */
function alignSources(spec: Spec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource };
  else if (!dataSource && dataSourceRef && !dataSourceRef.namespace) {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function storageOf(spec: Spec | undefined): string | undefined {
  return spec?.resources?.requests?.["storage"];
}

function validateChange(
  claim: V1PersistentVolumeClaim,
  old: V1PersistentVolumeClaim,
): FieldError[] {
  const errors: FieldError[] = [];
  const [next, before] = [structuredClone(claim.spec!), structuredClone(old.spec!)];
  if (!before.volumeName && next.volumeName) before.volumeName = next.volumeName;
  errors.push(...settleClass(claim, old, next, before));
  settleSize(claim, next, old.spec!);
  if (!sameValue(next, before)) {
    const detail = "spec is immutable after creation except resources.requests and " +
      "volumeAttributesClassName for bound claims";
    const difference = internalDiff("PersistentVolumeClaimSpec", before, next);
    errors.push(forbiddenField(SPEC, `${detail}\n${difference}`));
  }
  const size = storageOf(claim.spec);
  const capacity = old.status?.capacity?.["storage"];
  if (
    compareQuantities(size, storageOf(old.spec)) < 0 && compareQuantities(size, capacity) <= 0
  ) {
    const path = SPEC.child("resources", "requests", "storage");
    errors.push(forbiddenField(path, "field can not be less than status.capacity"));
  }
  const path = FieldPath.of("volumeMode");
  errors.push(...validateImmutable(claim.spec?.volumeMode, old.spec?.volumeMode, path));
  return errors;
}

/**
 * Removes the StorageClass from `next`, the new spec of a PersistentVolumeClaim, if the claim may
 * get it: the claim had none, and its stored annotation names this class or is absent. An
 * annotation that names this class may then be removed. Returns a list with an error for every
 * other change of the annotation.
 */
function settleClass(
  claim: V1PersistentVolumeClaim,
  old: V1PersistentVolumeClaim,
  next: Spec,
  before: Spec,
): FieldError[] {
  const annotated = claim.metadata?.annotations?.[BETA_CLASS];
  const annotatedBefore = old.metadata?.annotations?.[BETA_CLASS];
  const isFirst = before.storageClassName === undefined && next.storageClassName !== undefined;
  const wasNamed = isFirst && annotatedBefore === next.storageClassName;
  if (isFirst && (annotatedBefore === undefined || wasNamed)) delete next.storageClassName;
  if (wasNamed && (annotated === undefined || annotated === annotatedBefore)) return [];
  if ((annotated ?? "") === (annotatedBefore ?? "")) return [];
  const path = FieldPath.of("metadata", "annotations", BETA_CLASS);
  return [invalid(path, annotated ?? "", IMMUTABLE)];
}

/**
 * Restores the stored storage request and VolumeAttributesClass name in `next`, the new spec of a
 * bound PersistentVolumeClaim, since an update may change them.
 */
function settleSize({ status }: V1PersistentVolumeClaim, next: Spec, old: Spec): void {
  if (status?.phase !== "Bound") return;
  const { requests } = next.resources ?? {};
  if (requests) requests["storage"] = storageOf(old) ?? "0";
  if (old.volumeAttributesClassName === undefined) delete next.volumeAttributesClassName;
  else next.volumeAttributesClassName = old.volumeAttributesClassName;
}
