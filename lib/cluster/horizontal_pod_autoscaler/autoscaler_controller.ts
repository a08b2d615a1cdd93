// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController`.
import { HorizontalPodAutoscaler, Pod } from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { Predicate } from "../../controller/definition/predicate.ts";
import type { MetricsReader } from "./metric_facts.ts";
import { requestMetrics } from "./metric_requests.ts";
import { readUsage } from "./pod_metrics.ts";
import { Scaling } from "./scaling.ts";
import { type ReadAutoscaler, ScalingHistory } from "./scaling_history.ts";
import { SelectorClaims } from "./selector_claims.ts";

/** The time between two reconcile runs of a HorizontalPodAutoscaler, in milliseconds. */
const PERIOD_MS = 15_000;

/**
 * Creates the controller of HorizontalPodAutoscalers: it scales their targets by the usage of CPU
 * and memory, and by custom and external metrics, every 15 seconds and after each change of a spec.
 * By default it reads metrics from the API server.
 */
export function autoscalerController(metrics: Partial<MetricsReader> = {}): ControllerDefinition {
  const histories = new Map<string, ScalingHistory>();
  const claims = new SelectorClaims();
  const reader = { usage: readUsage, request: requestMetrics, ...metrics };
  return controllerFor(HorizontalPodAutoscaler)
    .named("horizontal-pod-autoscaler-controller")
    .withPredicates(isSpecChange)
    .watches(Pod, () => [])
    .options({ eventSource: "horizontal-pod-autoscaler", workers: 5, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      const { cache, key } = context;
      const autoscaler = cache.shared.get(HorizontalPodAutoscaler, key);
      if (!autoscaler) {
        histories.delete(key);
        claims.delete(key);
        return;
      }
      const history = histories.get(key) ?? new ScalingHistory();
      histories.set(key, history);
      await new Scaling({ context, autoscaler, history, claims, metrics: reader }).run();
      return { requeueAfterMs: PERIOD_MS };
    });
}

/**
 * A predicate that passes the creation and deletion of a HorizontalPodAutoscaler, and changes of
 * its spec. Changes of the status come from the controller itself.
 */
const isSpecChange: Predicate = (event) => {
  if (event.type !== "updated") return true;
  const [old, object] = [event.old.object, event.object.object] as ReadAutoscaler[];
  return !jsonEqual(old!.spec, object!.spec);
};
