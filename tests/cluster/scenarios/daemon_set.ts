/** Scenarios of DaemonSets. @module */
import type {
  V1ControllerRevision,
  V1DaemonSet,
  V1NodeAffinity,
  V1PodSpec,
  V1PodTemplateSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ControllerRevision, DaemonSet, Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../../lib/client/mod.ts";
import { pretendNode } from "../../../lib/cluster/kubelet/pretend_node.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isEverywhere } from "./at_rest.ts";
import { SCRIPT, untilPods, untilReady } from "./parts.ts";

type Spec = NonNullable<V1DaemonSet["spec"]>;

const labels = { app: "web" };

/** A step of a scenario. */
type Step = (stage: Stage) => Promise<unknown>;

/**
 * Returns a scenario that creates a DaemonSet, and executes steps, waiting for a settled state
 * before each.
 */
function daemons(
  name: string,
  spec: Partial<Spec>,
  ...steps: readonly Step[]
): Scenario {
  return {
    name: `DaemonSet ${name}`,
    run: async (stage) => {
      const { namespace } = stage;
      const containers = [{ name: "app", image: "app:1" }];
      await stage.client.create(DaemonSet, {
        metadata: { name: "web", namespace, labels },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
          ...spec,
        },
      });
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

function change(body: unknown): Step {
  return (stage) => stage.client.patch(DaemonSet, stage.key("web"), strategicPatch(body as never));
}

function image(name: string, annotations: Record<string, string | null> = {}): Step {
  const containers = [{ name: "app", image: name }];
  return change({ spec: { template: { metadata: { annotations }, spec: { containers } } } });
}

const never = { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' };

/** Deletes the pods of the DaemonSet. */
const deletePods: Step = ({ client, namespace }) =>
  client.deleteCollection(Pod, { namespace, labelSelector: "app=web" });

/**
 * Creates nodes that only pods of the namespace tolerate, so that other scenarios do not use them,
 * and waits for their pods.
 */
const ownNodes = (...numbers: readonly number[]): Step => async (stage) => {
  const { client, namespace } = stage;
  for (const number of numbers) {
    const node = pretendNode(number);
    node.metadata.labels = { ...node.metadata.labels, own: namespace };
    node.spec = { ...node.spec, taints: [{ key: "own", value: namespace, effect: "NoSchedule" }] };
    await client.create(Node, node);
  }
  await untilReady(stage, numbers.length);
};

/** Returns a pod template that runs on the nodes of {@linkcode ownNodes} only. */
function onOwnNodes(name: string): Partial<Spec> {
  const namespace = namespaceOf(name);
  return {
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: "app", image: "app:1" }],
        nodeSelector: { own: namespace },
        tolerations: [{ key: "own", operator: "Equal", value: namespace, effect: "NoSchedule" }],
      },
    },
  };
}

/** Returns the namespace of a DaemonSet scenario. */
function namespaceOf(name: string): string {
  return `DaemonSet ${name}`.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
}

function rolling(rollingUpdate: Record<string, number | string>): Partial<Spec> {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate } };
}

const shell: Partial<Spec> = {
  template: {
    metadata: { labels },
    spec: {
      containers: [{
        name: "app",
        image: "app:1",
        command: ["sh", "-c", "a <b >c 2>&1 && d \u2028"],
      }],
    },
  },
};

const onDelete: Partial<Spec> = { updateStrategy: { type: "OnDelete" } };

/** Returns a pod template with additional pod fields. */
function withPods(spec: Partial<V1PodSpec>): Partial<Spec> {
  const containers = [{ name: "app", image: "app:1" }];
  return { template: { metadata: { labels }, spec: { containers, ...spec } } };
}

/** Returns a node affinity that requires certain nodes and prefers one of them. */
function onNodes(...values: string[]): V1NodeAffinity {
  const matchExpressions = [{ key: "kubernetes.io/hostname", operator: "In", values }];
  return {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, preference: { matchExpressions } },
    ],
  };
}

