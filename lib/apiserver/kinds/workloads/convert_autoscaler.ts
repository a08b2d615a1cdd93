import type { ApiObject } from "@xca/apimachinery/internal/values";
import { flattenMetric, unflattenMetric } from "./convert_metrics.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CONDITIONS = `${PREFIX}conditions`;
/**
 * The names of the annotations in which a HorizontalPodAutoscaler of `autoscaling/v1` keeps the
 * fields that only `autoscaling/v2` has.
 */
const KEPT = [
  METRICS,
  CURRENT_METRICS,
  BEHAVIOR,
  CONDITIONS,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];
const DEFAULT_CPU_PERCENT = 80;

// deno-lint-ignore no-explicit-any -- trees whose shape the schema has checked
type Tree = any;

/**
 * Converts a HorizontalPodAutoscaler between `autoscaling/v1` and `autoscaling/v2` to the version
 * `toVersion`, `v1` or `v2` (`autoscaling/v1/conversion.go`,
 * `Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler`). Returns the given
 * object if it is of this version already, otherwise a new one, which shares parts with the given
 * object.
 */
export function convertHorizontalPodAutoscaler(object: ApiObject, toVersion: string): ApiObject {
  const apiVersion = `autoscaling/${toVersion}`;
  if (object.apiVersion === apiVersion) return object;
  const { kind, metadata, spec, status } = object;
  const parts = toVersion === "v1"
    ? toV1(metadata.annotations ?? {}, spec ?? {}, status ?? {})
    : toV2(metadata.annotations ?? {}, spec ?? {}, status ?? {});
  const { annotations: _, ...meta } = metadata;
  const annotated = Object.keys(parts.annotations).length > 0;
  return {
    kind: kind!,
    apiVersion,
    metadata: { ...meta, ...(annotated && { annotations: parts.annotations }) },
    spec: parts.spec,
    status: parts.status,
  };
}

interface Parts {
  readonly annotations: Record<string, string>;
  readonly spec: Tree;
  readonly status: Tree;
}

function toV1(given: Readonly<Record<string, string>>, spec: Tree, status: Tree): Parts {
  const annotations = withoutKept(given);
  const { metrics = [], behavior, ...restOfSpec } = spec;
  const { currentMetrics, conditions = [], ...restOfStatus } = status;
  const others = metrics.filter((metric: Tree) => cpuUtilization(metric, "target") === undefined);
  const measured = currentMetrics ?? [];
  if (others.length > 0) {
    annotations[METRICS] = json(others.map((each: Tree) => flattenMetric(each, "target")));
  }
  if (measured.length > 0) {
    annotations[CURRENT_METRICS] = json(
      measured.map((each: Tree) => flattenMetric(each, "current")),
    );
  }
  if (behavior) annotations[BEHAVIOR] = json(capitalised(behavior));
  if (conditions.length > 0) annotations[CONDITIONS] = json(conditions);
  const wanted = firstOf(metrics, "target");
  const current = lastOf(measured);
  return {
    annotations,
    spec: {
      ...restOfSpec,
      ...(wanted !== undefined && { targetCPUUtilizationPercentage: wanted }),
    },
    status: {
      currentReplicas: 0,
      ...restOfStatus,
      ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
    },
  };
}

function toV2(given: Readonly<Record<string, string>>, spec: Tree, status: Tree): Parts {
  const { targetCPUUtilizationPercentage: wanted, ...restOfSpec } = spec;
  const { currentCPUUtilizationPercentage: current, ...restOfStatus } = status;
  const metrics = list(given[METRICS]).map((each) => unflattenMetric(each, "target"));
  if (wanted !== undefined) metrics.push(cpuMetric("target", wanted));
  if (metrics.length === 0) metrics.push(cpuMetric("target", DEFAULT_CPU_PERCENT));
  const behavior = parse(given[BEHAVIOR]);
  const measured = given[CURRENT_METRICS] === undefined
    ? current === undefined ? null : [cpuMetric("current", current)]
    : list(given[CURRENT_METRICS]).map((each) => unflattenMetric(each, "current"));
  const conditions = list(given[CONDITIONS]);
  if (restOfStatus.currentReplicas === 0) delete restOfStatus.currentReplicas;
  return {
    annotations: withoutKept(given),
    spec: { ...restOfSpec, metrics, ...(behavior && { behavior: uncapitalised(behavior) }) },
    status: {
      ...restOfStatus,
      currentMetrics: measured,
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

function withoutKept(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !KEPT.includes(name)));
}

/**
 * Returns the percentage of a HorizontalPodAutoscaler's CPU utilization metric; `undefined` for any
 * other metric.
 */
function cpuUtilization(metric: Tree, side: "target" | "current"): number | undefined {
  if (metric.type !== "Resource" || metric.resource?.name !== "cpu") return undefined;
  return metric.resource[side]?.averageUtilization;
}

function firstOf(metrics: readonly Tree[], side: "target" | "current"): number | undefined {
  for (const metric of metrics) {
    const percent = cpuUtilization(metric, side);
    if (percent !== undefined) return percent;
  }
  return undefined;
}

function lastOf(metrics: readonly Tree[]): number | undefined {
  return firstOf([...metrics].reverse(), "current");
}

function cpuMetric(side: "target" | "current", averageUtilization: number): Tree {
  const type = side === "target" ? { type: "Utilization" } : {};
  return { type: "Resource", resource: { name: "cpu", [side]: { ...type, averageUtilization } } };
}

/**
 * Returns the scaling rules of a HorizontalPodAutoscaler with the capitalized field names of the
 * internal type, which are never omitted.
 */
function capitalised({ scaleUp, scaleDown }: Tree): Tree {
  return { ScaleUp: capitalisedRules(scaleUp), ScaleDown: capitalisedRules(scaleDown) };
}

function capitalisedRules(rules: Tree): Tree {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: rules.policies?.map((policy: Tree) => ({
      Type: policy.type,
      Value: policy.value,
      PeriodSeconds: policy.periodSeconds,
    })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

function uncapitalised(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(uncapitalised);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
    .map(([name, inner]) =>
      [name[0]!.toLowerCase() + name.slice(1), uncapitalised(inner)] as const
    );
  return Object.fromEntries(entries);
}

const json = (value: unknown): string => JSON.stringify(value);

/**
 * Returns the JSON value of an annotation of a HorizontalPodAutoscaler; `undefined` if the
 * annotation is absent or, as in kube-apiserver, not JSON.
 */
function parse(text: string | undefined): Tree {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function list(text: string | undefined): readonly Tree[] {
  const value = parse(text);
  return Array.isArray(value)
    ? value.filter((each) => each !== null && typeof each === "object")
    : [];
}
