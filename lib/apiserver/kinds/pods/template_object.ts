// Mirrors `api/pod/util.go, DropDisabledTemplateFields`.
import { FieldPath } from "@xca/apimachinery/internal/errors";
import { sameValue } from "../../validation/immutable.ts";
import { dropDisabledFields } from "./dropped_fields.ts";
import type { Meta, PodTemplate } from "./common/pod_types.ts";
import { podWarnings } from "./pod_warnings.ts";

/** An object with a pod template in its spec, such as a Deployment. */
export interface TemplateObject {
  metadata: Meta;
  spec: { template?: PodTemplate };
  status?: unknown;
}

/** The field path of a workload's pod template: `spec.template`. */
export const TEMPLATE: FieldPath = FieldPath.of("spec", "template");

/**
 * Prepares a new workload with a pod template: sets the given status and generation 1, and drops
 * the fields of disabled features from the template.
 */
export function prepareTemplateObject(object: TemplateObject, status: object): void {
  const { metadata, spec } = object;
  object.status = status;
  metadata.generation = 1;
  if (spec.template?.spec) dropDisabledFields(spec.template.spec, undefined);
}

/**
 * Prepares a changed workload: restores the status, drops the fields of disabled features from the
 * template, and increments the generation if the spec changed.
 */
export function prepareTemplateUpdate(object: TemplateObject, old: TemplateObject): void {
  const { metadata, spec } = object;
  keepStatus(object, old);
  if (spec.template?.spec) dropDisabledFields(spec.template.spec, old.spec.template?.spec);
  if (!sameValue(spec, old.spec)) metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Restores the status of an object, which a write of the object itself cannot change. */
export function keepStatus(object: { status?: unknown }, old: { status?: unknown }): void {
  if (old.status === undefined) delete object.status;
  else object.status = structuredClone(old.status);
}

/** Restores the spec of an object, which a write of the `status` subresource cannot change. */
export function keepSpec(object: { spec?: unknown }, old: { spec?: unknown }): void {
  object.spec = structuredClone(old.spec);
}

/**
 * Returns the warnings about the pod template of a workload that is new or whose generation
 * changed.
 */
export function templateWarnings(
  object: TemplateObject,
  old: TemplateObject | undefined,
  path: FieldPath = TEMPLATE,
): string[] {
  const { metadata, spec: { template } } = object;
  if (!template || (old && metadata.generation === old.metadata.generation)) return [];
  return podWarnings(template.spec ?? {}, template.metadata, path);
}
