import { FieldPath } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { sameValue } from "../../validation/immutable.ts";
import { dropDisabledFields } from "./pod_preparation.ts";
import { as, type Meta, type PodTemplate } from "./pod_types.ts";
import { podWarnings } from "./pod_warnings.ts";

/** An object that makes pods by a template in its spec. */
export interface TemplateObject {
  metadata: Meta;
  spec: { template?: PodTemplate };
  status?: unknown;
}

/** The path of its template. */
export const TEMPLATE: FieldPath = FieldPath.of("spec", "template");

/** What every such object begins with: no status, and generation one. */
export function prepareTemplateObject(object: ApiObject, status: object): void {
  const { metadata, spec } = as<TemplateObject>(object);
  object["status"] = status;
  metadata.generation = 1;
  if (spec.template?.spec) dropDisabledFields(spec.template.spec, undefined);
}

/** Puts the status back, and counts the generation up when the spec changed. */
export function prepareTemplateUpdate(object: ApiObject, old: ApiObject): void {
  const { metadata, spec } = as<TemplateObject>(object);
  const before = as<TemplateObject>(old);
  keepStatus(object, old);
  if (spec.template?.spec) dropDisabledFields(spec.template.spec, before.spec.template?.spec);
  if (!sameValue(spec, before.spec)) metadata.generation = (before.metadata.generation ?? 0) + 1;
}

/** A writer of the object leaves its status as it is. */
export function keepStatus(object: ApiObject, old: ApiObject): void {
  if (old["status"] === undefined) delete object["status"];
  else object["status"] = structuredClone(old["status"]);
}

/** A writer of the status leaves the rest as it is. */
export function keepSpec(object: ApiObject, old: ApiObject): void {
  object["spec"] = structuredClone(old["spec"]);
}

/** What to warn of in the template, when it is new or the object changed. */
export function templateWarnings(
  object: ApiObject,
  old: ApiObject | undefined,
  path: FieldPath = TEMPLATE,
): string[] {
  const { metadata, spec: { template } } = as<TemplateObject>(object);
  if (!template || (old && metadata.generation === old.metadata.generation)) return [];
  return podWarnings(template.spec ?? {}, template.metadata, path);
}
