// Mirrors `autoscaling/validation/validation.go, validateMetrics`.
import { nanosOf } from "@xca/apimachinery/internal/values";
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  pathSegmentNameProblems,
} from "@xca/apimachinery/internal/validation";
import type {
  V2CrossVersionObjectReference,
  V2MetricIdentifier,
  V2MetricSpec,
  V2MetricTarget,
} from "@xca/apimachinery/kubernetes-types";
import type { Loose } from "../../validation/fields.ts";
import { validateContainerResourceName } from "../pods/containers/resource_requirements.ts";

type Metric = Loose<V2MetricSpec>;
type Target = Loose<V2MetricTarget>;
type Identifier = Loose<V2MetricIdentifier>;
type Reference = Loose<V2CrossVersionObjectReference>;

/**
 * The exceptions from the rule that the API version of an object reference in a
 * HorizontalPodAutoscaler must have a group: any text, or versions of the core group.
 */
export interface MetricRules {
  readonly allowAny: boolean;
  readonly allowCore: boolean;
}

type CheckReference = (reference: Reference, path: FieldPath, rules: MetricRules) => FieldError[];

/**
 * Returns the problem of the API version in a HorizontalPodAutoscaler's object reference;
 * `undefined` if there is none.
 */
export function apiVersionProblem(version: string, rules: MetricRules): string | undefined {
  if (rules.allowAny) return undefined;
  const parts = version.split("/");
  if (parts.length > 2) return `unexpected GroupVersion string: ${version}`;
  const hasGroup = parts.length === 2 && parts[0] !== "";
  return hasGroup || rules.allowCore ? undefined : "apiVersion must specify API group";
}

/**
 * The metric sources of a HorizontalPodAutoscaler in the order of kube-apiserver, which decides
 * which of two sources is reported.
 */
const SOURCES = ["object", "external", "pods", "resource", "containerResource"] as const;
const TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/**
 * Validates the metrics of a HorizontalPodAutoscaler (`autoscaling/validation/validation.go`,
 * `validateMetrics`).
 */
export function validateMetrics(
  metrics: readonly Metric[],
  minReplicas: number | undefined,
  path: FieldPath,
  rules: MetricRules,
  checkReference: CheckReference,
): FieldError[] {
  const errors = metrics.flatMap((metric, index) =>
    validateMetric(metric, path.index(index), rules, checkReference)
  );
  const outside = metrics.some(({ type }) => type === "Object" || type === "External");
  if (minReplicas !== 0 || outside) return errors;
  const detail = "must specify at least one Object or External metric to support scaling to zero " +
    "replicas";
  return [...errors, forbiddenField(path, detail)];
}

function validateMetric(
  metric: Metric,
  path: FieldPath,
  rules: MetricRules,
  checkReference: CheckReference,
): FieldError[] {
  const { type = "" } = metric;
  const errors: FieldError[] = [];
  const unsupported = notSupported(path.child("type"), type, TYPES);
  if (type === "") errors.push(required(path.child("type"), "must specify a metric source type"));
  if (!TYPES.includes(type)) errors.push(unsupported);
  const present = SOURCES.filter((source) => metric[source]);
  const [first] = present;
  if (first) {
    errors.push(...validateSource(metric, first, path.child(first), rules, checkReference));
  }
  const expected = type[0]?.toLowerCase() + type.slice(1);
  if (!TYPES.includes(type)) errors.push(unsupported);
  else if (!metric[expected as typeof SOURCES[number]]) {
    const detail = "must populate information for the given metric source";
    errors.push(required(path.child(expected), detail));
  }
  if (present.length === 1) return errors;
  const more = present.filter((source) => source !== expected);
  const detail = "must populate the given metric source only";
  return [...errors, ...more.map((source) => forbiddenField(path.child(source), detail))];
}

function validateSource(
  metric: Metric,
  source: typeof SOURCES[number],
  path: FieldPath,
  rules: MetricRules,
  checkReference: CheckReference,
): FieldError[] {
  const errors: FieldError[] = [];
  const target: Target = metric[source]?.target ?? {};
  const { value, averageValue, averageUtilization } = target;
  const at = path.child("target");
  if (source === "object") {
    const described = metric.object?.describedObject ?? {};
    errors.push(...checkReference(described, path.child("describedObject"), rules));
  }
  if (source === "resource" || source === "containerResource") {
    errors.push(...validateResource(metric, source, path), ...validateTarget(target, at));
    if (averageUtilization === undefined && averageValue === undefined) {
      const detail = "must set either a target raw value or a target utilization";
      errors.push(required(at.child("averageUtilization"), detail));
    }
    if (averageUtilization !== undefined && averageValue !== undefined) {
      const detail = "may not set both a target raw value and a target utilization";
      errors.push(forbiddenField(at.child("averageValue"), detail));
    }
    return errors;
  }
  errors.push(...validateIdentifier(metric[source]?.metric ?? {}, path.child("metric")));
  errors.push(...validateTarget(target, at));
  const needed = {
    object: "must set either a target value or averageValue",
    external: "must set either a target value for metric or a per-pod target",
    pods: "must specify a positive target averageValue",
  }[source];
  if (averageValue === undefined && (value === undefined || source === "pods")) {
    errors.push(required(at.child("averageValue"), needed));
  }
  if (source === "external" && value !== undefined && averageValue !== undefined) {
    const detail = "may not set both a target value for metric and a per-pod target";
    errors.push(forbiddenField(at.child("value"), detail));
  }
  return errors;
}

function validateResource(
  metric: Metric,
  source: "resource" | "containerResource",
  path: FieldPath,
): FieldError[] {
  const { name = "" } = metric[source] ?? {};
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path.child("name"), "must specify a resource name"));
  if (source === "resource") return errors;
  if (name !== "") errors.push(...validateContainerResourceName(name, path.child("name")));
  const { container = "" } = metric.containerResource ?? {};
  const at = path.child("container");
  if (container === "") return [...errors, required(at, "must specify a container")];
  return [...errors, ...invalidForEach(at, container, dnsLabelProblems(container))];
}

function validateIdentifier({ name = "" }: Identifier, path: FieldPath): FieldError[] {
  const at = path.child("name");
  if (name === "") return [required(at, "must specify a metric name")];
  return invalidForEach(at, name, pathSegmentNameProblems(name, false));
}

function validateTarget(target: Target, path: FieldPath): FieldError[] {
  const { type = "", value, averageValue, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(path.child("type"), "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    const detail = "must be either Utilization, Value, or AverageValue";
    errors.push(invalid(path.child("type"), type, detail));
  }
  for (const [field, quantity] of Object.entries({ value, averageValue })) {
    if (quantity === undefined || nanosOf(quantity) > 0n) continue;
    errors.push(invalid(path.child(field), quantity, "must be positive"));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    const at = path.child("averageUtilization");
    errors.push(invalid(at, averageUtilization, "must be greater than 0"));
  }
  return errors;
}
