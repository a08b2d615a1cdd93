import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  type LabelSelectorFields,
  selectorIsEmpty,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type { V1DeploymentSpec, V1DeploymentStatus } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
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
import { countedAnnotation } from "./counted_annotation.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { hostnameWarnings } from "../pods/hostname_warnings.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import {
  validatePodTemplate,
  validateRunsForever,
  validateSelectsTemplate,
} from "../pods/pod_template.ts";
import type { Meta, PodTemplate } from "../pods/common/pod_types.ts";
import {
  STATUS,
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

type Spec = Omit<Loose<V1DeploymentSpec>, "template"> & { template?: PodTemplate };
type Strategy = NonNullable<Spec["strategy"]>;

interface Deployment {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1DeploymentStatus>;
}

const SPEC = FieldPath.of("spec");

/**
 * The strategy of Deployments, which sets defaults, prepares objects for storage and validates
 * writes (registry/apps/deployment, `Strategy`). The generation increases with changes of the
 * annotations, too.
 */
export const deploymentStrategy: KindStrategy = typedStrategy<Deployment>({
  metadataOfUpdate: "change",
  defaults(object) {
    const spec = object.spec ??= {};
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    const strategy = spec.strategy ??= {};
    strategy.type ||= "RollingUpdate";
    if (strategy.type === "RollingUpdate") {
      strategy.rollingUpdate ??= {};
      strategy.rollingUpdate.maxUnavailable ??= "25%";
      strategy.rollingUpdate.maxSurge ??= "25%";
    }
    defaultPodTemplate(spec.template ??= {});
    object.status ??= {};
    dropEmptyRollback(object.metadata);
    rollbackRevision(object.metadata);
  },
  prepareForCreate(object) {
    prepareTemplateObject(object, {});
  },
  validateCreate(object) {
    const { metadata, spec } = object;
    return validateSpec(spec, podRules(false), rollbackRevision(metadata));
  },
  prepareForUpdate(object, old) {
    prepareTemplateUpdate(object, old);
    if (!sameValue(object.metadata.annotations, old.metadata.annotations)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validateUpdate(object, old) {
    const { metadata, spec } = object;
    const before = old.spec;
    return [
      ...validateSpec(spec, podRules(false, before.template), rollbackRevision(metadata)),
      ...validateSelectorUnchanged(spec.selector, before.selector),
    ];
  },
  warnings: (object, old) => [
    ...old ? [] : hostnameWarnings(object.metadata.name ?? "", "Pod names and hostnames"),
    ...templateWarnings(object, old),
  ],
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old);
      if (old.metadata.labels) object.metadata.labels = { ...old.metadata.labels };
      else delete object.metadata.labels;
    },
    validateUpdate: (object, old) => validateStatus(object.status ?? {}, old.status ?? {}),
  },
  validateName: subdomainNameProblems,
  resetFields: [["status"]],
  statusResetFields: [["spec"], ["metadata", "labels"]],
});

/** The name of the annotation that carries a Deployment's removed field `rollbackTo`. */
const ROLLBACK_TO = "deprecated.deployment.rollback.to";

function dropEmptyRollback({ annotations }: Meta): void {
  if (annotations?.[ROLLBACK_TO] === "") delete annotations[ROLLBACK_TO];
}

function rollbackRevision(metadata: Meta): bigint {
  const shown = metadata.annotations?.[ROLLBACK_TO];
  const about = `failed to parse annotation[${ROLLBACK_TO}]=${shown} as int64: `;
  return countedAnnotation(metadata, ROLLBACK_TO, "Deployment", about) ?? 0n;
}

