/**
 * Scenarios of the controller of PodDisruptionBudgets.
 *
 * @module
 */
import type {
  V1PodDisruptionBudget,
  V1PodTemplateSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  DaemonSet,
  Deployment,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from "../../../lib/apimachinery/meta/mod.ts";
import { evictPod, mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isComplete, isEverywhere, isFilled, isUpdated } from "./at_rest.ts";
import { SCRIPT } from "./parts.ts";

type Spec = Partial<V1PodDisruptionBudget["spec"]>;

/** A step of a scenario. */
type Step = (stage: Stage) => Promise<unknown>;

const labels = { app: "web" };
const selector = { matchLabels: labels };

function template(annotations?: Record<string, string>): V1PodTemplateSpec {
  return {
    metadata: { labels, ...(annotations && { annotations }) },
    spec: { containers: [{ name: "app", image: "app:1" }] },
  };
}

/**
 * Returns a scenario that creates a PodDisruptionBudget, and executes steps, waiting for a settled
 * state before each.
 */
function budget(name: string, spec: Spec, ...steps: readonly Step[]): Scenario {
  return {
    name: `PodDisruptionBudget ${name}`,
    run: async (stage) => {
      const { client, namespace } = stage;
      const metadata = { name: "web", namespace };
      await client.create(PodDisruptionBudget, { metadata, spec: { selector, ...spec } });
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

const deploy = (replicas: number, annotations?: Record<string, string>): Step => (stage) =>
  stage.client.create(Deployment, {
    metadata: { name: "web", namespace: stage.namespace },
    spec: { replicas, selector, template: template(annotations) },
  });

const replicaSet: Step = ({ client, namespace }) =>
  client.create(ReplicaSet, {
    metadata: { name: "web", namespace },
    spec: { replicas: 3, selector, template: template() },
  });

const statefulSet: Step = ({ client, namespace }) =>
  client.create(StatefulSet, {
    metadata: { name: "web", namespace },
    spec: { replicas: 3, serviceName: "web", selector, template: template() },
  });

const replication: Step = ({ client, namespace }) =>
  client.create(ReplicationController, {
    metadata: { name: "web", namespace },
    spec: { replicas: 3, selector: labels, template: template() },
  });

const daemonSet: Step = ({ client, namespace }) =>
  client.create(DaemonSet, {
    metadata: { name: "web", namespace },
    spec: { selector, template: template() },
  });

const scale = (replicas: number): Step => (stage) =>
  stage.client.patch(Deployment, stage.key("web"), mergePatch({ spec: { replicas } }));

const bare = (...names: readonly string[]): Step => async ({ client, namespace }) => {
  for (const name of names) {
    await client.create(Pod, { metadata: { name, namespace, labels }, spec: template().spec! });
  }
};

/** Evicts as many pods as the PodDisruptionBudget allows. */
const evictAll: Step = async ({ client, namespace }) => {
  for (const { metadata } of (await client.list(Pod, { namespace })).items) {
    await evictPod(client, `${namespace}/${metadata.name}`).catch(() => {});
  }
};

/** Evicts one pod. */
const evictOne: Step = async ({ client, namespace }) => {
  const [pod] = (await client.list(Pod, { namespace })).items;
  await evictPod(client, `${namespace}/${pod!.metadata.name}`);
};

const change = (spec: unknown): Step => (stage) =>
  stage.client.patch(PodDisruptionBudget, stage.key("web"), mergePatch({ spec } as never));

const never = { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' };

const SCENARIOS: readonly Scenario[] = [
  budget("without pods", { minAvailable: 1 }),
  budget("of a Deployment", { maxUnavailable: 1 }, deploy(3)),
  budget("of a Deployment, minimum", { minAvailable: 2 }, deploy(3)),
  budget("of a Deployment, percent", { minAvailable: "50%" }, deploy(5), scale(2)),
  budget("of a Deployment, percent unavailable", { maxUnavailable: "30%" }, deploy(5), scale(8)),
  budget("nothing may go", { maxUnavailable: 0 }, deploy(2), evictAll),
  budget("more than there are", { minAvailable: 5 }, deploy(3)),
  budget("of a ReplicaSet", { maxUnavailable: 1 }, replicaSet),
  budget("of a StatefulSet", { maxUnavailable: "34%" }, statefulSet),
  budget("of a DaemonSet", { maxUnavailable: 1 }, daemonSet),
  budget("of a DaemonSet, minimum", { minAvailable: 1 }, daemonSet),
  budget("of a Deployment and a DaemonSet", { maxUnavailable: 1 }, deploy(2), daemonSet),
  budget("of bare pods", { minAvailable: 1 }, bare("one", "two")),
  budget("of bare pods, percent", { minAvailable: "50%" }, bare("one", "two")),
  budget("of bare pods and a Deployment", { maxUnavailable: 1 }, bare("one"), deploy(2)),
  budget("of pods that are not ready", { maxUnavailable: 1 }, deploy(2, never)),
  budget(
    "unhealthy pods may go",
    { maxUnavailable: 0, unhealthyPodEvictionPolicy: "AlwaysAllow" },
    deploy(2, never),
    evictAll,
  ),
  budget("unhealthy pods may not go", { maxUnavailable: 0 }, deploy(2, never), evictAll),
  budget("an eviction", { maxUnavailable: 1 }, deploy(3), evictOne),
  budget("changed", { maxUnavailable: 1 }, deploy(3), change({ maxUnavailable: 2 })),
  budget(
    "changed to a minimum",
    { maxUnavailable: 1 },
    deploy(3),
    change({ maxUnavailable: null, minAvailable: "100%" }),
  ),
  budget("of everything", { selector: {}, maxUnavailable: 1 }, deploy(3)),
  budget("zero must stay", { minAvailable: 0 }, deploy(2)),
  budget("none must stay", { minAvailable: "0%" }, deploy(2)),
  budget("all may go", { maxUnavailable: "100%" }, deploy(3)),
  budget("all must stay", { minAvailable: "100%" }, deploy(3), evictAll),
  budget("of a Deployment scaled to zero", { maxUnavailable: 1 }, deploy(2), scale(0)),
  budget("of a Deployment scaled to zero, percent", { minAvailable: "50%" }, deploy(2), scale(0)),
  budget("of a ReplicationController", { maxUnavailable: "50%" }, replication),
  budget("of several workloads", { maxUnavailable: "25%" }, deploy(3), replication),
  budget("of a StatefulSet, percent", { minAvailable: "34%" }, statefulSet),
  budget("by expressions", {
    selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web", "x"] }] },
    minAvailable: 1,
  }, deploy(2)),
  budget("of bare pods by expressions", {
    selector: { matchExpressions: [{ key: "app", operator: "Exists" }] },
    maxUnavailable: 1,
  }, bare("one")),
  budget(
    "another selector",
    { maxUnavailable: 1 },
    deploy(2),
    change({
      selector: { matchLabels: { app: "other" } },
    }),
  ),
  budget("an unhealthy pod of several", { minAvailable: 1 }, bare("one", "two"), async (stage) => {
    const conditions = [{ type: "Ready", status: "False" }];
    const patch = { type: "strategic", body: { status: { conditions } } } as never;
    await stage.client.patchStatus(Pod, stage.key("two"), patch);
  }),
  budget("deleted pods", { maxUnavailable: 1 }, deploy(3), async ({ client, namespace }) => {
    await client.deleteCollection(Pod, { namespace, labelSelector: "app=web" });
  }),
  budget("of nothing", { selector: { matchLabels: { app: "x" } }, maxUnavailable: 1 }, deploy(1)),
];

/** Reports whether the controller has observed the spec of a PodDisruptionBudget. */
function isCounted({ metadata, status }: V1PodDisruptionBudget): boolean {
  const isFailed = status?.conditions?.some(({ reason }) => reason === "SyncFailed") ?? false;
  return isFailed || (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** The scenarios of the PodDisruptionBudget controller. */
export const DISRUPTION: ScenarioArea = {
  name: "disruption",
  kinds: [
    { type: PodDisruptionBudget, isAtRest: isCounted },
    { type: DaemonSet, isAtRest: isEverywhere },
    { type: Deployment, isAtRest: isComplete },
    { type: ReplicaSet, isAtRest: isFilled },
    { type: ReplicationController },
    { type: StatefulSet, isAtRest: isUpdated },
  ],
  scenarios: SCENARIOS,
};
