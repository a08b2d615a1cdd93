import type { V1Deployment } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Deployment, Pod, ReplicaSet, ResourceQuota } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { create, deployment, SCRIPT, type Step } from "./parts.ts";
import { isComplete, isFilled } from "./at_rest.ts";

type Spec = NonNullable<V1Deployment["spec"]>;

/** A rollout limit: a number of pods, or a percentage. */
type Limit = number | string;

/** Requests a rollback by the annotation of `extensions/v1beta1`. */
function rollBack(revision: string): Step {
  return async (stage) => {
    const annotations = { "deprecated.deployment.rollback.to": revision };
    const patch = mergePatch({ metadata: { annotations } });
    await stage.client.patch(Deployment, stage.key("web"), patch);
  };
}

async function change(stage: Stage, spec: unknown): Promise<void> {
  await stage.client.patch(Deployment, stage.key("web"), mergePatch({ spec } as never));
}

async function setImage(stage: Stage, image: string, annotations = {}): Promise<void> {
  const template = { metadata: { annotations }, spec: { containers: [{ name: "app", image }] } };
  const patch = strategicPatch({ spec: { template } } as never);
  await stage.client.patch(Deployment, stage.key("web"), patch);
}

/**
 * Returns a scenario that creates a Deployment, and executes steps, waiting for a settled state
 * before each.
 */
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

/** Returns a rolling update strategy with the given limits. */
function rolling(maxSurge: Limit, maxUnavailable: Limit): Partial<Spec> {
  return { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } };
}

const recreate: Partial<Spec> = { strategy: { type: "Recreate" } };

/** The pairs of `maxSurge` and `maxUnavailable` that the scenarios try. */
const LIMITS: readonly (readonly [Limit, Limit])[] = [
  [1, 0],
  [0, 1],
  [2, 2],
  ["25%", "25%"],
  ["50%", 0],
  [0, "50%"],
  ["100%", 0],
  [0, "100%"],
  ["10%", "10%"],
  ["34%", "67%"],
];

/** Scenarios of rollouts that get stuck; their progress depends on the limits and on rounding. */
const STUCK: readonly Scenario[] = LIMITS.flatMap(([surge, unavailable]) =>
  [1, 4, 10].map((replicas) =>
    rollout(
      `stuck at ${replicas} with surge ${surge} and unavailable ${unavailable}`,
      { replicas, ...rolling(surge, unavailable) },
      broken,
    )
  )
);

/** Scenarios of rollouts that complete under given limits. */
const COMPLETE: readonly Scenario[] = LIMITS.map(([surge, unavailable]) =>
  rollout(
    `complete with surge ${surge} and unavailable ${unavailable}`,
    { replicas: 5, ...rolling(surge, unavailable) },
    (stage) => setImage(stage, "app:2"),
  )
);

/**
 * Scenarios that scale a Deployment during a stuck rollout, so that the change is spread over old
 * and new pods.
 */
const RESIZED: readonly Scenario[] = LIMITS.slice(0, 7).flatMap(([surge, unavailable]) =>
  [3, 13].map((replicas) =>
    rollout(
      `from 8 to ${replicas} while stuck with surge ${surge} and unavailable ${unavailable}`,
      { replicas: 8, ...rolling(surge, unavailable) },
      broken,
      (stage) => change(stage, { replicas }),
    )
  )
);

