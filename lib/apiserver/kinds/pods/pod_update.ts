import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import { rangeProblem } from "@xca/apimachinery/internal/validation";
import { sameValue } from "../../validation/immutable.ts";
import { internalDiff } from "./internal_diff.ts";
import { internalForm } from "./common/internal_form.ts";
import type { NodeAffinity, NodeTerm } from "./scheduling/node_affinity.ts";
import { validateAnnotationsUpdate } from "./pod_annotations.ts";
import type { PodRules } from "./common/pod_rules.ts";
import type { Container, Pod, PodSpec, Toleration } from "./common/pod_types.ts";
import { validatePodParts } from "./pod_validation.ts";
import { validateTolerations } from "./scheduling/scheduling.ts";

const MAX_INT32 = 2 ** 31 - 1;
const SPEC = FieldPath.of("spec");

const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/**
 * Validates an update of a pod, of which only few fields may change
 * (`core/validation/validation.go`, `ValidatePodUpdate`).
 */
export function validatePodUpdate(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  const spec = pod.spec ?? {};
  const before = old.spec ?? {};
  const annotations = FieldPath.of("metadata", "annotations");
  const errors = [
    ...validatePodParts(pod, rules),
    ...validateAnnotationsUpdate(pod.metadata, old.metadata, spec, annotations, rules),
  ];
  for (const list of ["containers", "initContainers"] as const) {
    const next = spec[list] ?? [];
    if (next.length !== (before[list] ?? []).length) {
      const detail = "pod updates may not add or remove containers";
      return [...errors, forbiddenField(SPEC.child(list), detail)];
    }
    errors.push(...validateImages(next, SPEC.child(list)));
  }
  const deadline = validateDeadline(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...validateAddedTolerations(spec.tolerations ?? [], before.tolerations ?? []));
  errors.push(...validateRemovedGates(spec, before));
  if (sameValue(spec, before)) return errors;
  return [...errors, ...validateUnchanged(spec, before)];
}

function validateImages(containers: readonly Container[], path: FieldPath): FieldError[] {
  return containers.flatMap(({ image = "" }, index) => {
    const at = path.index(index).child("image");
    if (image === "") return [required(at)];
    if (image.trim() === image) return [];
    return [invalid(at, image, "must not have leading or trailing whitespace")];
  });
}

function validateDeadline(
  { activeDeadlineSeconds: next }: PodSpec,
  { activeDeadlineSeconds: previous }: PodSpec,
): { errors: FieldError[]; stop: boolean } {
  const at = SPEC.child("activeDeadlineSeconds");
  if (next === undefined) {
    const detail = "must not update from a positive integer to nil value";
    const errors = previous === undefined ? [] : [invalid(at, undefined, detail)];
    return { errors, stop: false };
  }
  if (next < 0 || next > MAX_INT32) {
    return { errors: [invalid(at, next, rangeProblem(0, MAX_INT32))], stop: true };
  }
  if (previous !== undefined && previous < next) {
    const detail = "must be less than or equal to previous value";
    return { errors: [invalid(at, next, detail)], stop: true };
  }
  return { errors: [], stop: false };
}

function validateAddedTolerations(
  next: readonly Toleration[],
  previous: readonly Toleration[],
): FieldError[] {
  const at = SPEC.child("tolerations");
  const kept = previous.every((old) =>
    next.some((each) =>
      sameValue({ ...each, tolerationSeconds: 0 }, { ...old, tolerationSeconds: 0 })
    )
  );
  if (kept) return validateTolerations(next, at);
  const detail = "existing toleration can not be modified except its tolerationSeconds";
  return [forbiddenField(at, detail)];
}

function validateRemovedGates(
  { schedulingGates = [] }: PodSpec,
  { schedulingGates: previous = [] }: PodSpec,
): FieldError[] {
  const known = new Set(previous.map(({ name }) => name));
  const path = SPEC.child("schedulingGates");
  const added = new Map(
    schedulingGates.map(({ name = "" }, index) => [name, index] as const)
      .filter(([name]) => !known.has(name)),
  );
  return [...added].map(([name, index]) =>
    forbiddenField(
      path.index(index).child("name"),
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    )
  );
}

