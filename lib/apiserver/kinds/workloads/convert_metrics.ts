/**
 * Converts the metrics of a HorizontalPodAutoscaler between `autoscaling/v2`, which has objects for
 * names and targets, and the annotations of `autoscaling/v1`, which are flat.
 *
 * @module
 */
import type { JsonObject } from "@xca/apimachinery/internal/values";

/**
 * The name of the field of an autoscaler's metric with the wanted (`target`) or the measured
 * (`current`) value.
 */
type Side = "target" | "current";

/** A metric of an autoscaler, or a part of a metric; absent fields are `undefined`. */
// deno-lint-ignore no-explicit-any -- a tree whose shape the schema has checked
type Metric = any;

const SOURCES = ["object", "pods", "resource", "containerResource", "external"] as const;
type Source = typeof SOURCES[number];

/**
 * Converts a `MetricSpec` (`target`) or `MetricStatus` (`current`) of `autoscaling/v2` to the form
 * of `autoscaling/v1` (`autoscaling/v1/conversion.go`,
 * `Convert_autoscaling_ResourceMetricSource_To_v1_ResourceMetricSource`).
 */
export function flattenMetric(metric: Metric, side: Side): JsonObject {
  return eachSource(metric, (source, value) => flatten(source, value, side));
}

/** Converts a metric of `autoscaling/v1` to the form of `autoscaling/v2`. */
export function unflattenMetric(metric: Metric, side: Side): JsonObject {
  return eachSource(metric, (source, value) => unflatten(source, value, side));
}

function eachSource(
  metric: Metric,
  convert: (source: Source, value: Metric) => Metric,
): JsonObject {
  const made: JsonObject = { type: metric.type };
  for (const source of SOURCES) {
    const value = metric[source];
    if (value !== undefined && value !== null) made[source] = compact(convert(source, value));
  }
  return made;
}

function flatten(source: Source, value: Metric, side: Side): Metric {
  const aim = value[side] ?? {};
  const average = `${side}AverageValue`;
  const zero = side === "current" ? "0" : undefined;
  switch (source) {
    case "object":
      return {
        target: value.describedObject,
        metricName: value.metric?.name,
        [`${side}Value`]: aim.value ?? "0",
        selector: value.metric?.selector,
        averageValue: aim.averageValue,
      };
    case "pods":
      return {
        metricName: value.metric?.name,
        [average]: aim.averageValue ?? "0",
        selector: value.metric?.selector,
      };
    case "external":
      return {
        metricName: value.metric?.name,
        metricSelector: value.metric?.selector,
        [`${side}Value`]: aim.value ?? zero,
        [average]: aim.averageValue,
      };
    default:
      return {
        name: value.name,
        [`${side}AverageUtilization`]: aim.averageUtilization,
        [average]: aim.averageValue ?? zero,
        container: value.container,
      };
  }
}

function unflatten(source: Source, value: Metric, side: Side): Metric {
  const aim = aimOf(source, value, side);
  const whole = { [side]: side === "target" ? { type: aimType(source, value), ...aim } : aim };
  if (source === "resource" || source === "containerResource") {
    return { name: value.name, ...whole, container: value.container };
  }
  const selector = source === "external" ? value.metricSelector : value.selector;
  return {
    ...(source === "object" && { describedObject: value.target ?? { kind: "", name: "" } }),
    ...whole,
    metric: compact({ name: value.metricName ?? "", selector }),
  };
}

function aimOf(source: Source, value: Metric, side: Side): Metric {
  const plain = value[`${side}Value`];
  const average = value[`${side}AverageValue`];
  if (source === "object") {
    const averaged = value.averageValue !== undefined && side === "target";
    const kept = averaged && (plain === "0" || plain === undefined) ? undefined : plain ?? "0";
    return compact({ value: kept, averageValue: value.averageValue });
  }
  if (source === "pods") return { averageValue: average ?? "0" };
  if (source === "external") return compact({ value: plain, averageValue: average });
  return compact({
    averageValue: average,
    averageUtilization: value[`${side}AverageUtilization`],
  });
}

function aimType(source: Source, value: Metric): string {
  if (source === "object") return value.averageValue === undefined ? "Value" : "AverageValue";
  if (source === "pods") return "AverageValue";
  if (source === "external") return value.targetValue === undefined ? "AverageValue" : "Value";
  return value.targetAverageUtilization === undefined ? "AverageValue" : "Utilization";
}

function compact(value: Metric): Metric {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
