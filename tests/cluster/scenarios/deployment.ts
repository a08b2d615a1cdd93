import type { V1Deployment } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Deployment, ReplicaSet } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { create, deployment, SCRIPT, type Step } from "./parts.ts";
import { isComplete, isFilled } from "./at_rest.ts";

async function change(stage: Stage, spec: unknown): Promise<void> {
  await stage.client.patch(Deployment, stage.key("web"), mergePatch({ spec } as never));
}

async function setImage(stage: Stage, image: string, annotations = {}): Promise<void> {
  const template = { metadata: { annotations }, spec: { containers: [{ name: "app", image }] } };
  const patch = strategicPatch({ spec: { template } } as never);
  await stage.client.patch(Deployment, stage.key("web"), patch);
}

/** Returns a scenario that creates a Deployment, and takes steps with a rest before each. */
function rollout(
  name: string,
  spec: Partial<V1Deployment["spec"]>,
  ...steps: readonly Step[]
): Scenario {
  return {
    name,
    run: async (stage) => {
      await create(stage, Deployment, deployment(spec));
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

const never = { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' };
const broken = (stage: Stage): Promise<void> => setImage(stage, "app:2", never);

/** The scenarios of the controller of Deployments. */
export const DEPLOYMENT: ScenarioArea = {
  name: "deployment",
  kinds: [
    { type: Deployment, isAtRest: isComplete },
    { type: ReplicaSet, isAtRest: isFilled },
  ],
  scenarios: [
    rollout("create", {}),
    rollout("create without replicas", { replicas: 0 }),
    rollout("scale up", {}, (stage) => change(stage, { replicas: 6 })),
    rollout("scale down", { replicas: 6 }, (stage) => change(stage, { replicas: 2 })),
    rollout(
      "scale to zero and back",
      {},
      (stage) => change(stage, { replicas: 0 }),
      (stage) => change(stage, { replicas: 2 }),
    ),
    rollout("new image", {}, (stage) => setImage(stage, "app:2")),
    rollout(
      "new image and back",
      {},
      (stage) => setImage(stage, "app:2"),
      (stage) => setImage(stage, "app:1"),
    ),
    rollout(
      "three images",
      { revisionHistoryLimit: 1 },
      (stage) => setImage(stage, "app:2"),
      (stage) => setImage(stage, "app:3"),
    ),
    rollout("no surge", {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    }, (stage) => setImage(stage, "app:2")),
    rollout("percentages", {
      replicas: 4,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "0%" } },
    }, (stage) => setImage(stage, "app:2")),
    rollout("recreate", { strategy: { type: "Recreate" } }, (stage) => setImage(stage, "app:2")),
    rollout("broken image", {}, broken),
    rollout(
      "broken image and back",
      {},
      broken,
      (stage) => setImage(stage, "app:1", { [SCRIPT]: null }),
    ),
    rollout(
      "scale in the middle",
      { replicas: 10 },
      broken,
      (stage) => change(stage, { replicas: 15 }),
    ),
    rollout(
      "shrink in the middle",
      { replicas: 10 },
      broken,
      (stage) => change(stage, { replicas: 5 }),
    ),
    rollout("paused at creation", { paused: true }),
    rollout(
      "pause, change, resume",
      {},
      (stage) => change(stage, { paused: true }),
      (stage) => setImage(stage, "app:2"),
      (stage) => change(stage, { paused: false }),
    ),
    rollout("pause and scale", {}, (stage) => change(stage, { paused: true, replicas: 5 })),
    rollout("roll back", { replicas: 2 }, (stage) => setImage(stage, "app:2"), async (stage) => {
      const annotations = { "deprecated.deployment.rollback.to": "1" };
      await stage.client.patch(
        Deployment,
        stage.key("web"),
        mergePatch({ metadata: { annotations } }),
      );
    }),
    rollout("roll back to nowhere", {}, async (stage) => {
      const annotations = { "deprecated.deployment.rollback.to": "7" };
      await stage.client.patch(
        Deployment,
        stage.key("web"),
        mergePatch({ metadata: { annotations } }),
      );
    }),
    rollout("annotations", {}, async (stage) => {
      const annotations = { note: "one", "kubernetes.io/change-cause": "why" };
      await stage.client.patch(
        Deployment,
        stage.key("web"),
        mergePatch({ metadata: { annotations } }),
      );
    }),
    {
      ...rollout("available later", { minReadySeconds: 2 }, (stage) => setImage(stage, "app:2")),
      restMs: 3000,
    },
    rollout(
      "deadline",
      { progressDeadlineSeconds: 3, minReadySeconds: 1 },
      broken,
      async (stage) => {
        await stage.pass(6000);
      },
    ),
    rollout("orphan the ReplicaSet", {}, async (stage) => {
      const options = { propagationPolicy: "Orphan" } as const;
      await stage.client.delete(Deployment, stage.key("web"), options);
      await stage.settle();
      await create(stage, Deployment, deployment());
    }),
  ],
};
