import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  labelNameProblems,
  selectorIsEmpty,
  validateLabels,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type {
  V1PersistentVolumeClaim,
  V1StatefulSetSpec,
  V1StatefulSetStatus,
} from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateAnnotations } from "../../validation/annotations.ts";
import { validateClaimSpec } from "../storage/claim_spec.ts";
import type { Loose } from "../../validation/fields.ts";
import { IMMUTABLE, sameValue } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { shownSelector } from "../../validation/shown.ts";
import {
  type IntOrPercent,
  isNone,
  validateAtMostAll,
  validateIntOrPercent,
} from "./int_or_percent.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { validatePodAnnotations } from "../pods/pod_annotations.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import { validatePodTemplate, validateSelectsTemplate } from "../pods/pod_template.ts";
import type { Meta, PodTemplate, Volume } from "../pods/common/pod_types.ts";
import { claimWarnings } from "../pods/pod_warnings.ts";
import {
  type Counts,
  validateAtMost,
  validateCollisionCount,
  validateCounts,
} from "./replica_counts.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import {
  keepSpec,
  prepareTemplateObject,
  prepareTemplateUpdate,
  TEMPLATE,
  templateWarnings,
} from "../pods/template_object.ts";

type Claim = Loose<V1PersistentVolumeClaim>;
type Spec = Omit<Loose<V1StatefulSetSpec>, "template" | "volumeClaimTemplates"> & {
  template?: PodTemplate;
  volumeClaimTemplates?: Claim[];
};

interface StatefulSet {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1StatefulSetStatus>;
}

const SPEC = FieldPath.of("spec");
const NO_PODS = { replicas: 0, availableReplicas: 0 };

/**
 * The strategy of StatefulSets, which sets defaults, prepares objects for storage and validates
 * writes (registry/apps/statefulset, `Strategy`).
 */
export const statefulSetStrategy: KindStrategy = typedStrategy<StatefulSet>({
  metadataOfUpdate: "change",
  defaults(object) {
    defaultSpec(object.spec ??= {});
    object.status ??= { ...NO_PODS };
  },
  prepareForCreate(object) {
    prepareTemplateObject(object, { ...NO_PODS });
  },
  validateCreate: (object) => validateSpec(object.spec, podRules(false), {}),
  prepareForUpdate(object, old) {
    prepareTemplateUpdate(object, old);
  },
  validateUpdate(object, old) {
    const { spec } = object;
    const before = old.spec;
    const rules = podRules(false, before.template);
    const stored = { isStored: true };
    const skipTemplate = validateSpec(before, rules, stored).length > 0;
    return [
      ...validateSpec(spec, rules, { ...stored, skipTemplate }),
      ...validateFixed(spec, before),
    ];
  },
  warnings(object, old) {
    const { spec } = object;
    const path = SPEC.child("volumeClaimTemplates");
    const warnings = templateWarnings(object, old);
    for (const [index, { spec: claim }] of (spec.volumeClaimTemplates ?? []).entries()) {
      const at = path.index(index);
      warnings.push(...claimWarnings(claim?.resources, old ? at.child("Spec") : at));
    }
    if ((spec.revisionHistoryLimit ?? 0) < 0) {
      warnings.push(
        "spec.revisionHistoryLimit: a negative value retains all historical revisions; " +
          "a value >= 0 is recommended",
      );
    }
    return warnings;
  },
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object, old) => validateStatus(object.status ?? {}, old.status ?? {}),
  },
  validateName: labelNameProblems,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function defaultSpec(spec: Spec): void {
  spec.podManagementPolicy ||= "OrderedReady";
  const strategy = spec.updateStrategy ??= {};
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === "RollingUpdate" && strategy.rollingUpdate) {
    strategy.rollingUpdate.partition ??= 0;
    strategy.rollingUpdate.maxUnavailable ??= 1;
  }
  const retention = spec.persistentVolumeClaimRetentionPolicy ??= {};
  retention.whenDeleted ||= "Retain";
  retention.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.serviceName ??= "";
  defaultPodTemplate(spec.template ??= {});
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = "PersistentVolumeClaim";
    claim.apiVersion = "v1";
    claim.status ??= {};
    claim.status.phase ||= "Pending";
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
  }
}

interface SpecOptions {
  /**
   * Sets whether the StatefulSet is stored already; the validation then skips the volume claim
   * templates and the service name, which an update cannot change.
   *
   * @default {false}
   */
  readonly isStored?: boolean;
  /**
   * Sets whether to skip the validation of the pod template, because the stored StatefulSet is
   * invalid already.
   *
   * @default {false}
   */
  readonly skipTemplate?: boolean;
}

