import { hasEmptyMap, mapAsItCame } from "../../machinery/empty_maps.ts";
import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  type LabelSelectorFields,
  selectorHasInvalidValue,
  selectorMatches,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { shownMap, shownSelector } from "../../validation/shown.ts";
import { hostnameWarnings } from "../pods/hostname_warnings.ts";
import { validateJobStatus } from "./job_status.ts";
import { isIndexed, type Job, type JobSpec } from "./job_types.ts";
import { validateJobSpecUpdate } from "./job_update.ts";
import { validateJobSpec } from "./job_validation.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import type { Meta } from "../pods/common/pod_types.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import {
  keepSpec,
  prepareTemplateObject,
  prepareTemplateUpdate,
  templateWarnings,
} from "../pods/template_object.ts";

const SPEC = FieldPath.of("spec");
const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
const JOB_NAME = "batch.kubernetes.io/job-name";
const MAX_INT32 = 2 ** 31 - 1;

/**
 * The strategy of Jobs, which sets defaults, prepares objects for storage and validates writes
 * (registry/batch/job, `Strategy`).
 */
export const jobStrategy: KindStrategy = typedStrategy<Job>({
  defaults(object) {
    object.spec ??= {};
    defaultJobSpec(object.spec);
    object.status ??= {};
    defaultPodTemplate(object.spec.template ??= {});
    const labels = object.spec.template.metadata?.labels;
    const own = Object.keys(object.metadata.labels ?? {}).length;
    // The Job and its template share one map of labels, so that a label added to the template is
    // the Job's too.
    if (labels && own === 0) object.metadata.labels = labels;
  },
  prepareForCreate(object) {
    if (!object.spec.manualSelector) generateSelector(object);
    dropDisabledJobFields(object.spec, undefined);
    prepareTemplateObject(object, {});
  },
  readsMoreThanStored: ({ metadata }) => !metadata.labels,
  validateCreate: (object) => [
    ...validateGeneratedSelector(object),
    ...validateSelectedSpec(object.spec, podRules(false)),
    ...validateNameOfPods(object),
  ],
  prepareForUpdate(object, old) {
    dropDisabledJobFields(object.spec, old.spec);
    prepareTemplateUpdate(object, old);
  },
  validateUpdate(object, old) {
    const stored = podRules(false, old.spec.template);
    const rules = {
      ...stored,
      allowInvalidSelectorValues: stored.allowInvalidSelectorValues ||
        selectorHasInvalidValue(old.spec.selector),
    };
    return [
      ...validateSelectedSpec(object.spec, rules),
      ...validateJobSpecUpdate(object.spec, old),
      ...validateNameOfPods(object),
    ];
  },
  warnings: (object, old) => [
    ...old ? [] : hostnameWarnings(object.metadata.name ?? "", "Pod names and hostnames"),
    ...manyIndexesWarnings(object.spec, SPEC, old !== undefined),
    ...templateWarnings(object, old),
  ],
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object, old) => validateJobStatus(object, old),
  },
  validateName: subdomainNameProblems,
  defaultPropagation: "Orphan",
  deletionWarning: "child pods are preserved by default when jobs are deleted; " +
    "set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to " +
    "suppress this warning",
  selectableFieldNames: ["status.successful"],
  selectableFields: (object) => ({
    "status.successful": String(object.status?.succeeded ?? 0),
  }),
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

/** Sets the defaults of a Job's spec, except its pod template, in place. */
export function defaultJobSpec(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex !== undefined ? MAX_INT32 : 6;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
  defaultFailurePolicy(spec);
}

/**
 * Drops the field `scheduling` of a Job's spec, whose feature is off by default, unless the stored
 * spec has it (`api/job/util.go, DropDisabledFields`).
 */
export function dropDisabledJobFields(spec: JobSpec, old: JobSpec | undefined): void {
  if (!old?.scheduling) delete spec.scheduling;
}

/**
 * Sets the defaults of a Job's pod failure policy, if it has one, in place: the status `True` of
 * conditions, and `null` for an empty list of rules.
 */
export function defaultFailurePolicy({ podFailurePolicy }: JobSpec): void {
  if (podFailurePolicy?.rules?.length === 0) podFailurePolicy.rules = null as unknown as [];
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions) pattern.status ||= "True";
  }
}

