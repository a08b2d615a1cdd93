import {
  declared,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  invalidForEach,
  pathSegmentNameProblems,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type {
  V2HorizontalPodAutoscalerSpec,
  V2HorizontalPodAutoscalerStatus,
} from "@xca/apimachinery/kubernetes-types";
import { hasEmptyMap } from "../../machinery/empty_maps.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { convertHorizontalPodAutoscaler } from "./convert_autoscaler.ts";
import type { Loose } from "../../validation/fields.ts";
import { validateNonnegativeQuantity } from "../../validation/quantity.ts";
import { apiVersionProblem, type MetricRules, validateMetrics } from "./autoscaler_metrics.ts";
import { beginGeneration, countGeneration } from "../core/generation.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { validateCounts } from "./replica_counts.ts";
import { keepSpec, keepStatus } from "../pods/template_object.ts";

type Spec = Loose<V2HorizontalPodAutoscalerSpec>;
type Behavior = NonNullable<Spec["behavior"]>;
type ScalingRules = NonNullable<Behavior["scaleUp"]>;

/** A HorizontalPodAutoscaler of either API version, whose specs share most fields. */
type Autoscaler = ApiObject & { spec: Spec; status?: Loose<V2HorizontalPodAutoscalerStatus> };

const SPEC = FieldPath.of("spec");
const DEFAULT_CPU_PERCENT = 80;
const OTHER_METRICS = "autoscaling.alpha.kubernetes.io/metrics";

/**
 * The strategy of HorizontalPodAutoscalers in both versions, which sets defaults, prepares objects
 * for storage and validates writes (registry/autoscaling/horizontalpodautoscaler, `Strategy`).
 * Validation runs on the form of `v2`.
 */
export const horizontalPodAutoscalerStrategy: KindStrategy = typedStrategy<Autoscaler>({
  metadataOfUpdate: "change",
  defaults(object) {
    const spec = object.spec ??= {};
    spec.minReplicas ??= 1;
    object.status ??= emptyStatus(object);
    if (object.apiVersion === "autoscaling/v1") {
      const flat = spec as { targetCPUUtilizationPercentage?: number };
      if (object.metadata.annotations?.[OTHER_METRICS] !== undefined) return;
      flat.targetCPUUtilizationPercentage ??= DEFAULT_CPU_PERCENT;
      return;
    }
    if ((spec.metrics ?? []).length === 0) spec.metrics = [defaultMetric()];
    if (!spec.behavior) return;
    spec.behavior.scaleUp = withRules(spec.behavior.scaleUp, scaleUpRules());
    spec.behavior.scaleDown = withRules(spec.behavior.scaleDown, scaleDownRules());
  },
  prepareForCreate(object) {
    object.status = emptyStatus(object);
    takeInnerForm(object);
    beginGeneration(object);
  },
  validateCreate: (object) => validateSpec(specOf(object), undefined),
  prepareForUpdate(object, old) {
    keepStatus(object, old);
    takeInnerForm(object);
    countGeneration(object, old, specOf(object), specOf(old));
  },
  validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old);
      takeInnerForm(object);
    },
    validateUpdate: (object) => validateStatus(object.status ?? {}),
  },
  validateName: subdomainNameProblems,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function emptyStatus({ apiVersion }: ApiObject): object {
  return apiVersion === "autoscaling/v1"
    ? { currentReplicas: 0, desiredReplicas: 0 }
    : { desiredReplicas: 0, currentMetrics: null };
}

/**
 * Converts a HorizontalPodAutoscaler of `v1` to `v2` and back, in place, so that its fields agree
 * with its annotations. Leaves an object of `v2` unchanged.
 */
function takeInnerForm(object: ApiObject): void {
  if (object.apiVersion !== "autoscaling/v1") return;
  const inner = convertHorizontalPodAutoscaler(structuredClone(object), "v2");
  const { metadata, spec, status } = convertHorizontalPodAutoscaler(inner, "v1");
  if (metadata.annotations) object.metadata.annotations = metadata.annotations;
  else delete object.metadata.annotations;
  Object.assign(object, { spec, status });
}

/**
 * Returns the spec of a HorizontalPodAutoscaler in the form of `v2`: a converted copy for an object
 * of `v1`, otherwise the spec itself.
 */
function specOf(object: Autoscaler): Spec {
  if (object.apiVersion !== "autoscaling/v1") return object.spec;
  return (convertHorizontalPodAutoscaler(structuredClone(object), "v2") as Autoscaler).spec;
}

function defaultMetric(): NonNullable<Spec["metrics"]>[number] {
  const target = { type: "Utilization", averageUtilization: DEFAULT_CPU_PERCENT };
  return { type: "Resource", resource: { name: "cpu", target } };
}

/**
 * Returns a HorizontalPodAutoscaler's scaling rules with defaults for absent fields. An explicitly
 * empty list of policies stays empty.
 */
