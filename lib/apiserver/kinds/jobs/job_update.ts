import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { IMMUTABLE, sameValue, validateImmutable } from "../../validation/immutable.ts";
import { validateSelectorUnchanged } from "../workloads/deployment.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { isIndexed, type Job, type JobSpec } from "./job_types.ts";
import type { PodSpec, PodTemplate } from "../pods/common/pod_types.ts";

const SPEC = FieldPath.of("spec");

/**
 * Validates an update of a Job's spec, by the rules for changes alone
 * (`batch/validation/validation.go`, `ValidateJobSpecUpdate`).
 */
export function validateJobSpecUpdate(spec: JobSpec, old: Job): FieldError[] {
  const before = old.spec;
  return [
    ...validateCompletions(spec, before),
    ...validateSelectorUnchanged(spec.selector, before.selector),
    ...validateTemplate(spec, old),
    ...validateImmutable(spec.completionMode, before.completionMode, SPEC.child("completionMode")),
    ...validatePolicy("PodFailurePolicy", "podFailurePolicy", spec, before),
    ...validateImmutable(
      spec.backoffLimitPerIndex,
      before.backoffLimitPerIndex,
      SPEC.child("backoffLimitPerIndex"),
    ),
    ...validateImmutable(spec.managedBy, before.managedBy, SPEC.child("managedBy")),
    ...validatePolicy("SuccessPolicy", "successPolicy", spec, before),
  ];
}

function validateCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const at = SPEC.child("completions");
  const { completions, parallelism } = spec;
  if (!isIndexed(spec)) return validateImmutable(completions, old.completions, at);
  if (completions === undefined || completions === old.completions) return [];
  if (completions === parallelism) return [];
  return [invalid(at, completions, "can only be modified in tandem with spec.parallelism")];
}

function validatePolicy(
  type: string,
  field: "podFailurePolicy" | "successPolicy",
  spec: JobSpec,
  old: JobSpec,
): FieldError[] {
  if (sameValue(spec[field], old[field])) return [];
  const shown = spec[field] && internalForm(type, spec[field]);
  return [invalid(SPEC.child(field), shown, IMMUTABLE)];
}

/**
 * Validates an update of a Job's pod template, which may change only while the stored Job is
 * suspended, has no active pods and never started or has the condition `Suspended`: then its
 * scheduling directives, its labels and annotations, and the resources of containers may change.
 */
function validateTemplate(spec: JobSpec, old: Job): FieldError[] {
  const template = spec.template ?? {};
  const isMutable = mayChangeTemplate(old);
  const before = isMutable ? withScheduling(template, old.spec.template ?? {}) : old.spec.template;
  if (old.spec.suspend && isMutable) {
    const path = SPEC.child("template.spec");
    const previous = withResources(template.spec ?? {}, before?.spec ?? {});
    if (sameValue(template.spec, previous)) return [];
    return [invalid(path, internalForm("PodSpec", template.spec), IMMUTABLE)];
  }
  if (sameValue(template, before)) return [];
  return [invalid(SPEC.child("template"), internalForm("PodTemplateSpec", template), IMMUTABLE)];
}

function mayChangeTemplate({ spec, status = {} }: Job): boolean {
  const isSuspended = (status.conditions ?? [])
    .some(({ type, status: is }) => type === "Suspended" && is === "True");
  return Boolean(spec.suspend) && (!status.startTime || isSuspended) && !status.active;
}

/**
 * Returns a copy of the stored pod template of a Job with the scheduling directives (node affinity,
 * node selector, tolerations and scheduling gates), labels and annotations of the new template.
 */
function withScheduling(next: PodTemplate, old: PodTemplate): PodTemplate {
  const template = structuredClone(old);
  const spec = template.spec ??= {};
  const wanted = next.spec ?? {};
  const affinity = { ...spec.affinity };
  delete affinity.nodeAffinity;
  if (wanted.affinity?.nodeAffinity) affinity.nodeAffinity = wanted.affinity.nodeAffinity;
  if (Object.keys(affinity).length > 0 || wanted.affinity) spec.affinity = affinity;
  else delete spec.affinity;
  take(spec, wanted, "nodeSelector");
  take(spec, wanted, "tolerations");
  take(spec, wanted, "schedulingGates");
  const metadata = template.metadata ??= {};
  take(metadata, next.metadata ?? {}, "annotations");
  take(metadata, next.metadata ?? {}, "labels");
  return template;
}

function take<T extends object, Field extends keyof T>(to: T, from: T, field: Field): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}

function withResources(next: PodSpec, old: PodSpec): PodSpec {
  const spec = structuredClone(old);
  for (const list of ["containers", "initContainers"] as const) {
    if (next[list]?.length !== spec[list]?.length) continue;
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const wanted = next[list]![index]!;
      if (wanted.name === container.name) take(container, wanted, "resources");
    }
  }
  return spec;
}
