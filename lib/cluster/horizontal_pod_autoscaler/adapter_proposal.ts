// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.computeStatusForObjectMetric`
// and `controller/podautoscaler/horizontal.go, HorizontalController.computeStatusForExternalMetric`.
import type { V2MetricStatus } from "@xca/apimachinery/kubernetes-types";
import { errorText } from "@xca/apimachinery/base";
import { milliValue } from "@xca/apimachinery/internal/values";
import { MetricError } from "./metric_error.ts";
import type { MetricSpec, Proposal, TargetFacts } from "./metric_facts.ts";
import { milliQuantity } from "./milli_quantity.ts";
import type { AdapterMetrics, Metric } from "./adapter_metrics.ts";
import { replicasForUsage } from "./replica_calculator.ts";
import { goSelector } from "./selector_text.ts";
import { replicasForRatio, replicasPerPod } from "./usage_ratio.ts";

/**
 * Returns the number of replicas that a custom metric of the target's pods proposes, with the value
 * of the metric for the autoscaler's status.
 *
 * @throws {MetricError} When the metric cannot be evaluated.
 */
export async function podsProposal(
  metrics: AdapterMetrics,
  { metric, target }: NonNullable<MetricSpec["pods"]>,
  facts: TargetFacts,
): Promise<Proposal> {
  try {
    const values = await metrics.ofPods(metric, facts.selector).catch((error) => {
      throw new Error(`unable to get metric ${metric.name}: ${errorText(error)}`);
    });
    const question = { ...facts, metrics: values, resource: "", container: undefined };
    const wanted = Number(milliValue(target.averageValue!));
    const { replicas, usage } = replicasForUsage(question, wanted);
    const current = { averageValue: milliQuantity(usage, false) };
    return {
      replicas,
      name: `pods metric ${metric.name}`,
      status: { type: "Pods", pods: { metric: identified(metric), current } },
    };
  } catch (error) {
    const detail = errorText(error);
    const message = `failed to get pods metric value: ${detail}`;
    throw new MetricError("FailedGetPodsMetric", detail, message);
  }
}

/**
 * Returns the number of replicas that a custom metric of an object proposes, with the value of the
 * metric for the autoscaler's status.
 *
 * @throws {MetricError} When the metric cannot be evaluated.
 */
export async function objectProposal(
  metrics: AdapterMetrics,
  { metric, target, describedObject }: NonNullable<MetricSpec["object"]>,
  facts: TargetFacts,
): Promise<Proposal> {
  const { kind, name } = describedObject;
  const isAverage = target.value === undefined;
  try {
    const usage = await metrics.ofObject(metric, describedObject).catch((error) => {
      const what = `${metric.name} on ${kind} ${facts.namespace}/${name}`;
      throw new Error(`unable to get metric ${what}: ${errorText(error)}`);
    });
    const { current, ...proposal } = compared(usage, target, facts);
    const object = { metric: identified(metric), describedObject, current };
    return {
      ...proposal,
      name: isAverage ? externalName(metric) : `${kind} metric ${metric.name}`,
      status: { type: "Object", object } as V2MetricStatus,
    };
  } catch (error) {
    const detail = errorText(error);
    const why = isAverage ? `failed to get ${metric.name} object metric: ${detail}` : detail;
    const message = `failed to get object metric value: ${why}`;
    throw new MetricError("FailedGetObjectMetric", detail, message);
  }
}

/**
 * Returns the number of replicas that an external metric proposes, with the value of the metric for
 * the autoscaler's status.
 *
 * @throws {MetricError} When the metric cannot be evaluated.
 */
export async function externalProposal(
  metrics: AdapterMetrics,
  { metric, target }: NonNullable<MetricSpec["external"]>,
  facts: TargetFacts,
): Promise<Proposal> {
  const isAverage = target.averageValue !== undefined;
  try {
    const usage = await metrics.external(metric).catch((error) => {
      const what = `${facts.namespace}/${metric.name}/${goSelector(metric.selector)}`;
      throw new Error(`unable to get external metric ${what}: ${errorText(error)}`);
    });
    const { current, ...proposal } = compared(usage, target, facts);
    const external = { metric: identified(metric), current };
    return {
      ...proposal,
      name: externalName(metric),
      status: { type: "External", external },
    };
  } catch (error) {
    const detail = errorText(error);
    const what = isAverage ? `${metric.name} external metric` : `external metric ${metric.name}`;
    const message =
      `failed to get ${metric.name} external metric value: failed to get ${what}: ${detail}`;
    throw new MetricError("FailedGetExternalMetric", detail, message);
  }
}

/**
 * Returns the number of replicas that the value of a metric, in thousandths, proposes, and the
 * value for the status: as `averageValue` (per replica) if the target has an `averageValue`,
 * otherwise as `value`.
 */
function compared(
  usage: bigint,
  { value, averageValue }: MetricTarget,
  facts: TargetFacts,
): Pick<Proposal, "replicas"> & { current: { value?: string; averageValue?: string } } {
  if (averageValue !== undefined) {
    const target = Number(milliValue(averageValue));
    const answer = replicasPerPod(facts.existing, facts.tolerances, usage, target);
    return {
      replicas: answer.replicas,
      current: { averageValue: milliQuantity(answer.usage, false) },
    };
  }
  const ratio = Number(usage) / Number(milliValue(value!));
  return {
    replicas: replicasForRatio(facts, ratio),
    current: { value: milliQuantity(usage, false) },
  };
}

type MetricTarget = NonNullable<MetricSpec["external"]>["target"];

function identified({ name, selector }: Metric): { name: string; selector?: object } {
  return { name, ...(selector && { selector: structuredClone(selector) as object }) };
}

function externalName({ name, selector }: Metric): string {
  return `external metric ${name}(${goSelector(selector)})`;
}