function withRules(asked: ScalingRules | undefined, usual: ScalingRules): ScalingRules {
  const rules = { ...usual, ...asked };
  if (asked && hasEmptyMap(asked, "policies")) rules.policies = [];
  return rules;
}

function scaleUpRules(): ScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  };
}

function scaleDownRules(): ScalingRules {
  return {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  };
}

function validateSpec(spec: Spec, old: Spec | undefined): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior } = spec;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < 0) {
    const detail = "must be greater than or equal to 0";
    errors.push(...declared(invalid(SPEC.child("minReplicas"), minReplicas, detail)));
  }
  const at = SPEC.child("maxReplicas");
  if (maxReplicas === 0) errors.push(...declared(required(at)));
  else if (maxReplicas < 0) {
    errors.push(...declared(invalid(at, maxReplicas, "must be greater than or equal to 1")));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalid(at, maxReplicas, "must be greater than or equal to `minReplicas`"));
  }
  const before = old?.scaleTargetRef;
  const isSame = before !== undefined && before.kind === scaleTargetRef.kind &&
    (before.apiVersion ?? "") === (scaleTargetRef.apiVersion ?? "");
  errors.push(...validateReference(scaleTargetRef, SPEC.child("scaleTargetRef"), {
    allowAny: isSame,
    allowCore: !isSame && scaleTargetRef.kind === "ReplicationController",
  }));
  const rules: MetricRules = {
    allowAny: (old?.metrics ?? []).some(({ type, object }) =>
      type === "Object" && object &&
      apiVersionProblem(object.describedObject?.apiVersion ?? "", {
        allowAny: false,
        allowCore: true,
      })
    ),
    allowCore: true,
  };
  errors.push(
    ...validateMetrics(metrics, minReplicas, SPEC.child("metrics"), rules, validateReference),
  );
  for (const direction of ["scaleUp", "scaleDown"] as const) {
    const each = behavior?.[direction];
    if (each) errors.push(...validateScaling(each, SPEC.child("behavior", direction)));
  }
  return errors;
}

function validateStatus(status: NonNullable<Autoscaler["status"]>): FieldError[] {
  const path = FieldPath.of("status", "conditions");
  const counts = { currentReplicas: 0, desiredReplicas: 0, ...status };
  return [
    ...(status.conditions ?? []).flatMap(({ observedGeneration }, index) =>
      validateNonnegative(observedGeneration ?? 0, path.index(index).child("observedGeneration"))
    ),
    ...validateCounts(counts, ["currentReplicas", "desiredReplicas"]),
  ];
}

function validateReference(
  reference: { readonly kind?: string; readonly name?: string; readonly apiVersion?: string },
  path: FieldPath,
  rules: MetricRules,
): FieldError[] {
  const errors = (["kind", "name"] as const).flatMap((field) => {
    const value = reference[field] ?? "";
    const at = path.child(field);
    if (value === "") return [required(at)];
    return invalidForEach(at, value, pathSegmentNameProblems(value, false));
  });
  const { apiVersion = "" } = reference;
  const problem = apiVersionProblem(apiVersion, rules);
  return problem ? [...errors, invalid(path.child("apiVersion"), apiVersion, problem)] : errors;
}

function validateScaling(rules: ScalingRules, path: FieldPath): FieldError[] {
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const at = path.child("stabilizationWindowSeconds");
  if (seconds !== undefined && seconds < 0) {
    errors.push(invalid(at, seconds, "must be greater than or equal to zero"));
  }
  if (seconds !== undefined && seconds > 3600) {
    errors.push(invalid(at, seconds, "must be less than or equal to 3600"));
  }
  const select = ["Disabled", "Max", "Min"];
  if (selectPolicy !== undefined && !select.includes(selectPolicy)) {
    errors.push(notSupported(path.child("selectPolicy"), selectPolicy, select));
  }
  const list = path.child("policies");
  if (policies.length === 0) errors.push(required(list, "must specify at least one Policy"));
  for (const [index, { type = "", value = 0, periodSeconds = 0 }] of policies.entries()) {
    const where = list.index(index);
    const types = ["Percent", "Pods"];
    if (!types.includes(type)) errors.push(notSupported(where.child("type"), type, types));
    const positive = "must be greater than zero";
    if (value <= 0) errors.push(invalid(where.child("value"), value, positive));
    const period = where.child("periodSeconds");
    if (periodSeconds <= 0) errors.push(invalid(period, periodSeconds, positive));
    if (periodSeconds > 1800) {
      errors.push(invalid(period, periodSeconds, "must be less than or equal to 1800"));
    }
  }
  if (tolerance === undefined) return errors;
  return [...errors, ...validateNonnegativeQuantity(tolerance, path.child("tolerance"))];
}
