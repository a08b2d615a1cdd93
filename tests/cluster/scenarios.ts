import type {
  V1Deployment,
  V1Job,
  V1ReplicaSet,
  V1StatefulSet,
} from "../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  Deployment,
  Job,
  type KubeObject,
  Pod,
  ReplicaSet,
  ResourceQuota,
  type ResourceType,
  StatefulSet,
} from "../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../lib/client/mod.ts";
import { DAEMON_SETS } from "./scenarios/daemon_sets.ts";
import type { Scenario, Stage } from "./world.ts";

/** The annotation with the script of the pretended containers. */
const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** Returns a Deployment of three pods. */
export function deployment(spec: Partial<V1Deployment["spec"]> = {}): V1Deployment {
  const labels = { app: "web" };
  return {
    metadata: { name: "web", labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      ...spec,
    },
  };
}

function replicaSet(replicas: number): V1ReplicaSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas, selector, template } };
}

async function create<T extends KubeObject>(
  { client, namespace }: Stage,
  type: ResourceType<T>,
  object: T,
): Promise<T> {
  return await client.create(type, {
    ...object,
    metadata: { ...object.metadata, namespace },
  });
}

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
  ...steps: readonly ((stage: Stage) => Promise<void>)[]
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

function statefulSet(spec: Partial<V1StatefulSet["spec"]> = {}): V1StatefulSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas: 3, serviceName: "web", selector, template, ...spec } };
}

/** Returns a scenario that creates a StatefulSet, and takes steps with a rest before each. */
function stateful(
  name: string,
  spec: Partial<V1StatefulSet["spec"]>,
  ...patches: readonly unknown[]
): Scenario {
  return {
    name: `StatefulSet ${name}`,
    run: async (stage) => {
      await create(stage, StatefulSet, statefulSet(spec));
      for (const patch of patches) {
        await stage.settle();
        await stage.client.patch(StatefulSet, stage.key("web"), strategicPatch(patch as never));
      }
    },
  };
}

function image(text: string): unknown {
  return { spec: { template: { spec: { containers: [{ name: "app", image: text }] } } } };
}

const claimTemplate = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** Returns a scenario that creates a Job, whose pods end by a script. */
function job(
  name: string,
  spec: Partial<NonNullable<V1Job["spec"]>>,
  script: unknown = {},
  ...patches: readonly unknown[]
): Scenario {
  const annotations = { [SCRIPT]: JSON.stringify({ "*": { runMs: 0, ...script as object } }) };
  const containers = [{ name: "app", image: "app:1" }];
  const template = { metadata: { annotations }, spec: { containers, restartPolicy: "Never" } };
  return {
    name: `Job ${name}`,
    run: async (stage) => {
      await create(stage, Job, { metadata: { name: "work" }, spec: { template, ...spec } });
      for (const patch of patches) {
        await stage.settle();
        await stage.client.patch(Job, stage.key("work"), mergePatch(patch as never));
      }
    },
  };
}

const never = { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' };
const broken = (stage: Stage): Promise<void> => setImage(stage, "app:2", never);

/** The scenarios whose settled states are the same with kube-controller-manager's controllers. */
export const SCENARIOS: readonly Scenario[] = [
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
  rollout("deadline", { progressDeadlineSeconds: 3, minReadySeconds: 1 }, broken, async (stage) => {
    await stage.pass(6000);
  }),
  rollout("orphan the ReplicaSet", {}, async (stage) => {
    const options = { propagationPolicy: "Orphan" } as const;
    await stage.client.delete(Deployment, stage.key("web"), options);
    await stage.settle();
    await create(stage, Deployment, deployment());
  }),
  stateful("create", {}),
  stateful("scale", {}, { spec: { replicas: 5 } }, { spec: { replicas: 2 } }),
  stateful("new image", {}, image("app:2")),
  stateful("new image and back", { replicas: 2 }, image("app:2"), image("app:1")),
  stateful("in parallel", { podManagementPolicy: "Parallel" }, image("app:2")),
  stateful(
    "partition",
    { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
    image("app:2"),
  ),
  stateful("on delete", { updateStrategy: { type: "OnDelete" } }, image("app:2")),
  stateful("with claims", { replicas: 2, volumeClaimTemplates: [claimTemplate] }, {
    spec: { replicas: 3 },
  }),
  stateful("with claims of the StatefulSet", {
    replicas: 2,
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
  }),
  stateful("from another ordinal", { replicas: 2, ordinals: { start: 5 } }),
  job("create", {}),
  job("several", { completions: 5, parallelism: 2 }),
  job("indexed", { completions: 4, parallelism: 4, completionMode: "Indexed" }),
  job("failing", { backoffLimit: 0 }, { exitCode: 3 }),
  job("suspended", { suspend: true }),
  job("suspended and resumed", { suspend: true }, {}, { spec: { suspend: false } }),
  job("past its deadline", { activeDeadlineSeconds: 2 }, { runMs: 60_000 }),
  {
    name: "quota",
    run: async (stage) => {
      const quota = await create(stage, ResourceQuota, {
        metadata: { name: "few" },
        spec: { hard: { pods: "2" } },
      });
      const status = { hard: { pods: "2" }, used: { pods: "0" } };
      await stage.client.updateStatus(ResourceQuota, { ...quota, status });
      await create(stage, ReplicaSet, replicaSet(2));
    },
  },
  {
    name: "ReplicaSet alone",
    run: async (stage) => {
      await create(stage, ReplicaSet, replicaSet(4));
      await stage.settle();
      await stage.client.patch(
        ReplicaSet,
        stage.key("web"),
        mergePatch({ spec: { replicas: 1 } }),
      );
    },
  },
  {
    name: "adopt and release",
    run: async (stage) => {
      await create(stage, Pod, {
        metadata: { name: "lonely", labels: { app: "web" } },
        spec: { containers: [{ name: "app", image: "app:1" }] },
      });
      await stage.settle();
      await create(stage, ReplicaSet, replicaSet(2));
      await stage.settle();
      const labels = { app: "other" };
      await stage.client.patch(Pod, stage.key("lonely"), mergePatch({ metadata: { labels } }));
    },
  },
  ...DAEMON_SETS,
];