const ANOTHER: readonly Scenario[] = [
  rollout(
    "stuck, then another stuck one",
    { replicas: 5 },
    broken,
    (stage) => setImage(stage, "app:3", never),
  ),
  rollout(
    "stuck, then a good one",
    { replicas: 5 },
    broken,
    (stage) => setImage(stage, "app:3", { [SCRIPT]: null }),
  ),
  rollout(
    "stuck, then to zero",
    { replicas: 5 },
    broken,
    (stage) => change(stage, { replicas: 0 }),
  ),
  rollout(
    "stuck, then paused",
    { replicas: 5 },
    broken,
    (stage) => change(stage, { paused: true }),
  ),
  rollout(
    "stuck, paused, then larger",
    { replicas: 5 },
    broken,
    (stage) => change(stage, { paused: true, replicas: 8 }),
  ),
  rollout(
    "stuck, then other limits",
    { replicas: 4, ...rolling(1, 0) },
    broken,
    (stage) => change(stage, rolling(2, 2)),
  ),
  rollout(
    "stuck, then recreated",
    { replicas: 4 },
    broken,
    (stage) => change(stage, { strategy: { type: "Recreate", rollingUpdate: null } }),
  ),
  rollout("recreated while broken", recreate, broken),
  rollout(
    "recreated while broken, then a good one",
    recreate,
    broken,
    (stage) => setImage(stage, "app:3", { [SCRIPT]: null }),
  ),
  rollout(
    "recreated and back",
    recreate,
    (stage) => setImage(stage, "app:2"),
    (stage) => setImage(stage, "app:1"),
  ),
  rollout("recreated, larger", recreate, (stage) => change(stage, { replicas: 5 })),
  rollout(
    "recreated while paused",
    { ...recreate, paused: true },
    (stage) => setImage(stage, "app:2"),
  ),
  rollout(
    "recreated to zero",
    recreate,
    (stage) => change(stage, { replicas: 0 }),
    (stage) => setImage(stage, "app:2"),
  ),
  rollout("image and size at once", { replicas: 4 }, (stage) =>
    change(stage, {
      replicas: 6,
      template: { spec: { containers: [{ name: "app", image: "app:2" }] } },
    })),
  rollout(
    "paused, image and size",
    { paused: true },
    (stage) => setImage(stage, "app:2"),
    (stage) => change(stage, { replicas: 5 }),
    (stage) => change(stage, { paused: false }),
  ),
  rollout("to zero while paused", {}, (stage) => change(stage, { paused: true, replicas: 0 })),
  rollout(
    "another label of the template",
    {},
    (stage) => change(stage, { template: { metadata: { labels: { tier: "front" } } } }),
  ),
  rollout(
    "another annotation of the template",
    {},
    (stage) => change(stage, { template: { metadata: { annotations: { restarted: "once" } } } }),
  ),
  rollout(
    "another grace period",
    {},
    (stage) => change(stage, { template: { spec: { terminationGracePeriodSeconds: 5 } } }),
  ),
  rollout("a selector of two labels", {
    selector: {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "Exists" }],
    },
    template: {
      metadata: { labels: { app: "web", tier: "back" } },
      spec: { containers: [{ name: "app", image: "app:1" }] },
    },
  }),
  ...[0, 1, 2].map((revisionHistoryLimit) =>
    rollout(
      `history of ${revisionHistoryLimit}`,
      { revisionHistoryLimit },
      (stage) => setImage(stage, "app:2"),
      (stage) => setImage(stage, "app:3"),
      (stage) => setImage(stage, "app:4"),
    )
  ),
  rollout(
    "a smaller history",
    {},
    (stage) => setImage(stage, "app:2"),
    (stage) => setImage(stage, "app:3"),
    (stage) => change(stage, { revisionHistoryLimit: 0 }),
  ),
  rollout(
    "back to the second of three",
    {},
    (stage) => setImage(stage, "app:2"),
    (stage) => setImage(stage, "app:3"),
    (stage) => setImage(stage, "app:2"),
  ),
  rollout("roll back to the last", {}, (stage) => setImage(stage, "app:2"), rollBack("0")),
  rollout("roll back to the present", {}, (stage) => setImage(stage, "app:2"), rollBack("2")),
  rollout(
    "roll back while paused",
    {},
    (stage) => setImage(stage, "app:2"),
    (stage) => change(stage, { paused: true }),
    rollBack("1"),
  ),
  ...(["Background", "Foreground", "Orphan"] as const).map((propagationPolicy) =>
    rollout(`deleted: ${propagationPolicy}`, {}, async (stage) => {
      await stage.client.delete(Deployment, stage.key("web"), { propagationPolicy });
    })
  ),
  rollout(
    "pods deleted",
    {},
    ({ client, namespace }) =>
      client.deleteCollection(Pod, { namespace, labelSelector: "app=web" }),
  ),
  rollout(
    "pods deleted while stuck",
    { replicas: 4 },
    broken,
    ({ client, namespace }) =>
      client.deleteCollection(Pod, { namespace, labelSelector: "app=web" }),
  ),
  rollout(
    "the ReplicaSet deleted",
    {},
    ({ client, namespace }) =>
      client.deleteCollection(ReplicaSet, { namespace, labelSelector: "app=web" }),
  ),
  rollout("the ReplicaSet scaled by another hand", {}, async (stage) => {
    const { items } = await stage.client.list(ReplicaSet, { namespace: stage.namespace });
    const { name } = items[0]!.metadata;
    await stage.client.patch(ReplicaSet, stage.key(name!), mergePatch({ spec: { replicas: 7 } }));
  }),
  rollout(
    "the old ReplicaSet scaled by another hand",
    {},
    (stage) => setImage(stage, "app:2"),
    async (stage) => {
      const { items } = await stage.client.list(ReplicaSet, { namespace: stage.namespace });
      const old = items.find(({ spec }) => spec?.replicas === 0)!;
      const patch = mergePatch({ spec: { replicas: 2 } });
      await stage.client.patch(ReplicaSet, stage.key(old.metadata.name!), patch);
    },
  ),
  rollout("a pod leaves the selector", {}, async (stage) => {
    const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
    const patch = mergePatch({ metadata: { labels: { app: "other" } } });
    await stage.client.patch(Pod, stage.key(items[0]!.metadata.name!), patch);
  }),
  rollout("a pod loses the hash of its template", {}, async (stage) => {
    const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
    const patch = mergePatch({ metadata: { labels: { "pod-template-hash": null } } } as never);
    await stage.client.patch(Pod, stage.key(items[0]!.metadata.name!), patch);
  }),
  rollout(
    "the deadline of a paused one",
    { progressDeadlineSeconds: 2, minReadySeconds: 1 },
    (stage) => change(stage, { paused: true }),
    broken,
    (stage) => stage.pass(4000),
  ),
  rollout("no deadline", { progressDeadlineSeconds: 2_147_483_647 }, broken),
  {
    ...rollout(
      "past the deadline, then a good one",
      { progressDeadlineSeconds: 3, minReadySeconds: 1 },
      broken,
      (stage) => stage.pass(6000),
      (stage) => setImage(stage, "app:3", { [SCRIPT]: null }),
      (stage) => stage.pass(3000),
    ),
    restMs: 2000,
  },
  ...[1, 2].map((minReadySeconds) => ({
    ...rollout(
      `available after ${minReadySeconds} s, one by one`,
      { replicas: 2, minReadySeconds, ...rolling(1, 0) },
      (stage) => setImage(stage, "app:2"),
    ),
    restMs: 3000,
  })),
  {
    ...rollout("minReadySeconds set later", {}, (stage) => change(stage, { minReadySeconds: 1 })),
    restMs: 3000,
  },
];

