// Mirrors `controller/podautoscaler/metrics/client.go, resourceMetricsClient.GetResourceMetric`.
import { milliValue } from "@xca/apimachinery/internal/values";
import { matchesLabels, parseLabelSelector, Pod } from "@xca/apimachinery/meta";
import { parseGoDuration } from "../../client/config/duration.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ScriptOf } from "../kubelet/pod_scripts.ts";
import { type PodUsage, podUsage, type Usage } from "../metrics/pod_usage.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/**
 * The value of a metric of a pod, such as its CPU usage, in thousandths, with the time and the
 * period of the measurement.
 */
export interface PodMetric {
  readonly value: number;
  readonly atMs: number;
  /** The period of the measurement in milliseconds; 0 for a text that is no Go duration. */
  readonly windowMs: number;
}

/** The members of a {@linkcode ReconcileContext} with which the usage of pods is read. */
export type UsageContext = Pick<ReconcileContext, "client" | "cache" | "clock">;

/**
 * A function that returns the resource usage of the pods in a namespace that a label selector
 * matches; pods without a measurement are left out.
 */
export type ReadUsage = (
  context: UsageContext,
  namespace: string,
  selector: string,
) => Promise<readonly PodUsage[]>;

/**
 * Returns the CPU and memory usage of pods from the resource metrics API of the server.
 *
 * @throws {ApiError} When the server refuses the request, or does not serve the metrics API.
 */
export const readUsage: ReadUsage = async (
  { client }: UsageContext,
  namespace: string,
  selector: string,
): Promise<readonly PodUsage[]> => {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const response = await client.request({ path, query: { labelSelector: selector } });
  return (await response.json() as { readonly items: readonly PodUsage[] }).items;
};

/**
 * Returns a function that computes pod usage from the cached pods, for clusters whose kubelet is in
 * this process. It sends no request, so that runs on a fake clock are reproducible.
 */
export function cachedUsage(scriptsOf: (pod: ReadPod) => ScriptOf): ReadUsage {
  return async ({ cache, clock }, namespace, selector) => {
    const parsed = parseLabelSelector(selector);
    const now = clock.now();
    return (await cache.shared.list(Pod)).filter(({ metadata }) =>
      metadata.namespace === namespace && matchesLabels(parsed, metadata.labels ?? {})
    ).flatMap((pod) => podUsage(pod, scriptsOf(pod), now) ?? []);
  };
}

/**
 * Returns the usage of a resource by pods, or by one of their containers, in thousandths, by pod
 * name. Pods without a value for each counted container are left out.
 *
 * @throws {Error} When no pods are given; the message is that of kube-controller-manager.
 */
export function metricsOf(
  pods: readonly PodUsage[],
  resource: keyof Usage,
  container: string | undefined,
): Map<string, PodMetric> {
  if (pods.length === 0) throw new Error("no metrics returned from resource metrics API");
  const metrics = new Map<string, PodMetric>();
  for (const { metadata, timestamp, window, containers } of pods) {
    const counted = containers.filter(({ name }) => container === undefined || name === container);
    if (counted.some(({ usage }) => usage[resource] === undefined) || counted.length === 0) {
      continue;
    }
    const value = counted.reduce((sum, { usage }) => sum + Number(milliValue(usage[resource])), 0);
    metrics.set(metadata.name, {
      value,
      atMs: Date.parse(timestamp),
      windowMs: parseGoDuration(window) ?? 0,
    });
  }
  return metrics;
}
