import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import { QUEUE } from "./catalogue.ts";
import type { MetricsRegistry } from "./registry.ts";

/**
 * Registers the metrics of work queues in a registry, and returns a provider that records there.
 * The labels `name` and `controller` are both the name of the queue, which is that of its
 * controller, as in controller-runtime.
 */
export function queueMetrics(registry: MetricsRegistry): MetricsProvider {
  const depth = registry.gauge(QUEUE.depth);
  const adds = registry.counter(QUEUE.adds);
  const latency = registry.histogram(QUEUE.latency);
  const workDuration = registry.histogram(QUEUE.workDuration);
  const unfinished = registry.gauge(QUEUE.unfinished);
  const longestRunning = registry.gauge(QUEUE.longestRunning);
  const retries = registry.counter(QUEUE.retries);
  const labels = (name: string): { readonly name: string; readonly controller: string } => ({
    name,
    controller: name,
  });
  return {
    depth: (name) => depth.with({ ...labels(name), priority: "" }),
    depthOfPriority: (name, priority) => depth.with({ ...labels(name), priority: `${priority}` }),
    adds: (name) => adds.with(labels(name)),
    latency: (name) => latency.with(labels(name)),
    workDuration: (name) => workDuration.with(labels(name)),
    unfinishedWorkSeconds: (name) => unfinished.with(labels(name)),
    longestRunningProcessorSeconds: (name) => longestRunning.with(labels(name)),
    retries: (name) => retries.with(labels(name)),
  };
}
