/**
 * Scenarios of HorizontalPodAutoscalers.
 *
 * @module
 */
import type {
  V2HorizontalPodAutoscaler,
  V2MetricSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Deployment, HorizontalPodAutoscaler } from "../../../lib/apimachinery/meta/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { isComplete } from "./at_rest.ts";
import { deployment, SCRIPT } from "./parts.ts";

type Spec = V2HorizontalPodAutoscaler["spec"];

/** The parts in which scenarios differ. */
interface Case {
  readonly spec?: Partial<Spec>;
  readonly replicas?: number;
  /** The usage of each container. @default {200m of CPU} */
  readonly usage?: Readonly<Record<string, string>>;
  /** The requests of the container. @default {100m of CPU} */
  readonly requests?: Readonly<Record<string, string>>;
  /** Whether there is no target. @default {false} */
  readonly absent?: boolean;
}

const utilization: V2MetricSpec = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

const value = (name: string, averageValue: string): V2MetricSpec => ({
  type: "Resource",
  resource: { name, target: { type: "AverageValue", averageValue } },
});

/** Returns a scenario that creates a Deployment, and an autoscaler once its pods are available. */
function autoscaler(name: string, facts: Case = {}): Scenario {
  const { spec, replicas = 1, usage = { cpu: "200m" }, requests = { cpu: "100m" } } = facts;
  return {
    name: `Autoscaler ${name}`,
    run: async (stage) => {
      const { client, namespace } = stage;
      const annotations = { [SCRIPT]: JSON.stringify({ "*": usage }) };
      const template = {
        metadata: { labels: { app: "web" }, annotations },
        spec: { containers: [{ name: "app", image: "app:1", resources: { requests } }] },
      };
      if (!facts.absent) {
        const { metadata, spec } = deployment({ replicas, template });
        await client.create(Deployment, { metadata: { ...metadata, namespace }, spec });
        await stage.settle();
      }
      await client.create(HorizontalPodAutoscaler, {
        metadata: { name: "web", namespace },
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [utilization],
          ...spec,
        },
      });
    },
  };
}

const SCENARIOS: readonly Scenario[] = [
  autoscaler("to the maximum"),
  autoscaler("on target", { usage: { cpu: "50m" } }),
  autoscaler("within the tolerance", { usage: { cpu: "54m" } }),
  autoscaler("value of CPU", { spec: { metrics: [value("cpu", "90m")] } }),
  autoscaler("value of memory", {
    usage: { memory: "64Mi" },
    spec: { metrics: [value("memory", "60Mi")] },
  }),
  autoscaler("several metrics", {
    usage: { cpu: "50m", memory: "64Mi" },
    spec: { metrics: [utilization, value("memory", "20Mi")] },
  }),
  autoscaler("of a container", {
    spec: {
      metrics: [{
        type: "ContainerResource",
        containerResource: {
          name: "cpu",
          container: "app",
          target: { type: "Utilization", averageUtilization: 150 },
        },
      }],
    },
  }),
  autoscaler("requests missing", { requests: {} }),
  autoscaler("container absent", {
    spec: {
      metrics: [{
        type: "ContainerResource",
        containerResource: {
          name: "cpu",
          container: "none",
          target: { type: "Utilization", averageUtilization: 150 },
        },
      }],
    },
  }),
  autoscaler("target absent", { absent: true }),
  autoscaler("kind unknown", {
    absent: true,
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Nothing", name: "web" } },
  }),
  autoscaler("metric of pods", {
    spec: {
      metrics: [{
        type: "Pods",
        pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } },
      }],
    },
  }),
  autoscaler("metric of an object", {
    spec: {
      metrics: [{
        type: "Object",
        object: {
          metric: { name: "hits" },
          describedObject: { apiVersion: "v1", kind: "Service", name: "web" },
          target: { type: "Value", value: "5" },
        },
      }],
    },
  }),
  autoscaler("one metric of two unserved", {
    spec: {
      metrics: [utilization, {
        type: "Pods",
        pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } },
      }],
    },
  }),
  autoscaler("below the minimum", { usage: { cpu: "50m" }, spec: { minReplicas: 2 } }),
  autoscaler("above the maximum", { usage: { cpu: "50m" }, replicas: 5 }),
  autoscaler("nothing to scale", { replicas: 0 }),
  autoscaler("down at once", {
    replicas: 3,
    usage: { cpu: "5m" },
    spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
  }),
  autoscaler("down disabled", {
    replicas: 3,
    usage: { cpu: "5m" },
    spec: {
      behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: "Disabled" } },
    },
  }),
];

/** Reports whether the controller has looked at an autoscaler, and its target has the size it needs. */
function isSettled({ status }: V2HorizontalPodAutoscaler): boolean {
  const conditions = status?.conditions ?? [];
  const fails = conditions.some(({ type, status }) =>
    type !== "ScalingLimited" && status === "False"
  );
  return conditions.length > 0 && (fails || status?.currentReplicas === status?.desiredReplicas);
}

/** The scenarios of the controller of HorizontalPodAutoscalers. */
export const AUTOSCALING: ScenarioArea = {
  name: "autoscaling",
  kinds: [
    { type: HorizontalPodAutoscaler, isAtRest: isSettled, varying: ["lastScaleTime"] },
    { type: Deployment, isAtRest: isComplete },
  ],
  scenarios: SCENARIOS,
};