/**
 * Returns a scenario in which a DaemonSet is deleted without its pods, which a new DaemonSet
 * adopts.
 */
function orphaned(name: string, spec: Partial<Spec>): Scenario {
  return daemons(name, spec, async (stage) => {
    await stage.client.delete(DaemonSet, stage.key("web"), { propagationPolicy: "Orphan" });
    await stage.settle();
    // The caches of the controllers may show the next DaemonSet before they show the free pods.
    await stage.pass(2000);
    await daemons("", spec).run(stage);
  });
}

/** Returns the owner, the number and the image of a ControllerRevision. */
function revisionFacts({ metadata, revision, data }: V1ControllerRevision): string {
  const { template } = (data as { spec: { template: V1PodTemplateSpec } }).spec;
  const images = template.spec?.containers.map(({ image }) => image);
  return `${metadata.ownerReferences?.[0]?.kind} ${revision}: ${images}`;
}

const SCENARIOS: readonly Scenario[] = [
  daemons("create", {}),
  daemons("new image", {}, image("app:2")),
  daemons("new image and back", {}, image("app:2"), image("app:1")),
  daemons("several at once", rolling({ maxUnavailable: 2 }), image("app:2")),
  daemons("half at once", rolling({ maxUnavailable: "50%" }), image("app:2")),
  daemons("surge", rolling({ maxSurge: 1, maxUnavailable: 0 }), image("app:2")),
  daemons("surge in percent", rolling({ maxSurge: "60%", maxUnavailable: 0 }), image("app:2")),
  daemons("broken image", {}, image("app:2", never)),
  daemons(
    "broken image with surge",
    rolling({ maxSurge: 1, maxUnavailable: 0 }),
    image("app:2", never),
  ),
  daemons("broken image and back", {}, image("app:2", never), image("app:1", { [SCRIPT]: null })),
  daemons("on delete", onDelete, image("app:2")),
  daemons("on delete, and deleted", onDelete, image("app:2"), deletePods),
  daemons("deleted pods", {}, deletePods),
  daemons(
    "few revisions",
    { revisionHistoryLimit: 1 },
    image("app:2"),
    image("app:3"),
    image("app:4"),
  ),
  daemons(
    "no revisions while old pods run",
    { ...onDelete, revisionHistoryLimit: 0 },
    image("app:2"),
    image("app:3"),
  ),
  daemons("another update strategy", onDelete, image("app:2"), change({ spec: rolling({}) })),
  {
    ...daemons("available later", { minReadySeconds: 2 }, image("app:2")),
    restMs: 3000,
  },
  daemons("nodes of a label", onOwnNodes("nodes of a label"), ownNodes(11, 12)),
  daemons(
    "a node that leaves the selector",
    onOwnNodes("a node that leaves the selector"),
    ownNodes(13, 14),
    ({ client }) =>
      client.patch(Node, "node-13", mergePatch({ metadata: { labels: { own: "nobody" } } })),
  ),
  daemons(
    "a node that is gone",
    onOwnNodes("a node that is gone"),
    ownNodes(19, 20),
    async (stage) => {
      await stage.client.delete(Node, "node-19");
      await untilPods(stage, 1);
    },
  ),
  {
    name: "DaemonSet adopt",
    run: async (stage) => {
      const { client, namespace } = stage;
      await client.create(Pod, {
        metadata: { name: "lonely", namespace, labels },
        spec: { nodeName: "node-1", containers: [{ name: "app", image: "app:1" }] },
      });
      await stage.settle();
      await daemons("", onDelete).run(stage);
      await stage.settle();
      const away = { app: "other" };
      await client.patch(Pod, stage.key("lonely"), mergePatch({ metadata: { labels: away } }));
    },
  },
  daemons("failed pods", {}, async ({ client, namespace }) => {
    for (const { metadata } of (await client.list(Pod, { namespace })).items) {
      const body = { status: { phase: "Failed" } };
      await client.patchStatus(Pod, `${namespace}/${metadata.name}`, mergePatch(body));
    }
  }),
  daemons("on the host's network", withPods({ hostNetwork: true })),
  daemons(
    "with tolerations",
    withPods({
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
        {
          key: "node.kubernetes.io/unreachable",
          operator: "Exists",
          tolerationSeconds: 30,
          effect: "NoExecute",
        },
        { key: "other", operator: "Exists" },
      ],
    }),
  ),
  daemons("of one node", withPods({ nodeName: "node-2" })),
  daemons(
    "with node affinity",
    withPods({ affinity: { nodeAffinity: onNodes("node-1", "node-3") } }),
  ),
  daemons(
    "with another node affinity",
    withPods({ affinity: { nodeAffinity: onNodes("node-1", "node-3") } }),
    change({ spec: { template: { spec: { affinity: { nodeAffinity: onNodes("node-2") } } } } }),
  ),
  daemons(
    "with pod anti-affinity",
    withPods({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{
            labelSelector: { matchLabels: labels },
            topologyKey: "kubernetes.io/hostname",
          }],
        },
      },
    }),
  ),
  daemons("with expressions", {
    selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] },
  }, image("app:2")),
  daemons(
    "another label",
    {},
    change({ spec: { template: { metadata: { labels: { b: "c" } } } } }),
  ),
  daemons("an annotation", {}, async (stage) => {
    const annotations = { "kubernetes.io/change-cause": "why" };
    await stage.client.patch(
      DaemonSet,
      stage.key("web"),
      mergePatch({ metadata: { annotations } }),
    );
    await image("app:2")(stage);
  }),
  daemons("all at once", rolling({ maxUnavailable: "100%" }), image("app:2")),
  daemons("surge of all", rolling({ maxSurge: "100%", maxUnavailable: 0 }), image("app:2")),
  daemons("succeeded pods", {}, async ({ client, namespace }) => {
    for (const { metadata } of (await client.list(Pod, { namespace })).items) {
      const body = { status: { phase: "Succeeded" } };
      await client.patchStatus(Pod, `${namespace}/${metadata.name}`, mergePatch(body));
    }
  }),
  daemons("deleted", {}, async (stage) => {
    await stage.client.delete(DaemonSet, stage.key("web"));
    await untilPods(stage, 0);
  }),
  daemons("deleted in the foreground", {}, async (stage) => {
    const options = { propagationPolicy: "Foreground" } as const;
    await stage.client.delete(DaemonSet, stage.key("web"), options);
    await untilPods(stage, 0);
  }),
  daemons("deleted and created again", {}, async (stage) => {
    await stage.client.delete(DaemonSet, stage.key("web"));
    await untilPods(stage, 0);
    await daemons("", {}).run(stage);
  }),
  daemons("a pod too many", {}, async ({ client, namespace }) => {
    await client.create(Pod, {
      metadata: { name: "young", namespace, labels },
      spec: { nodeName: "node-1", containers: [{ name: "app", image: "app:1" }] },
    });
  }),
  daemons(
    "another node selector",
    onOwnNodes("another node selector"),
    ownNodes(21, 22),
    async (stage) => {
      const patch = mergePatch({ metadata: { labels: { own: "other" } } });
      await stage.client.patch(Node, "node-22", patch);
      await untilReady(stage, 1);
      await change({ spec: { template: { spec: { nodeSelector: { own: "other" } } } } })(stage);
      await stage.pass(2000);
    },
  ),
  orphaned("orphan the pods", {}),
  // Characters that Go's JSON escapes: the data of a revision must not change by a patch.
  orphaned("orphan the pods with a shell command", shell),
  daemons("a shell command and back", shell, image("app:2"), image("app:1")),
];

/** The scenarios of the DaemonSet controller. */
export const DAEMON_SET: ScenarioArea = {
  name: "daemon_set",
  kinds: [
    { type: DaemonSet, isAtRest: isEverywhere },
    { type: ControllerRevision, facts: revisionFacts },
  ],
  scenarios: SCENARIOS,
};