function validateSpec(spec: Spec, rules: PodRules, rollback: bigint): FieldError[] {
  const { replicas = 0, minReadySeconds = 0, revisionHistoryLimit, progressDeadlineSeconds } = spec;
  const errors = [
    ...validateNonnegative(replicas, SPEC.child("replicas")),
    ...validateReplicaTemplate(spec, rules),
    ...validateStrategy(spec.strategy ?? {}, SPEC.child("strategy")),
    ...validateNonnegative(minReadySeconds, SPEC.child("minReadySeconds")),
    ...validateNonnegative(revisionHistoryLimit ?? 0, SPEC.child("revisionHistoryLimit")),
    ...validateNonnegative(Number(rollback), SPEC.child("rollback", "version")),
  ];
  if (progressDeadlineSeconds === undefined) return errors;
  const at = SPEC.child("progressDeadlineSeconds");
  errors.push(...validateNonnegative(progressDeadlineSeconds, at));
  if (progressDeadlineSeconds <= minReadySeconds) {
    errors.push(invalid(at, progressDeadlineSeconds, "must be greater than minReadySeconds"));
  }
  return errors;
}

/**
 * Checks that an update does not change the pod selector of a workload. Returns the field errors.
 */
export function validateSelectorUnchanged(
  selector: LabelSelectorFields | undefined,
  old: LabelSelectorFields | undefined,
): FieldError[] {
  if (sameValue(selector, old)) return [];
  return [invalid(SPEC.child("selector"), shownSelector(selector), IMMUTABLE)];
}

/** Validates the selector and the pod template of a Deployment or a ReplicaSet. */
export function validateReplicaTemplate(
  spec: { selector?: LabelSelectorFields; template?: PodTemplate },
  rules: PodRules,
): FieldError[] {
  const { selector, template = {} } = spec;
  const at = SPEC.child("selector");
  const errors: FieldError[] = [];
  if (!selector) errors.push(required(at));
  else {
    const problems = validateLabelSelector(selector, at);
    errors.push(...problems);
    if (selectorIsEmpty(selector)) {
      errors.push(invalid(at, shownSelector(selector), "empty selector is invalid for deployment"));
    }
    if (problems.length > 0) {
      return [...errors, invalid(at, shownSelector(selector), "invalid label selector")];
    }
  }
  return [
    ...errors,
    ...validateSelectsTemplate(selector, template, TEMPLATE),
    ...validatePodTemplate(template, TEMPLATE, rules),
    ...validateRunsForever(template, TEMPLATE, "ReplicaSet"),
  ];
}

function validateStrategy(strategy: Strategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const at = path.child("rollingUpdate");
  if (type === "Recreate") {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate ? [forbiddenField(at, detail)] : [];
  }
  if (type !== "RollingUpdate") {
    const shown = internalForm("DeploymentStrategy", strategy);
    return [notSupported(path, shown, ["Recreate", "RollingUpdate"])];
  }
  const maxUnavailable = rollingUpdate?.maxUnavailable as IntOrPercent | undefined ?? 0;
  const maxSurge = rollingUpdate?.maxSurge as IntOrPercent | undefined ?? 0;
  const unavailable = at.child("maxUnavailable");
  const errors = [
    ...validateIntOrPercent(maxUnavailable, unavailable),
    ...validateIntOrPercent(maxSurge, at.child("maxSurge")),
  ];
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    errors.push(invalid(unavailable, maxUnavailable, "may not be 0 when `maxSurge` is 0"));
  }
  return [...errors, ...validateAtMostAll(maxUnavailable, unavailable)];
}

function validateStatus(
  status: Loose<V1DeploymentStatus>,
  old: Loose<V1DeploymentStatus>,
): FieldError[] {
  const errors = validateCounts(status, [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ]);
  const some = ["updatedReplicas", "readyReplicas", "availableReplicas"];
  return [
    ...errors,
    ...validateAtMost(status, some, "replicas", `cannot be greater than ${STATUS}.replicas`),
    ...validateAtMost(
      status,
      ["availableReplicas"],
      "readyReplicas",
      "cannot be greater than readyReplicas",
    ),
    ...validateCollisionCount(status, old),
  ];
}
