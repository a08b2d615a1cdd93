// Mirrors `controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod`.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import { NodeInfo } from "../scheduler/node_info.ts";
import { matchesNodeAffinity, untolerated } from "../scheduler/node_selection.ts";
import { type ReadDaemonSet, targetNode, tolerationsOf } from "./daemon_pod.ts";
import { byCreation } from "../ordering/by_creation.ts";

/** A node, and what a DaemonSet has and wants on it. */
export interface DaemonNode {
  readonly name: string;
  /** Whether the node should get a pod. */
  readonly shouldRun: boolean;
  /** Whether a pod that runs on the node may stay. */
  readonly mayStay: boolean;
  /** The DaemonSet's pods of the node; terminal ones that are being deleted are left out. */
  readonly pods: readonly ReadPod[];
}

/** The nodes of a DaemonSet. */
export interface Placement {
  /** All nodes that exist, by name. */
  readonly nodes: readonly DaemonNode[];
  /** The pods for nodes that do not exist, by the name of the node. */
  readonly lost: ReadonlyMap<string, readonly ReadPod[]>;
}

/** Returns where the pods of a DaemonSet are, and where they should be. */
export function placementOf(
  set: ReadDaemonSet,
  nodes: readonly DeepReadonly<V1Node>[],
  pods: readonly ReadPod[],
): Placement {
  const byNode = new Map<string, ReadPod[]>();
  for (const pod of pods) {
    const name = targetNode(pod);
    if (name === undefined || isEnding(pod)) continue;
    byNode.set(name, [...byNode.get(name) ?? [], pod]);
  }
  const template = set.spec!.template.spec!;
  const sample = { metadata: {}, spec: { ...template, tolerations: tolerationsOf(set) } };
  const placed = nodes.map((node): DaemonNode => {
    const { name = "" } = node.metadata;
    const found = byNode.get(name) ?? [];
    byNode.delete(name);
    return { name, ...rulesOf(sample as ReadPod, node), pods: found };
  });
  return { nodes: placed.sort((a, b) => a.name < b.name ? -1 : 1), lost: byNode };
}

/** Reports whether a pod has ended, and is only not removed yet. */
function isEnding({ metadata, status }: ReadPod): boolean {
  return metadata.deletionTimestamp !== undefined &&
    (status?.phase === "Succeeded" || status?.phase === "Failed");
}

function rulesOf(
  sample: ReadPod,
  node: DeepReadonly<V1Node>,
): Pick<DaemonNode, "shouldRun" | "mayStay"> {
  const { nodeName } = sample.spec!;
  const isNamed = !nodeName || nodeName === node.metadata.name;
  if (!isNamed || !matchesNodeAffinity(sample, new NodeInfo(node))) {
    return { shouldRun: false, mayStay: false };
  }
  const taints = node.spec?.taints;
  if (untolerated(sample, taints, ["NoExecute"])) return { shouldRun: false, mayStay: false };
  return { shouldRun: !untolerated(sample, taints, ["NoSchedule"]), mayStay: true };
}

/** Compares pods: one with a node, then the older one, comes first. */
export function byAge(a: ReadPod, b: ReadPod): number {
  return Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) ||
    byCreation(a, b);
}