/**
 * Generates the pod selector of a Job, which matches the label with the Job's uid. Adds the labels
 * with the Job's uid and name to the pod template where they are absent, and so to a Job without
 * labels of its own, which shares the labels of the template if these were sent.
 */
function generateSelector({ metadata, spec }: Job): void {
  const template = (spec.template ??= {}).metadata ??= {};
  const uid = metadata.uid ?? "";
  const name = metadata.name ?? "";
  const isShared = hasEmptyMap(template, "labels") && !metadata.labels;
  const labels = template.labels ??= {};
  if (isShared) metadata.labels = labels;
  labels["job-name"] ??= name;
  labels[JOB_NAME] ??= name;
  labels["controller-uid"] ??= uid;
  labels[CONTROLLER_UID] ??= uid;
  spec.selector ??= {};
  spec.selector.matchLabels = { [CONTROLLER_UID]: uid, ...spec.selector.matchLabels };
}

/**
 * Checks that the last pod of an indexed Job would have a valid host name: the name of the Job with
 * the index of the pod. Returns a list with at most one error.
 */
function validateNameOfPods({ metadata, spec }: Job): FieldError[] {
  if (!isIndexed(spec) || !spec.completions || spec.completions <= 0) return [];
  const hostname = `${metadata.name ?? ""}-${spec.completions - 1}`;
  if (dnsLabelProblems(hostname).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  return [invalid(FieldPath.of("metadata", "name"), metadata.name ?? "", detail)];
}

function validateGeneratedSelector(job: Job): FieldError[] {
  const { metadata, spec } = job;
  if (spec.manualSelector || !spec.selector) return [];
  const template = spec.template?.metadata ?? {};
  const { uid = "", name = "" } = metadata;
  const expected: [string, string][] = [
    ["controller-uid", uid],
    ["job-name", name],
    [CONTROLLER_UID, uid],
    [JOB_NAME, name],
  ];
  const errors = expected.flatMap(([key, value]) => validateHasLabel(template, key, value));
  const isValid = validateLabelSelector(spec.selector, SPEC).length === 0;
  if (isValid && !selectorMatches(spec.selector, Object.fromEntries(expected))) {
    errors.push(
      invalid(
        SPEC.child("selector"),
        shownSelector(spec.selector),
        "`selector` not auto-generated",
      ),
    );
  }
  return errors;
}

function validateHasLabel({ labels = {} }: Meta, key: string, value: string): FieldError[] {
  const at = SPEC.child("template", "metadata", "labels").key(key);
  if (labels[key] === undefined) return [required(at, `must be '${value}'`)];
  return labels[key] === value ? [] : [invalid(at, shownMap(labels), `must be '${value}'`)];
}

function validateSelectedSpec(spec: JobSpec, rules: PodRules): FieldError[] {
  const selector: LabelSelectorFields | undefined = spec.selector;
  const at = SPEC.child("selector");
  const errors = validateJobSpec(spec, SPEC, rules);
  const labels = mapAsItCame(spec.template?.metadata, "labels");
  const detail = "`selector` does not match template `labels`";
  const labelsPath = SPEC.child("template", "metadata", "labels");
  if (!selector) {
    return [...errors, required(at), invalid(labelsPath, shownMap(labels), detail)];
  }
  errors.push(...validateLabelSelector(selector, at, {
    allowInvalidValues: rules.allowInvalidSelectorValues,
  }));
  if (validateLabelSelector(selector, at).length > 0 || selectorMatches(selector, labels ?? {})) {
    return errors;
  }
  return [...errors, invalid(labelsPath, shownMap(labels), detail)];
}

/**
 * Returns a list with the warning about a new indexed Job that has more than 100,000 completions
 * and a parallelism above 10,000: Kubernetes might be unable to track the indexes if many fail. The
 * list is empty for other Jobs and for updates.
 */
export function manyIndexesWarnings(spec: JobSpec, path: FieldPath, isUpdate: boolean): string[] {
  const { completions = 0, parallelism = 0 } = spec;
  if (isUpdate || !isIndexed(spec) || completions <= 100_000 || parallelism <= 10_000) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism ` +
    "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number " +
    "of indexes fail",
  ];
}
