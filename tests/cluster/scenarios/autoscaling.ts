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
import { mergePatch } from "../../../lib/client/mod.ts";
import type { ComparedKind, Scenario, ScenarioArea } from "../world.ts";
import { isComplete } from "./at_rest.ts";
import { deployment, SCRIPT, type Step } from "./parts.ts";

type Spec = V2HorizontalPodAutoscaler["spec"];

/** The parameters of an autoscaler scenario. */
export interface Case {
  readonly spec?: Partial<Spec>;
  readonly replicas?: number;
  /** The resource usage of each container. @default {200m of CPU} */
  readonly usage?: Readonly<Record<string, string>>;
  /** The resource requests of the container. @default {100m of CPU} */
  readonly requests?: Readonly<Record<string, string>>;
  /** Sets whether the autoscaler's target does not exist. @default {false} */
  readonly absent?: boolean;
  /** The further script fields of each container. @default {none} */
  readonly script?: Readonly<Record<string, unknown>>;
  /** The step after the creation of the autoscaler. @default {none} */
  readonly then?: Step;
}

/** The metric of CPU utilization with a target of half of the requests. */
export const utilization: V2MetricSpec = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

const value = (name: string, averageValue: string): V2MetricSpec => ({
  type: "Resource",
  resource: { name, target: { type: "AverageValue", averageValue } },
});

/**
 * Returns a scenario that creates a Deployment, and an autoscaler once the Deployment's pods are
 * available.
 */
export function autoscaler(name: string, facts: Case = {}): Scenario {
  const { spec, replicas = 1, usage = { cpu: "200m" }, requests = { cpu: "100m" } } = facts;
  const script = { ...usage, ...facts.script };
  return {
    name: `Autoscaler ${name}`,
    run: async (stage) => {
      const { client, namespace } = stage;
      const annotations = { [SCRIPT]: JSON.stringify({ "*": script }) };
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
      await facts.then?.(stage);
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
  autoscaler("metric that is external", {
    spec: {
      metrics: [{
        type: "External",
        external: { metric: { name: "queue" }, target: { type: "Value", value: "5" } },
      }],
    },
  }),
  autoscaler("version of the target unknown", {
    spec: { scaleTargetRef: { apiVersion: "apps/v9", kind: "Deployment", name: "web" } },
  }),
  autoscaler("kind of the target without scale", {
    spec: { scaleTargetRef: { apiVersion: "batch/v1", kind: "CronJob", name: "web" } },
  }),
  autoscaler("up by one pod", {
    spec: {
      behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 600 }] } },
    },
  }),
  autoscaler("up by the smaller policy", {
    spec: {
      behavior: {
        scaleUp: {
          selectPolicy: "Min",
          policies: [
            { type: "Pods", value: 2, periodSeconds: 600 },
            { type: "Percent", value: 100, periodSeconds: 600 },
          ],
        },
      },
    },
  }),
  autoscaler("down by a third", {
    replicas: 3,
    usage: { cpu: "5m" },
    spec: {
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          policies: [{ type: "Percent", value: 33, periodSeconds: 600 }],
        },
      },
    },
  }),
  autoscaler("up after a window", {
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 600 } } },
  }),
  autoscaler("within its own tolerance", {
    usage: { cpu: "70m" },
    spec: { behavior: { scaleUp: { tolerance: "500m" } } },
  }),
  autoscaler("beyond its own tolerance", {
    usage: { cpu: "52m" },
    spec: { behavior: { scaleUp: { tolerance: "0.0005" } } },
  }),
  autoscaler("pods that are not ready", { script: { readyAfterMs: "never" } }),
  autoscaler("faster than the limit", { usage: { cpu: "900m" }, spec: { maxReplicas: 20 } }),
  autoscaler("changed later", {
    spec: { maxReplicas: 2 },
    then: async (stage) => {
      await stage.settle();
      const patch = mergePatch({ spec: { maxReplicas: 4, minReplicas: 4 } });
      await stage.client.patch(HorizontalPodAutoscaler, stage.key("web"), patch);
    },
  }),
];

/**
 * Reports whether the controller has evaluated an autoscaler, and its target has the desired size.
 */
function isSettled({ status }: V2HorizontalPodAutoscaler): boolean {
  const conditions = status?.conditions ?? [];
  const fails = conditions.some(({ type, status }) =>
    type !== "ScalingLimited" && status === "False"
  );
  return conditions.length > 0 &&
    (fails || (status?.currentReplicas ?? 0) === status?.desiredReplicas);
}

/** The kinds that autoscaler scenarios compare. */
export const AUTOSCALED_KINDS: readonly ComparedKind[] = [
  { type: HorizontalPodAutoscaler, isAtRest: isSettled, varying: ["lastScaleTime"] },
  { type: Deployment, isAtRest: isComplete },
];

/** The scenarios of the HorizontalPodAutoscaler controller. */
export const AUTOSCALING: ScenarioArea = {
  name: "autoscaling",
  kinds: AUTOSCALED_KINDS,
  scenarios: SCENARIOS,
};