function validateSpec(spec: Spec, rules: PodRules, options: SpecOptions): FieldError[] {
  const { podManagementPolicy: management = "", replicas = 0, minReadySeconds = 0 } = spec;
  const errors: FieldError[] = [];
  if (management !== "OrderedReady" && management !== "Parallel") {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid(SPEC.child("podManagementPolicy"), management, detail));
  }
  errors.push(...validateStrategy(spec));
  errors.push(...validateRetention(spec));
  if (!options.isStored) {
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      const at = SPEC.child("volumeClaimTemplates").index(index).child("spec");
      errors.push(...validateClaimSpec(claim.spec ?? {}, at));
    }
  }
  errors.push(...validateNonnegative(replicas, SPEC.child("replicas")));
  errors.push(...validateNonnegative(minReadySeconds, SPEC.child("minReadySeconds")));
  errors.push(...validateNonnegative(spec.ordinals?.start ?? 0, SPEC.child("ordinals.start")));
  const { serviceName } = spec;
  if (serviceName && !options.isStored) {
    const at = SPEC.child("serviceName");
    errors.push(...invalidForEach(at, serviceName, dnsLabelProblems(serviceName)));
  }
  errors.push(...validateSelectorAndTemplate(spec, rules, options));
  const { restartPolicy = "", activeDeadlineSeconds } = spec.template?.spec ?? {};
  if (restartPolicy !== "Always") {
    errors.push(notSupported(TEMPLATE.child("spec", "restartPolicy"), restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const at = TEMPLATE.child("spec", "activeDeadlineSeconds");
    errors.push(forbiddenField(at, "activeDeadlineSeconds in StatefulSet is not Supported"));
  }
  return errors;
}

function validateStrategy({ updateStrategy: strategy = {} }: Spec): FieldError[] {
  const at = SPEC.child("updateStrategy");
  const { type = "", rollingUpdate } = strategy;
  const shown = internalForm("StatefulSetUpdateStrategy", strategy);
  if (type === "OnDelete") {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return rollingUpdate
      ? [invalid(at.child("rollingUpdate"), shown["RollingUpdate"], detail)]
      : [];
  }
  if (type !== "RollingUpdate") {
    return [invalid(at, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const { partition = 0 } = rollingUpdate ?? {};
  const errors = validateNonnegative(partition, at.child("rollingUpdate", "partition"));
  const maxUnavailable = rollingUpdate?.maxUnavailable as IntOrPercent | undefined;
  if (maxUnavailable === undefined) return errors;
  const path = at.child("rollingUpdate", "maxUnavailable");
  errors.push(...validateIntOrPercent(maxUnavailable, path));
  if (isNone(maxUnavailable)) errors.push(invalid(path, maxUnavailable, "cannot be 0"));
  return [...errors, ...validateAtMostAll(maxUnavailable, path)];
}

function validateRetention(
  { persistentVolumeClaimRetentionPolicy: policy = {} }: Spec,
): FieldError[] {
  const policies = ["Retain", "Delete"];
  return (["whenDeleted", "whenScaled"] as const).flatMap((field) => {
    const value = policy[field] ?? "";
    if (policies.includes(value)) return [];
    const at = SPEC.child("persistentVolumeClaimRetentionPolicy", field);
    return [notSupported(at, value, policies)];
  });
}

function validateSelectorAndTemplate(
  spec: Spec,
  rules: PodRules,
  options: SpecOptions,
): FieldError[] {
  const { selector } = spec;
  const at = SPEC.child("selector");
  const errors: FieldError[] = [];
  if (!selector) errors.push(required(at));
  else {
    errors.push(...validateLabelSelector(selector, at));
    const isWrong = errors.length > 0;
    if (selectorIsEmpty(selector)) {
      errors.push(
        invalid(at, shownSelector(selector), "empty selector is invalid for statefulset"),
      );
    }
    if (isWrong) return [...errors, invalid(at, shownSelector(selector), "")];
  }
  const template = withClaims(spec);
  const { labels, annotations } = template.metadata ?? {};
  const annotationsPath = TEMPLATE.child("annotations");
  return [
    ...errors,
    ...validateSelectsTemplate(selector, template, TEMPLATE),
    ...options.skipTemplate ? [] : validatePodTemplate(template, TEMPLATE, rules),
    ...validateLabels(labels, TEMPLATE.child("labels")),
    ...validateAnnotations(annotations, annotationsPath),
    ...validatePodAnnotations(annotations, template.spec ?? {}, annotationsPath, rules),
  ];
}

/**
 * Returns the pod template of a StatefulSet for validation: with volumes for the volume claim
 * templates, and without the hostname and subdomain, which the controller sets.
 */
function withClaims({ template = {}, volumeClaimTemplates = [] }: Spec): PodTemplate {
  const { subdomain: _, hostname: _1, ...spec } = template.spec ?? {};
  if (volumeClaimTemplates.length === 0) return { ...template, spec };
  const claims = new Map(volumeClaimTemplates.map(({ metadata }): [string, Volume] => {
    const name = metadata?.name ?? "";
    return [name, { name, persistentVolumeClaim: { claimName: name } }];
  }));
  const others = (spec.volumes ?? []).filter(({ name = "" }) => !claims.has(name));
  return { ...template, spec: { ...spec, volumes: [...claims.values(), ...others] } };
}

function validateFixed(spec: Spec, old: Spec): FieldError[] {
  const claims = (list: Claim[] = []) =>
    list.map(({ metadata, spec, status }) => ({
      ...metadata,
      Spec: internalForm("PersistentVolumeClaimSpec", spec),
      Status: internalForm("PersistentVolumeClaimStatus", status),
    }));
  const { selector, volumeClaimTemplates, serviceName, podManagementPolicy } = spec;
  const fixed = [
    ["selector", selector && shownSelector(selector)],
    ["volumeClaimTemplates", claims(volumeClaimTemplates)],
    ["serviceName", serviceName],
    ["podManagementPolicy", podManagementPolicy],
  ] as const;
  return fixed.flatMap(([field, shown]) =>
    sameValue(spec[field], old[field]) ? [] : [invalid(SPEC.child(field), shown, IMMUTABLE)]
  );
}

function validateStatus(status: Counts, old: Counts): FieldError[] {
  const some = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  const ready = "cannot be greater than status.readyReplicas";
  return [
    ...validateCounts(status, ["replicas", ...some, "observedGeneration", "collisionCount"]),
    ...validateAtMost(status, some, "replicas", "cannot be greater than status.replicas"),
    ...validateAtMost(status, ["availableReplicas"], "readyReplicas", ready),
    ...validateCollisionCount(status, old),
  ];
}
