/**
 * Scenarios of node health and of the eviction of pods. Each scenario has its own node in its own
 * zone, and reports the node's status in place of a kubelet. `node_zones.ts` has those of several
 * nodes.
 *
 * @module
 */
import type {
  V1Node,
  V1Pod,
  V1Taint,
  V1Toleration,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { nodeOf, nowOf, REACTION_MS, registerNode, reportNode } from "./node_reports.ts";
import { ZONES } from "./node_zones.ts";
import { create, type Step } from "./parts.ts";

/**
 * The time after the last status report within which a silent node has all taints, in milliseconds.
 */
const SILENCE_MS = 66_000;

const NOT_READY = "node.kubernetes.io/not-ready";
const report = (changed?: Readonly<Record<string, string>>): Step => (stage) =>
  reportNode(stage, nodeOf(stage), changed);

const register: Step = (stage) => registerNode(stage, nodeOf(stage));

const silence: Step = (stage) => stage.pass(SILENCE_MS);

const patchNode = (body: unknown): Step => async (stage) => {
  await stage.client.patch(Node, nodeOf(stage), mergePatch(body as never));
  await stage.pass(REACTION_MS);
};

const taint = (...taints: readonly V1Taint[]): Step =>
  patchNode({ spec: { taints: taints.length > 0 ? taints : null } });

const evicting: V1Taint = { key: "example.com/maintenance", effect: "NoExecute" };

/** Creates a pod on the stage's node, and reports it as running. */
function pod(tolerations: readonly V1Toleration[] = [], phase = "Running"): Step {
  return async (stage) => {
    const containers = [{ name: "app", image: "app:1" }];
    const made = await create(stage, Pod, {
      metadata: { name: "web" },
      spec: {
        nodeName: nodeOf(stage),
        terminationGracePeriodSeconds: 0,
        containers,
        tolerations: [...tolerations],
      },
    });
    const now = await nowOf(stage);
    const isReady = phase === "Running" ? "True" : "False";
    const conditions = [{ type: "Ready", status: isReady, lastTransitionTime: now }];
    const containerStatuses = [{
      name: "app",
      image: "app:1",
      imageID: "",
      ready: phase === "Running",
      restartCount: 0,
    }];
    const status = { phase, conditions, containerStatuses } as V1Pod["status"];
    await stage.client.updateStatus(Pod, { ...made, status } as V1Pod).catch((error) => {
      // The pod may be evicted already.
      if (!/not found|modified/.test(String(error))) throw error;
    });
  };
}

const tolerating = (key: string, tolerationSeconds?: number): V1Toleration[] => [{
  key,
  operator: "Exists",
  effect: "NoExecute",
  ...tolerationSeconds !== undefined && { tolerationSeconds },
}];

const deletePod: Step = (stage) => stage.client.delete(Pod, stage.key("web"));

const deleteNode: Step = async (stage) => {
  await stage.client.delete(Node, nodeOf(stage));
  await stage.pass(REACTION_MS);
};

/** Returns a scenario of a node without a status report. */
function unreported(name: string, ...steps: readonly Step[]): Scenario {
  return {
    name: `Node ${name}`,
    restMs: 1500,
    run: async (stage) => {
      await register(stage);
      await stage.pass(REACTION_MS);
      for (const step of steps) await step(stage);
    },
    after: async (stage) => {
      await stage.client.deleteCollection(Pod, { namespace: stage.namespace });
      await stage.client.delete(Node, nodeOf(stage)).catch(() => {});
    },
  };
}

/** Returns a scenario of a ready node. */
function node(name: string, ...steps: readonly Step[]): Scenario {
  return unreported(name, report(), ...steps);
}

const SCENARIOS: readonly Scenario[] = [
  node("ready"),
  node("not ready", report({ Ready: "False" })),
  node("not ready and ready again", report({ Ready: "False" }), report()),
  node("that does not know whether it is ready", report({ Ready: "Unknown" })),
  node("with memory pressure", report({ MemoryPressure: "True" })),
  node(
    "with pressure of disks and processes",
    report({ DiskPressure: "True", PIDPressure: "True" }),
  ),
  node("with pressure that ends", report({ DiskPressure: "True" }), report()),
  node("without a network", report({ NetworkUnavailable: "True" })),
  node("cordoned", patchNode({ spec: { unschedulable: true } })),
  node(
    "cordoned and uncordoned",
    patchNode({ spec: { unschedulable: true } }),
    patchNode({ spec: { unschedulable: null } }),
  ),
  node(
    "with another beta label",
    patchNode({ metadata: { labels: { "beta.kubernetes.io/os": "x" } } }),
  ),
  node("deleted", deleteNode),
  node("deleted with its pod", pod(), deleteNode),
  unreported("that never reports", silence),
  unreported("that never reports with a pod", pod(), silence),
  node("silent", silence),
  node("silent with a pod", pod(), silence),
  node(
    "silent with a pod that is not tolerant",
    pod(tolerating("node.kubernetes.io/unreachable", 2)),
    silence,
  ),
  node("silent and back", pod(), silence, report()),
  node("silent after it was not ready", report({ Ready: "False" }), silence),
  node("silent and not ready again", silence, report({ Ready: "False" })),
  node("not ready with a pod", pod(), report({ Ready: "False" })),
  node(
    "not ready with a pod that tolerates nothing",
    pod(tolerating(NOT_READY, 0)),
    report({ Ready: "False" }),
  ),
  node(
    "not ready with a pod that tolerates a second",
    pod(tolerating(NOT_READY, 1)),
    report({ Ready: "False" }),
  ),
  node(
    "not ready with a pod that tolerates all",
    pod(tolerating(NOT_READY)),
    report({ Ready: "False" }),
  ),
  node("not ready and ready again with a pod", pod(), report({ Ready: "False" }), report()),
  node("not ready that gets a pod", report({ Ready: "False" }), pod()),
  node("tainted with a pod", pod(), taint(evicting)),
  node("tainted with a pod that has ended", pod([], "Succeeded"), taint(evicting)),
  node("tainted that gets a pod", taint(evicting), pod(), (stage) => stage.pass(1000)),
  node("tainted with a tolerant pod", pod(tolerating(evicting.key)), taint(evicting)),
  node(
    "tainted with a pod that tolerates a second",
    pod(tolerating(evicting.key, 1)),
    taint(evicting),
  ),
  node(
    "tainted with a pod that tolerates long",
    pod(tolerating(evicting.key, 600)),
    taint(evicting),
  ),
  node(
    "tainted and not any more",
    pod(tolerating(evicting.key, 600)),
    taint(evicting),
    taint(),
  ),
  node(
    "tainted whose pod is deleted",
    pod(tolerating(evicting.key, 600)),
    taint(evicting),
    deletePod,
  ),
  node(
    "tainted twice",
    pod(tolerating(evicting.key, 600)),
    taint(evicting),
    taint(evicting, { key: "example.com/other", effect: "NoExecute" }),
  ),
  node(
    "tainted against scheduling",
    pod(),
    taint({ key: "example.com/full", effect: "NoSchedule" }),
  ),
];

function nodeFacts({ metadata, spec, status }: V1Node): unknown {
  const { "topology.kubernetes.io/zone": _, ...labels } = metadata.labels ?? {};
  const taints = (spec?.taints ?? []).map(({ timeAdded, ...each }) => ({
    ...each,
    ...timeAdded !== undefined && { timeAdded: "time" },
  })).sort((a, b) => `${a.key}${a.effect}` < `${b.key}${b.effect}` ? -1 : 1);
  const { conditions } = status ?? {};
  return { labels, taints, unschedulable: spec?.unschedulable, status: { conditions } };
}

function podFacts({ metadata, status }: V1Pod): unknown {
  const { phase, conditions } = status ?? {};
  return { metadata: { name: metadata.name }, status: { phase, conditions } };
}

/** The scenarios of the node lifecycle and taint eviction controllers. */
export const NODES: ScenarioArea = {
  name: "nodes",
  kinds: [
    {
      type: Node,
      belongsTo: ({ metadata }: V1Node, namespace: string) =>
        metadata.name?.split(".")[0] === namespace,
      hasClusterEvents: true,
      facts: nodeFacts,
      varying: ["lastHeartbeatTime"],
    },
    { type: Pod, facts: podFacts },
  ],
  scenarios: [...SCENARIOS, ...ZONES],
  controllers: ["node-lifecycle-controller", "taint-eviction-controller"],
};
