/**
 * Validates the pod templates of workloads (`core/validation/validation.go`,
 * `ValidatePodTemplateSpec`), and defines the strategy of PodTemplates.
 *
 * @module
 */
import { mapAsItCame } from "../../machinery/empty_maps.ts";
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
} from "@xca/apimachinery/internal/errors";
import {
  type LabelSelectorFields,
  selectorIsEmpty,
  selectorMatches,
  validateLabels,
} from "@xca/apimachinery/internal/validation";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateAnnotations } from "../../validation/annotations.ts";
import { sameValue } from "../../validation/immutable.ts";
import { validatePodAnnotations, validateProfilesMatch } from "./pod_annotations.ts";
import { shownMap } from "../../validation/shown.ts";
import { defaultPodTemplate } from "./pod_defaults.ts";
import { dropDisabledFields } from "./dropped_fields.ts";
import type { PodRules } from "./common/pod_rules.ts";
import type { Meta, PodTemplate } from "./common/pod_types.ts";
import { validatePodSpec } from "./pod_validation.ts";
import { podWarnings } from "./pod_warnings.ts";
import { podRules } from "./stored_pod_rules.ts";

/** Validates the pod template of a workload. */
export function validatePodTemplate(
  template: PodTemplate,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const { metadata = {}, spec = {} } = template;
  const at = path.child("spec");
  const annotationsPath = path.child("annotations");
  const errors = [
    ...validateLabels(metadata.labels, path.child("labels")),
    ...validateAnnotations(metadata.annotations, annotationsPath),
    ...validatePodAnnotations(metadata.annotations, spec, annotationsPath, rules),
    ...validatePodSpec(spec, undefined, at, rules),
    ...validateProfilesMatch(metadata, spec, at),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = "ephemeral containers not allowed in pod template";
    errors.push(forbiddenField(at.child("ephemeralContainers"), detail));
  }
  return errors;
}

/**
 * Checks that a workload's selector matches the labels of its pod template; an absent selector
 * matches nothing, an empty one everything. Returns the field errors.
 */
export function validateSelectsTemplate(
  selector: LabelSelectorFields | undefined,
  template: PodTemplate,
  path: FieldPath,
): FieldError[] {
  const labels = mapAsItCame(template.metadata, "labels");
  const matches = selector &&
    (selectorIsEmpty(selector) || selectorMatches(selector, labels ?? {}));
  if (matches) return [];
  const detail = "`selector` does not match template `labels`";
  return [invalid(path.child("metadata", "labels"), shownMap(labels), detail)];
}

/**
 * Checks that the pods of a pod template run forever: they restart always and have no deadline.
 * Returns the field errors.
 */
export function validateRunsForever(
  template: PodTemplate,
  path: FieldPath,
  kind: string,
): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = template.spec ?? {};
  const errors: FieldError[] = [];
  if (restartPolicy !== "Always") {
    errors.push(notSupported(path.child("spec", "restartPolicy"), restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const at = path.child("spec", "activeDeadlineSeconds");
    errors.push(forbiddenField(at, `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return errors;
}

interface PodTemplateObject {
  metadata: Meta;
  template?: PodTemplate;
}

const TEMPLATE = FieldPath.of("template");

/**
 * The strategy of PodTemplates, which sets defaults, prepares objects for storage and validates
 * writes (registry/core/podtemplate, `Strategy`).
 */
export const podTemplateStrategy: KindStrategy = typedStrategy<PodTemplateObject>({
  metadataOfUpdate: "change",
  defaults(object) {
    defaultPodTemplate(object.template ??= {});
  },
  prepareForCreate(object) {
    const { metadata, template } = object;
    metadata.generation = 1;
    dropDisabledFields(template!.spec!, undefined);
  },
  validateCreate: (object) => validatePodTemplate(object.template!, TEMPLATE, podRules(false)),
  prepareForUpdate(object, old) {
    const { metadata, template } = object;
    dropDisabledFields(template!.spec!, old.template?.spec);
    if (!sameValue(template, old.template)) {
      metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validateUpdate: (object, old) =>
    validatePodTemplate(
      object.template!,
      TEMPLATE,
      podRules(false, old.template),
    ),
  warnings(object, old) {
    const { metadata, template } = object;
    if (old && metadata.generation === old.metadata.generation) return [];
    return podWarnings(template!.spec!, template!.metadata, TEMPLATE);
  },
});
