/**
 * Scenarios of the pod garbage collector. Nodes are cluster-scoped, so each scenario has its own.
 *
 * @module
 */
import type { V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import { pretendNode } from "../../../lib/cluster/kubelet/pretend_node.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { untilPods, untilReady } from "./parts.ts";

/** A finalizer that no controller removes. */
const HOLD = "example.com/hold";

/** Creates a node on which the scheduler places no pods, and waits for its kubelet. */
async function ownNode({ client, namespace, pass }: Stage, number: number): Promise<string> {
  const node = pretendNode(number);
  node.spec = { ...node.spec, taints: [{ key: "own", value: namespace, effect: "NoSchedule" }] };
  const name = (await client.create(Node, node)).metadata.name!;
  for (let second = 0; second < 120; second++) {
    const { status } = await client.get(Node, name);
    if (status?.conditions?.some(({ type }) => type === "Ready")) break;
    await pass(1000);
  }
  return name;
}

async function pod(
  { client, namespace }: Stage,
  spec: Partial<V1Pod["spec"]>,
  finalizers: readonly string[] = [],
): Promise<void> {
  await client.create(Pod, {
    metadata: { name: "web", namespace, finalizers: [...finalizers] },
    spec: { containers: [{ name: "app", image: "app:1" }], ...spec },
  });
}

/** Waits until the pod of a stage has failed and is being deleted. @throws {Error} When it has not after two minutes. */
async function untilFailed(stage: Stage): Promise<void> {
  for (let second = 0; second < 120; second++) {
    const { metadata, status } = await stage.client.get(Pod, stage.key("web"));
    if (status?.phase === "Failed" && metadata.deletionTimestamp !== undefined) return;
    await stage.pass(1000);
  }
  throw new Error(`The pod of namespace ${stage.namespace} does not fail`);
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "pod GC of a node that is gone",
    run: async (stage) => {
      await pod(stage, { nodeName: await ownNode(stage, 31) });
      await untilReady(stage, 1);
      await stage.client.delete(Node, "node-31");
      await untilPods(stage, 0);
    },
  },
  {
    name: "pod GC of a held pod of a node that is gone",
    run: async (stage) => {
      await pod(stage, { nodeName: await ownNode(stage, 32) }, [HOLD]);
      await untilReady(stage, 1);
      await stage.client.delete(Node, "node-32");
      await untilFailed(stage);
    },
  },
  {
    name: "pod GC of a deleted pod without a node",
    run: async (stage) => {
      await pod(stage, { schedulingGates: [{ name: "example.com/wait" }] }, [HOLD]);
      await stage.settle();
      await stage.client.delete(Pod, stage.key("web"));
      await untilFailed(stage);
    },
  },
  {
    name: "pod GC of a node out of service",
    run: async (stage) => {
      const nodeName = await ownNode(stage, 33);
      await pod(stage, { nodeName });
      await untilReady(stage, 1);
      const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
      await stage.client.patch(Node, nodeName, mergePatch({ metadata: { annotations } } as never));
      const conditions = [{ type: "Ready", status: "False", reason: "Broken" }];
      const patch = { type: "strategic", body: { status: { conditions } } } as never;
      await stage.client.patchStatus(Node, nodeName, patch);
      await stage.client.delete(Pod, stage.key("web"));
      const taint = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };
      await stage.client.patch(Node, nodeName, mergePatch({ spec: { taints: [taint] } }));
      await untilPods(stage, 0);
    },
  },
];

/** The scenarios of the pod garbage collector. */
export const POD_GC: ScenarioArea = { name: "pod_gc", kinds: [], scenarios: SCENARIOS };
