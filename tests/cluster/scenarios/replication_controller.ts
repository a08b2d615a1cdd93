/**
 * Scenarios of the controller of ReplicationControllers.
 *
 * @module
 */
import type { V1ReplicationController } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Pod, ReplicationController } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { create, podTemplate, SCRIPT, type Step, untilPods } from "./parts.ts";

type Spec = NonNullable<V1ReplicationController["spec"]>;

/**
 * Returns a scenario that creates a ReplicationController, and executes steps, waiting for a
 * settled state before each.
 */
function replication(name: string, spec: Partial<Spec>, ...steps: readonly Step[]): Scenario {
  return {
    name: `ReplicationController ${name}`,
    run: async (stage) => {
      await create(stage, ReplicationController, {
        metadata: { name: "web" },
        spec: { replicas: 3, selector: { app: "web" }, template: podTemplate(), ...spec },
      });
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

const change = (spec: unknown): Step => async (stage) => {
  const patch = mergePatch({ spec } as never);
  await stage.client.patch(ReplicationController, stage.key("web"), patch);
};

/** Creates a pod that the ReplicationController selects. */
const lonely: Step = async (stage) => {
  const { metadata, spec } = podTemplate();
  await create(stage, Pod, { metadata: { ...metadata, name: "lonely" }, spec: spec! });
};

const leave: Step = async (stage) => {
  const [pod] = (await stage.client.list(Pod, { namespace: stage.namespace })).items;
  const labels = { app: "other" };
  await stage.client.patch(
    Pod,
    stage.key(pod!.metadata.name!),
    mergePatch({ metadata: { labels } }),
  );
};

const deletePods: Step = async ({ client, namespace }) => {
  await client.deleteCollection(Pod, { namespace, labelSelector: "app=web" });
};

const orphan: Step = async (stage) => {
  const options = { propagationPolicy: "Orphan" } as const;
  await stage.client.delete(ReplicationController, stage.key("web"), options);
};

const never = {
  template: {
    ...podTemplate(),
    metadata: {
      labels: { app: "web" },
      annotations: { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' },
    },
  },
};

const SCENARIOS: readonly Scenario[] = [
  replication("create", {}),
  replication("create without replicas", { replicas: 0 }),
  replication("scale", {}, change({ replicas: 5 }), change({ replicas: 1 })),
  replication("another template", {}, change({ template: { metadata: { labels: { b: "c" } } } })),
  replication("of pods that are not ready", never),
  { ...replication("available later", { minReadySeconds: 2 }), restMs: 3000 },
  replication("without a selector", { selector: undefined as never }),
  replication("of one pod that is deleted", { replicas: 1 }, deletePods),
  replication("deleted pods", {}, deletePods),
  replication("scale to zero and back", {}, change({ replicas: 0 }), change({ replicas: 2 })),
  replication(
    "scale down pods that are not ready",
    { ...never, replicas: 4 },
    change({ replicas: 2 }),
  ),
  replication("deleted", {}, async (stage) => {
    // By default the pods of a ReplicationController stay.
    const options = { propagationPolicy: "Background" } as const;
    await stage.client.delete(ReplicationController, stage.key("web"), options);
    await untilPods(stage, 0);
  }),
  replication("adopt", { replicas: 1 }, lonely),
  replication("release", {}, leave),
  replication("orphan the pods", {}, orphan),
];

/** Reports whether a ReplicationController has its pods. */
function isFilled({ metadata, spec, status }: V1ReplicationController): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.replicas ?? 0) === spec?.replicas;
}

/** The scenarios of the ReplicationController controller. */
export const REPLICATION_CONTROLLER: ScenarioArea = {
  name: "replication_controller",
  kinds: [{ type: ReplicationController, isAtRest: isFilled }],
  scenarios: SCENARIOS,
};
