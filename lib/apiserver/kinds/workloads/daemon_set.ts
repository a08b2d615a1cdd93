import { mapAsItCame } from "../../machinery/empty_maps.ts";
import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  selectorHasInvalidValue,
  selectorIsEmpty,
  selectorMatches,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type { V1DaemonSetSpec, V1DaemonSetStatus } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import type { Loose } from "../../validation/fields.ts";
import { sameValue } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { shownMap, shownSelector } from "../../validation/shown.ts";
import {
  type IntOrPercent,
  isNone,
  validateAtMostAll,
  validateIntOrPercent,
} from "./int_or_percent.ts";
import { countedAnnotation } from "./counted_annotation.ts";
import { validateSelectorUnchanged } from "./deployment.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import { validatePodTemplate, validateRunsForever } from "../pods/pod_template.ts";
import type { Meta, PodTemplate } from "../pods/common/pod_types.ts";
import { type Counts, validateCollisionCount, validateCounts } from "./replica_counts.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import {
  keepSpec,
  prepareTemplateObject,
  prepareTemplateUpdate,
  TEMPLATE,
  templateWarnings,
} from "../pods/template_object.ts";

type Spec = Omit<Loose<V1DaemonSetSpec>, "template"> & { template?: PodTemplate };
type Strategy = NonNullable<Spec["updateStrategy"]>;

interface DaemonSet {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1DaemonSetStatus>;
}

const SPEC = FieldPath.of("spec");
/**
 * The name of the annotation that carries a DaemonSet's removed field `templateGeneration`, which
 * counts template changes.
 */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
const NO_PODS = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

/**
 * The strategy of DaemonSets, which sets defaults, prepares objects for storage and validates
 * writes (registry/apps/daemonset, `Strategy`).
 */
export const daemonSetStrategy: KindStrategy = typedStrategy<DaemonSet>({
  metadataOfUpdate: "change",
  defaults(object) {
    const spec = object.spec ??= {};
    const strategy = spec.updateStrategy ??= {};
    strategy.type ||= "RollingUpdate";
    if (strategy.type === "RollingUpdate") {
      strategy.rollingUpdate ??= {};
      strategy.rollingUpdate.maxUnavailable ??= 1;
      strategy.rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    defaultPodTemplate(spec.template ??= {});
    object.status ??= { ...NO_PODS };
    const given = countedAnnotation(object.metadata, TEMPLATE_GENERATION, "DaemonSet");
    // Decoding sets the annotation, so that the creator of the object owns it.
    if (given === undefined) setTemplateGeneration(object.metadata, 0);
  },
  prepareForCreate(object) {
    prepareTemplateObject(object, { ...NO_PODS });
    const { metadata } = object;
    setTemplateGeneration(metadata, Math.max(1, templateGeneration(metadata)));
  },
  validateCreate: (object) => {
    const { metadata, spec } = object;
    return validateSpec(metadata, spec, podRules(false));
  },
  prepareForUpdate(object, old) {
    prepareTemplateUpdate(object, old);
    const { metadata, spec } = object;
    const generation = templateGeneration(old.metadata);
    const isChanged = !sameValue(spec.template, old.spec.template);
    setTemplateGeneration(metadata, isChanged ? generation + 1 : generation);
  },
  validateUpdate(object, old) {
    const { metadata, spec } = object;
    const before = old.spec;
    const rules = podRules(false, before.template);
    const allowInvalidSelectorValues = rules.allowInvalidSelectorValues ||
      selectorHasInvalidValue(before.selector);
    return [
      ...validateSelectorUnchanged(spec.selector, before.selector),
      ...validateSpec(metadata, spec, { ...rules, allowInvalidSelectorValues }),
    ];
  },
  warnings: templateWarnings,
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object, old) => {
      const status: Counts = object.status ?? {};
      return [
        ...validateCounts(status, [
          "currentNumberScheduled",
          "numberMisscheduled",
          "desiredNumberScheduled",
          "numberReady",
          "observedGeneration",
          "updatedNumberScheduled",
          "numberAvailable",
          "numberUnavailable",
          "collisionCount",
        ]),
        ...validateCollisionCount(status, old.status ?? {}),
      ];
    },
  },
  validateName: subdomainNameProblems,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function templateGeneration(metadata: Meta): number {
  return Number(metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
}

function setTemplateGeneration(metadata: Meta, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function validateSpec(metadata: Meta, spec: Spec, rules: PodRules): FieldError[] {
  const { selector, template = {}, minReadySeconds = 0, revisionHistoryLimit } = spec;
  const at = SPEC.child("selector");
  const errors = validateLabelSelector(selector, at, {
    allowInvalidValues: rules.allowInvalidSelectorValues,
  });
  const labels = mapAsItCame(template.metadata, "labels");
  if (errors.length === 0 && (!selector || !selectorMatches(selector, labels ?? {}))) {
    const detail = "`selector` does not match template `labels`";
    errors.push(invalid(TEMPLATE.child("metadata", "labels"), shownMap(labels), detail));
  }
  if (selector && selectorIsEmpty(selector)) {
    errors.push(invalid(at, shownSelector(selector), "empty selector is invalid for daemonset"));
  }
  return [
    ...errors,
    ...validatePodTemplate(template, TEMPLATE, rules),
    ...validateRunsForever(template, TEMPLATE, "DaemonSet"),
    ...validateNonnegative(minReadySeconds, SPEC.child("minReadySeconds")),
    ...validateNonnegative(templateGeneration(metadata), SPEC.child("templateGeneration")),
    ...validateStrategy(spec.updateStrategy ?? {}, SPEC.child("updateStrategy")),
    ...validateNonnegative(revisionHistoryLimit ?? 0, SPEC.child("revisionHistoryLimit")),
  ];
}

function validateStrategy(strategy: Strategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate = {} } = strategy;
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    const shown = internalForm("DaemonSetUpdateStrategy", strategy);
    return [notSupported(path, shown, ["RollingUpdate", "OnDelete"])];
  }
  const maxUnavailable = rollingUpdate.maxUnavailable as IntOrPercent | undefined ?? 0;
  const maxSurge = rollingUpdate.maxSurge as IntOrPercent | undefined ?? 0;
  const unavailable = path.child("rollingUpdate", "maxUnavailable");
  const surge = path.child("rollingUpdate", "maxSurge");
  const errors = [
    ...validateIntOrPercent(maxUnavailable, unavailable),
    ...validateIntOrPercent(maxSurge, surge),
    ...validateAtMostAll(maxUnavailable, unavailable),
    ...validateAtMostAll(maxSurge, surge),
  ];
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    errors.push(required(unavailable, "cannot be 0 when maxSurge is 0"));
  } else if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    errors.push(invalid(surge, maxSurge, "may not be set when maxUnavailable is non-zero"));
  }
  return errors;
}
