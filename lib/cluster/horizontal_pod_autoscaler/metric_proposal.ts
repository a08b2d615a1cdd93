// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.computeReplicasForMetric`.
import { milliValue } from "@xca/apimachinery/internal/values";
import { errorText } from "@xca/apimachinery/base";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { Usage } from "../metrics/pod_usage.ts";
import { externalProposal, objectProposal, podsProposal } from "./adapter_proposal.ts";
import { AdapterMetrics } from "./adapter_metrics.ts";
import { failureText } from "./metric_requests.ts";
import { MetricError } from "./metric_error.ts";
import { milliQuantity } from "./milli_quantity.ts";
import type { MetricSpec, Proposal, TargetFacts } from "./metric_facts.ts";
import { metricsOf } from "./pod_metrics.ts";
import {
  type ReplicaQuestion,
  replicasForUsage,
  replicasForUtilization,
} from "./replica_calculator.ts";

/**
 * Returns the number of replicas that a metric of an autoscaler proposes, with the value of the
 * metric for the autoscaler's status.
 *
 * @throws {MetricError} When the metric cannot be evaluated, or its type is unknown.
 */
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
  const adapter = new AdapterMetrics(context, facts.namespace, facts.metrics.request);
  if (spec.type === "Pods" && spec.pods) return await podsProposal(adapter, spec.pods, facts);
  if (spec.type === "Object" && spec.object) {
    return await objectProposal(adapter, spec.object, facts);
  }
  if (spec.type === "External" && spec.external) {
    return await externalProposal(adapter, spec.external, facts);
  }
  const detail = `unknown metric source type ${JSON.stringify(spec.type)}`;
  throw new MetricError("InvalidMetricSourceType", detail, detail);
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
        averageValue: milliQuantity(usage, name === "memory"),
        ...(utilization !== undefined && { averageUtilization: utilization }),
      },
    };
  } catch (error) {
    throw refused(`failed to get ${name} ${what}: ${errorText(error)}`);
  }
}

async function questionOf(
  context: ReconcileContext,
  resource: keyof Usage,
  container: string | undefined,
  { namespace, selector, pods, current, tolerances, nowMs, metrics: { usage } }: TargetFacts,
): Promise<ReplicaQuestion> {
  const unable = `unable to get metrics for resource ${resource}`;
  const usages = await usage(context, namespace, selector).catch((error) => {
    const why = `unable to fetch metrics from resource metrics API: ${
      failureText(error, "pods.metrics.k8s.io")
    }`;
    throw new Error(`${unable}: ${why}`);
  });
  let metrics;
  try {
    metrics = metricsOf(usages, resource, container);
  } catch (error) {
    throw new Error(`${unable}: ${errorText(error)}`);
  }
  return { pods, metrics, resource, container, current, tolerances, nowMs };
}