/**
 * Checks that an update of a pod changes no field of its spec except the images, the tolerations,
 * the active deadline, the scheduling gates and a negative grace period and, while there are
 * scheduling gates, the node selector and the node affinity. Returns the field errors.
 */
function validateUnchanged(spec: PodSpec, old: PodSpec): FieldError[] {
  const rest = structuredClone(spec);
  for (const list of ["containers", "initContainers"] as const) {
    for (const [index, container] of (rest[list] ?? []).entries()) {
      const { image } = old[list]![index]!;
      if (image !== undefined) container.image = image;
    }
  }
  putBack(rest, old, "activeDeadlineSeconds");
  putBack(rest, old, "schedulingGates");
  putBack(rest, old, "tolerations");
  if (old.terminationGracePeriodSeconds! < 0 && rest.terminationGracePeriodSeconds === 1) {
    putBack(rest, old, "terminationGracePeriodSeconds");
  }
  const errors = (old.schedulingGates ?? []).length > 0 ? validateGated(rest, old) : [];
  if (sameValue(rest, old)) return errors;
  const difference = internalDiff("PodSpec", old, rest);
  const detail = `pod updates may not change fields other than ${UPDATABLE}\n${difference}`;
  return [...errors, forbiddenField(SPEC, detail)];
}

function putBack<Field extends keyof PodSpec>(spec: PodSpec, old: PodSpec, field: Field): void {
  const value = old[field];
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}

/**
 * Checks that an update of a pod with scheduling gates only narrows the choice of nodes. Restores
 * the stored node selector and node affinity in `rest`, the updated spec. Returns the field errors.
 */
function validateGated(rest: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const selector = rest.nodeSelector ?? {};
  const narrowed = Object.entries(old.nodeSelector ?? {})
    .every(([key, value]) => selector[key] === value);
  if (!narrowed) {
    const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
    errors.push(invalid(SPEC.child("nodeSelector"), rest.nodeSelector, detail));
  }
  putBack(rest, old, "nodeSelector");
  const affinity = rest.affinity?.nodeAffinity;
  const previous = old.affinity?.nodeAffinity;
  if (sameValue(affinity, previous)) return errors;
  errors.push(...validateNarrowedAffinity(affinity, previous));
  if (previous) (rest.affinity ??= {}).nodeAffinity = previous;
  else {
    delete rest.affinity!.nodeAffinity;
    if (!old.affinity && Object.keys(rest.affinity!).length === 0) delete rest.affinity;
  }
  return errors;
}

function validateNarrowedAffinity(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
): FieldError[] {
  const termsOf = (each: NodeAffinity | undefined): NodeTerm[] =>
    each?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const previous = termsOf(old);
  const next = termsOf(affinity);
  const path = SPEC.child(
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  );
  if (previous.length === 0) return [];
  if (previous.length !== next.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    const shown = next.map((term) => internalForm("NodeSelectorTerm", term));
    return [invalid(path, shown.length > 0 ? shown : undefined, detail)];
  }
  return previous.flatMap((term, index) => {
    if (hasOnlyAdditions(next[index]!, term)) return [];
    const detail = "only additions are allowed (no mutations or deletions)";
    return [invalid(path.index(index), internalForm("NodeSelectorTerm", next[index]), detail)];
  });
}

function hasOnlyAdditions(next: NodeTerm, old: NodeTerm): boolean {
  const isEmpty = ({ matchExpressions = [], matchFields = [] }: NodeTerm) =>
    matchExpressions.length + matchFields.length === 0;
  if (isEmpty(old)) return isEmpty(next);
  return (["matchExpressions", "matchFields"] as const).every((field) => {
    const previous = old[field] ?? [];
    return sameValue((next[field] ?? []).slice(0, previous.length), previous);
  });
}
