// Mirrors `core/validation/validation.go, validateNodeAffinity`.
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsSubdomainProblems,
  invalidForEach,
  labelValueProblems,
  validateLabelKey,
} from "@xca/apimachinery/internal/validation";
import type { PodSpec } from "../common/pod_types.ts";

/** The node affinity of a pod. */
export type NodeAffinity = NonNullable<NonNullable<PodSpec["affinity"]>["nodeAffinity"]>;
/** A term of a node selector: expressions that a node must all match. */
export type NodeTerm = NonNullable<
  NonNullable<
    NodeAffinity["requiredDuringSchedulingIgnoredDuringExecution"]
  >["nodeSelectorTerms"]
>[number];
type Requirement = NonNullable<NodeTerm["matchExpressions"]>[number];

/**
 * Validates the node affinity of a pod (`core/validation/validation.go`, `validateNodeAffinity`).
 * With `allowInvalidValues` the required terms, as the preferred ones always, may have values that
 * no label can have.
 */
export function validateNodeAffinity(
  affinity: NodeAffinity,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const needed = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  if (needed) {
    const at = path.child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
    const terms = needed.nodeSelectorTerms ?? [];
    if (terms.length === 0) errors.push(required(at, "must have at least one node selector term"));
    for (const [index, term] of terms.entries()) {
      errors.push(...validateTerm(term, at.index(index), allowInvalidValues));
    }
  }
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  for (const [index, { weight = 0, preference = {} }] of preferred.entries()) {
    const at = path.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    errors.push(...validateWeight(weight, at.child("weight")));
    errors.push(...validateTerm(preference, at.child("preference"), true));
  }
  return errors;
}

/** Validates the weight of a scheduling preference, which must be from 1 to 100. */
export function validateWeight(weight: number, path: FieldPath): FieldError[] {
  if (weight > 0 && weight <= 100) return [];
  return [invalid(path, weight, "must be in the range 1-100")];
}

function validateTerm(term: NodeTerm, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(
        requirement,
        path.child("matchExpressions").index(index),
        allowInvalidValues,
      )
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      validateFieldRequirement(requirement, path.child("matchFields").index(index))
    ),
  ];
}

const NO_OPERATOR = "not a valid selector operator";

function validateRequirement(
  { key = "", operator = "", values = [] }: Requirement,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child("values");
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(at, detail));
    }
  } else if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      errors.push(required(at, detail));
    }
  } else errors.push(invalid(path.child("operator"), operator, NO_OPERATOR));
  errors.push(...validateLabelKey(key, path.child("key")));
  if (allowInvalidValues) return errors;
  for (const [index, value] of values.entries()) {
    errors.push(...invalidForEach(at.index(index), value, labelValueProblems(value)));
  }
  return errors;
}

function validateFieldRequirement(
  { key = "", operator = "", values = [] }: Requirement,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child("values");
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalid(path.child("operator"), operator, NO_OPERATOR));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field " +
      "selector";
    errors.push(required(at, detail));
  }
  if (key !== "metadata.name") {
    errors.push(invalid(path.child("key"), key, "not a valid field selector key"));
    return errors;
  }
  for (const [index, value] of values.entries()) {
    errors.push(...invalidForEach(at.index(index), value, dnsSubdomainProblems(value)));
  }
  return errors;
}

/**
 * Reports whether the required node affinity of a stored pod has a value that no label can have.
 */
export function nodeAffinityHasInvalidValue({ affinity }: PodSpec): boolean {
  const needed = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (needed?.nodeSelectorTerms ?? []).some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) =>
      values.some((value) => labelValueProblems(value).length > 0)
    )
  );
}
