/**
 * Scenarios of HorizontalPodAutoscalers with custom and external metrics.
 *
 * @module
 */
import type { V2MetricSpec } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { HorizontalPodAutoscaler } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { MetricsHandlers } from "../../../lib/cluster/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { AUTOSCALED_KINDS, autoscaler, utilization } from "./autoscaling.ts";

/** The values of the custom metrics, by metric name. */
const OBJECTS: Readonly<Record<string, string>> = { hits: "12", some: "5500m", zero: "0" };

/** The values of the external metrics, by name and selector. */
const EXTERNAL: Readonly<Record<string, readonly string[]>> = {
  queue: ["10", "5"],
  "queue state=busy": ["10"],
  "queue state=idle": ["0"],
  "queue state in (busy,calm)": ["4500m"],
};

/** The metrics handlers of the scenarios. */
const ADAPTER: MetricsHandlers = {
  object: ({ metric, selector }) => {
    if (metric === "broken") throw new Error("the adapter is out of order");
    return selector === "" ? OBJECTS[metric] : "7";
  },
  external: ({ metric, selector }) => EXTERNAL[`${metric} ${selector}`.trim()] ?? [],
};

type Target = NonNullable<V2MetricSpec["external"]>["target"];
type Selector = NonNullable<V2MetricSpec["external"]>["metric"]["selector"];

const value = (text: string): Target => ({ type: "Value", value: text });
const average = (text: string): Target => ({ type: "AverageValue", averageValue: text });

function pods(name: string, target: Target, selector?: Selector): V2MetricSpec {
  return { type: "Pods", pods: { metric: { name, ...selector && { selector } }, target } };
}

function object(
  name: string,
  target: Target,
  [apiVersion, kind]: readonly [string, string] = ["v1", "Service"],
  selector?: Selector,
): V2MetricSpec {
  const metric = { name, ...selector && { selector } };
  return {
    type: "Object",
    object: { metric, describedObject: { apiVersion, kind, name: "web" }, target },
  };
}

function external(name: string, target: Target, selector?: Selector): V2MetricSpec {
  return { type: "External", external: { metric: { name, ...selector && { selector } }, target } };
}

const state = (text: string): Selector => ({ matchLabels: { state: text } });

/** The behaviour of an autoscaler that scales down without a stabilization window. */
const atOnce = { scaleDown: { stabilizationWindowSeconds: 0 } };

const by = (name: string, ...metrics: V2MetricSpec[]): Scenario =>
  autoscaler(name, { spec: { metrics } });

/** Returns a scenario whose autoscaler scales to zero on one metric, and up again on another. */
function fromZero(name: string, idle: V2MetricSpec, busy: V2MetricSpec): Scenario {
  return autoscaler(name, {
    spec: { minReplicas: 0, metrics: [idle], behavior: atOnce },
    then: async (stage) => {
      await stage.settle();
      const patch = mergePatch({ spec: { metrics: [busy] } });
      await stage.client.patch(HorizontalPodAutoscaler, stage.key("web"), patch);
    },
  });
}

const SCENARIOS: readonly Scenario[] = [
  by("hits of pods", pods("hits", average("5"))),
  by("hits of pods on target", pods("hits", average("12"))),
  by("hits of pods with a selector", pods("hits", average("3"), { matchLabels: { path: "a" } })),
  by("hits of pods in fractions", pods("some", average("5"))),
  by("hits of no pods", pods("none", average("5"))),
  by("hits of pods from an adapter out of order", pods("broken", average("5"))),
  autoscaler("hits of pods that are not ready", {
    script: { readyAfterMs: "never" },
    spec: { metrics: [pods("hits", average("5"))] },
  }),
  by("hits of a Service", object("hits", value("5"))),
  by("hits of a Service on target", object("hits", value("12"))),
  by("hits of a Service per pod", object("hits", average("4"))),
  by("hits of a Service unknown", object("none", value("5"))),
  by("hits of a Service unknown per pod", object("none", average("5"))),
  by(
    "hits of a Service with a selector",
    object("hits", average("3"), ["v1", "Service"], {
      matchExpressions: [{ key: "path", operator: "In", values: ["a", "b"] }],
    }),
  ),
  by("hits of an Ingress", object("hits", value("5"), ["networking.k8s.io/v1", "Ingress"])),
  by("hits of a Namespace", object("hits", value("5"), ["v1", "Namespace"])),
  by("hits of a kind unknown", object("hits", value("5"), ["example.com/v1", "Nothing"])),
  autoscaler("hits of a Service without pods that are ready", {
    script: { readyAfterMs: "never" },
    spec: { metrics: [object("hits", value("5"))] },
  }),
  by("queue", external("queue", value("5"))),
  by("queue on target", external("queue", value("15"))),
  by("queue per pod", external("queue", average("5"))),
  by("queue with a selector", external("queue", average("5"), state("busy"))),
  by(
    "queue with an expression",
    external("queue", value("3"), {
      matchExpressions: [{ key: "state", operator: "In", values: ["busy", "calm"] }],
    }),
  ),
  by("queue empty", external("none", value("5"))),
  by("queue empty per pod", external("none", average("5"), state("busy"))),
  by("queue and a metric unknown", external("queue", value("5")), pods("none", average("5"))),
  autoscaler("queue idle and a metric unknown", {
    replicas: 2,
    spec: {
      metrics: [external("queue", value("5"), state("idle")), pods("none", average("5"))],
    },
  }),
  by("the largest of several metrics", utilization, external("queue", value("100"))),
  autoscaler("queue idle", {
    replicas: 2,
    spec: { metrics: [external("queue", value("5"), state("idle"))], behavior: atOnce },
  }),
  autoscaler("queue within its own tolerance", {
    spec: {
      metrics: [external("queue", value("10"))],
      behavior: { scaleUp: { tolerance: "600m" } },
    },
  }),
  autoscaler("queue idle to zero", {
    spec: {
      minReplicas: 0,
      metrics: [external("queue", value("5"), state("idle"))],
      behavior: atOnce,
    },
  }),
  autoscaler("to zero by hand", {
    spec: { minReplicas: 0, metrics: [external("queue", value("5"))] },
    replicas: 0,
  }),
  fromZero(
    "from zero by a queue",
    external("queue", value("5"), state("idle")),
    external("queue", value("5"), state("busy")),
  ),
  fromZero(
    "from zero by a queue per pod",
    external("queue", average("5"), state("idle")),
    external("queue", average("5"), state("busy")),
  ),
  fromZero("from zero by a Service", object("zero", value("5")), object("hits", value("5"))),
  fromZero(
    "from zero by nothing",
    external("queue", value("5"), state("idle")),
    external("none", value("5")),
  ),
];

/** The scenarios of HorizontalPodAutoscalers with custom and external metrics. */
export const ADAPTER_METRICS: ScenarioArea = {
  name: "adapter_metrics",
  kinds: AUTOSCALED_KINDS,
  scenarios: SCENARIOS,
  metrics: ADAPTER,
};
