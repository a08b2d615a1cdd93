// Mirrors `controller/podautoscaler/metrics/client.go, resourceMetricsClient.GetResourceMetric`.
import { milliValue } from "@xca/apimachinery/internal/values";
import { matchesLabels, parseLabelSelector, Pod } from "@xca/apimachinery/meta";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ScriptOf } from "../kubelet/container_script.ts";
import { type PodUsage, podUsage, type Usage } from "../metrics/pod_usage.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** The use of a resource by a pod, in thousandths. */
export interface PodMetric {
  readonly value: number;
  readonly atMs: number;
  readonly windowMs: number;
}

/** The part of a run's context by which usage is read. */
export type UsageContext = Pick<ReconcileContext, "client" | "cache" | "clock">;

/** A function that reads the usage of the pods of a namespace that a selector selects. */
export type ReadUsage = (
  context: UsageContext,
  namespace: string,
  selector: string,
) => Promise<readonly PodUsage[]>;

/** Reads usage from the metrics API of the server. @throws {ApiError} When it is not served. */
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
 * Returns a function that computes usage from the pods of the cache, for clusters whose kubelet is in
 * this process: no request needs time, so that runs on a fake clock are the same every time.
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
 * Returns the use of a resource by pods, or by one of their containers, by pod name.
 *
 * @throws {Error} When there is none; the message is that of kube-controller-manager.
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
      windowMs: durationMs(window),
    });
  }
  return metrics;
}

/** Returns a duration of Go in milliseconds, such as `1m30s`. */
function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  return [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
}