/** A rolling update strategy under which one pod may be unavailable. */
const MISSING = rolling(0, 1);

/** Scenarios of rollouts that a pod quota keeps from completing. */
const QUOTAS: readonly Scenario[] = [
  ["too few pods for the Deployment", 2, 4, {}],
  ["no pod to spare for a surge", 3, 3, rolling(1, 0)],
  ["no pod to spare, but one may be missing", 3, 3, MISSING],
  ["no pods at all", 0, 2, {}],
].map(([name, pods, replicas, spec]) => ({
  name: `quota: ${name}`,
  // How often a pod is refused until the quota counts that another is gone is a matter of time.
  kinds: [{ type: Deployment }, { type: ReplicaSet, hasEvents: spec !== MISSING }],
  restMs: 2500,
  run: async (stage: Stage) => {
    await create(stage, ResourceQuota, {
      metadata: { name: "few" },
      spec: { hard: { pods: String(pods) } },
    });
    await stage.pass(1000);
    await create(stage, Deployment, deployment({ replicas: replicas as number, ...spec as Spec }));
    await stage.settle();
    await setImage(stage, "app:2");
  },
}));

const FIRST: readonly Scenario[] = [
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
];

/** The scenarios of the Deployment controller. */
export const DEPLOYMENT: ScenarioArea = {
  name: "deployment",
  kinds: [
    { type: Deployment, isAtRest: isComplete },
    { type: ReplicaSet, isAtRest: isFilled },
  ],
  scenarios: [...FIRST, ...STUCK, ...COMPLETE, ...RESIZED, ...ANOTHER, ...QUOTAS],
};
