// Mirrors `controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod`.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import { NodeInfo } from "../scheduler/node_info.ts";
import { matchesNodeAffinity, untolerated } from "../scheduler/node_selection.ts";
import { type ReadDaemonSet, targetNode, tolerationsOf } from "./daemon_pod.ts";
import { byCreation } from "../ordering/by_creation.ts";

/**
 * A node, the pods that a DaemonSet has on or for it, and whether the DaemonSet should run a pod
 * there.
 */
export interface DaemonNode {
  readonly name: string;
  /** Reports whether the DaemonSet should run a pod on the node. */
  readonly shouldRun: boolean;
  /**
   * Reports whether a running pod of the DaemonSet may stay on the node; `true` also on a node
   * whose `NoSchedule` taints keep new pods away.
   */
  readonly mayStay: boolean;
  /**
   * The DaemonSet's pods that run on, or wait for, the node, without terminated pods that are being
   * deleted.
   */
  readonly pods: readonly ReadPod[];
}

/** The distribution of a DaemonSet's pods over the nodes. */
export interface Placement {
  /** All existing nodes, in the order of their names. */
  readonly nodes: readonly DaemonNode[];
  /**
   * The DaemonSet's pods that run on, or wait for, nodes that do not exist, by the name of the
   * node.
   */
  readonly lost: ReadonlyMap<string, readonly ReadPod[]>;
}

/**
 * Returns the distribution of a DaemonSet's pods: for each node its pods and whether it should run
 * one, and the pods on or for nodes that do not exist.
 */
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

/** Reports whether a pod has terminated and is being deleted. */
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

/**
 * Compares pods for a sort: pods with a node come before others, and older pods before newer ones.
 */
export function byAge(a: ReadPod, b: ReadPod): number {
  return Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) ||
    byCreation(a, b);
}
