// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.computeReplicasForMetric`.
import type { V2MetricSpec, V2MetricStatus } from "@xca/apimachinery/kubernetes-types";
import { milliValue } from "@xca/apimachinery/internal/values";
import {
  type DeepReadonly,
  formatLabelSelector,
  labelSelectorOf,
  matchesLabels,
  parseLabelSelector,
  Pod,
} from "@xca/apimachinery/meta";
import { ApiError } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { Usage } from "../metrics/pod_usage.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { metricsOf, type ReadUsage } from "./pod_metrics.ts";
import {
  type ReplicaQuestion,
  replicasForUsage,
  replicasForUtilization,
  type Tolerances,
} from "./replica_calculator.ts";

type MetricSpec = DeepReadonly<V2MetricSpec>;

/** The facts about a target that a metric is evaluated with. */
export interface TargetFacts {
  readonly namespace: string;
  /** The selector of the target's pods, as text. */
  readonly selector: string;
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly read: ReadUsage;
}

/** The number of replicas that a metric asks for. */
export interface Proposal {
  readonly replicas: number;
  /** The name of the metric in messages. */
  readonly name: string;
  readonly status: V2MetricStatus;
}

/** The error that a metric cannot be evaluated, with the reason of the condition and event about it. */
export class MetricError extends Error {
  override readonly name = "MetricError";
  readonly reason: string;
  /** The message of the condition and of the event. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Returns the number of replicas that a metric asks for. @throws {MetricError} */
export async function proposalOf(
  context: ReconcileContext,
  spec: MetricSpec,
  facts: TargetFacts,
): Promise<Proposal> {
  const { resource, containerResource } = spec;
  if (spec.type === "Resource" && resource) {
    const refused = (detail: string): MetricError =>
      new MetricError(
        "FailedGetResourceMetric",
        detail,
        `failed to get ${resource.name} resource metric value: ${detail}`,
      );
    const { current, ...proposal } = await evaluated(context, resource, facts, refused);
    const status = { type: "Resource", resource: { name: resource.name, current } };
    return { ...proposal, status };
  }
  if (spec.type === "ContainerResource" && containerResource) {
    const { name, container } = containerResource;
    const refused = (detail: string): MetricError =>
      new MetricError(
        "FailedGetContainerResourceMetric",
        detail,
        `failed to get ${container} container metric value: ${detail}`,
      );
    const { current, ...proposal } = await evaluated(context, containerResource, facts, refused);
    const status = { type: "ContainerResource", containerResource: { name, container, current } };
    return { ...proposal, status };
  }
  throw unserved(spec, facts);
}

interface Evaluated extends Omit<Proposal, "status"> {
  readonly current: { averageValue: string; averageUtilization?: number };
}

async function evaluated(
  context: ReconcileContext,
  { name, target, container }: {
    readonly name: string;
    readonly container?: string;
    readonly target: MetricSpec["resource"] extends infer R
      ? NonNullable<R> extends { readonly target: infer T } ? T : never
      : never;
  },
  facts: TargetFacts,
  refused: (detail: string) => MetricError,
): Promise<Evaluated> {
  const { averageValue, averageUtilization } = target;
  const what = averageValue === undefined ? "utilization" : "usage";
  try {
    const question = await questionOf(context, name as keyof Usage, container, facts);
    const answer = averageValue === undefined
      ? replicasForUtilization(question, averageUtilization!)
      : replicasForUsage(question, Number(milliValue(averageValue)));
    const { replicas, usage, utilization } = answer;
    const kind = container === undefined ? "resource" : "container resource";
    return {
      replicas,
      name: averageValue === undefined
        ? `${name} ${kind} utilization (percentage of request)`
        : `${name} resource`,
      current: {
        averageValue: quantityOf(usage, name === "memory"),
        ...(utilization !== undefined && { averageUtilization: utilization }),
      },
    };
  } catch (error) {
    throw refused(`failed to get ${name} ${what}: ${messageOf(error)}`);
  }
}

async function questionOf(
  context: ReconcileContext,
  resource: keyof Usage,
  container: string | undefined,
  { namespace, selector, current, tolerances, read }: TargetFacts,
): Promise<ReplicaQuestion> {
  const unable = `unable to get metrics for resource ${resource}`;
  const usages = await read(context, namespace, selector).catch((error) => {
    const why = `unable to fetch metrics from resource metrics API: ${messageOf(error)}`;
    throw new Error(`${unable}: ${why}`);
  });
  let metrics;
  try {
    metrics = metricsOf(usages, resource, container);
  } catch (error) {
    throw new Error(`${unable}: ${messageOf(error)}`);
  }
  const parsed = parseLabelSelector(selector);
  const pods = (await context.cache.shared.list(Pod)).filter(({ metadata }) =>
    metadata.namespace === namespace && matchesLabels(parsed, metadata.labels ?? {})
  ) as ReadPod[];
  const nowMs = context.clock.now().getTime();
  return { pods, metrics, resource, container, current, tolerances, nowMs };
}

/** Returns the error of a metric whose API is not served. */
function unserved(spec: MetricSpec, { namespace }: TargetFacts): MetricError {
  const custom = "unable to fetch metrics from custom metrics API: no custom metrics API " +
    "(custom.metrics.k8s.io) registered";
  if (spec.type === "Pods" && spec.pods) {
    const detail = `unable to get metric ${spec.pods.metric.name}: ${custom}`;
    return new MetricError(
      "FailedGetPodsMetric",
      detail,
      `failed to get pods metric value: ${detail}`,
    );
  }
  if (spec.type === "Object" && spec.object) {
    const { metric, describedObject: { kind, name } } = spec.object;
    const detail = `unable to get metric ${metric.name} on ${kind} ${namespace}/${name}: ${custom}`;
    const message = `failed to get object metric value: ${detail}`;
    return new MetricError("FailedGetObjectMetric", detail, message);
  }
  if (spec.type === "External" && spec.external) {
    const { metric: { name, selector } } = spec.external;
    const shown = selector ? formatLabelSelector(labelSelectorOf(selector)) : "nil";
    const detail = `unable to get external metric ${namespace}/${name}/${shown}: unable to fetch ` +
      "metrics from external metrics API: the server could not find the requested resource " +
      `(get ${name}.external.metrics.k8s.io)`;
    const message = `failed to get ${name} external metric value: ${detail}`;
    return new MetricError("FailedGetExternalMetric", detail, message);
  }
  const detail = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return new MetricError("InvalidMetricSourceType", detail, detail);
}

/** Returns the message of an error, of a server's refusal in the words of client-go. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 404) {
    return "the server could not find the requested resource (get pods.metrics.k8s.io)";
  }
  return error instanceof Error ? error.message : String(error);
}

/** Returns thousandths as a quantity in its canonical form. */
export function quantityOf(milli: number, binary: boolean): string {
  if (milli % 1000 !== 0) return `${milli}m`;
  const [base, suffixes] = binary
    ? [1024, ["", "Ki", "Mi", "Gi", "Ti"]]
    : [1000, ["", "k", "M", "G", "T"]];
  let [value, step] = [milli / 1000, 0];
  while (value !== 0 && value % base === 0 && step < suffixes.length - 1) {
    value /= base;
    step++;
  }
  return `${value}${suffixes[step]}`;
}
