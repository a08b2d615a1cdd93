// Mirrors `controller/daemon/update.go, rollingUpdate`.
import { isAvailable, type ReadPod } from "../pods/pod_state.ts";
import { scaledValue } from "../workloads/scaled_value.ts";
import type { DaemonChanges, DaemonRules } from "./daemon_changes.ts";
import type { DaemonNode, Placement } from "./daemon_placement.ts";
import { isUpdated, type ReadDaemonSet } from "./daemon_pod.ts";

/**
 * The numbers of pods by which a rolling update of a DaemonSet may exceed and fall below the
 * desired number.
 */
export interface DaemonLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * Returns `maxSurge` and `maxUnavailable` of a DaemonSet as numbers of pods; percentages refer to
 * `wanted`, the number of nodes that should run its pod, and are rounded up. Both are 0 without
 * rolling updates. If both would be 0 in a rolling update, `maxUnavailable` is 1.
 */
export function daemonLimits({ spec }: ReadDaemonSet, wanted: number): DaemonLimits {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (type === "OnDelete" || !rollingUpdate) return { maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge: surge = 0, maxUnavailable: unavailable = 1 } = rollingUpdate;
  const maxSurge = scaledValue(surge, wanted, "up");
  const maxUnavailable = scaledValue(unavailable, wanted, "up");
  const isStuck = wanted > 0 && maxSurge === 0 && maxUnavailable === 0;
  return { maxSurge, maxUnavailable: isStuck ? 1 : maxUnavailable };
}

/** A node on which a DaemonSet has at most one pod of its old and one of its new template. */
interface NodeInUpdate {
  readonly name: string;
  readonly shouldRun: boolean;
  readonly oldPod: ReadPod | undefined;
  readonly newPod: ReadPod | undefined;
}

/** Returns the pod creations and deletions of the next step of a DaemonSet's rolling update. */
export function updateChanges(
  set: ReadDaemonSet,
  placement: Placement,
  rules: DaemonRules,
): DaemonChanges {
  const lost = [...placement.lost].map(([name, pods]): DaemonNode => ({
    name,
    shouldRun: false,
    mayStay: false,
    pods,
  }));
  const wanted = placement.nodes.filter(({ shouldRun }) => shouldRun).length;
  const nodes = [...placement.nodes, ...lost]
    .filter(({ shouldRun, pods }) => shouldRun || pods.length > 0);
  const { maxSurge, maxUnavailable } = daemonLimits(set, wanted);
  const found = nodes.map((node) => stateOf(set, node, rules.hash));
  const clear = found.filter((node) => node !== undefined);
  // A node with several old or several new pods counts as busy until the surplus is deleted.
  const busy = found.length - clear.length;
  const isServing = (pod: ReadPod): boolean => isAvailable(pod, rules.minReadySeconds, rules.nowMs);
  return maxSurge === 0
    ? withoutSurge(clear, isServing, { busy, maxUnavailable })
    : withSurge(clear, isServing, { busy, maxSurge, wanted });
}

function stateOf(set: ReadDaemonSet, node: DaemonNode, hash: string): NodeInUpdate | undefined {
  const { name, shouldRun } = node;
  const pods = node.pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const newPods = pods.filter((pod) => isUpdated(set, pod, hash));
  const oldPods = pods.filter((pod) => !newPods.includes(pod));
  if (newPods.length > 1 || oldPods.length > 1) return undefined;
  return { name, shouldRun, oldPod: oldPods[0], newPod: newPods[0] };
}

/**
 * Returns the deletions of old pods of a DaemonSet in one step of a rolling update without surge:
 * all unavailable pods, and available ones while at most `maxUnavailable` nodes lack an available
 * pod.
 */
function withoutSurge(
  nodes: readonly NodeInUpdate[],
  isServing: (pod: ReadPod) => boolean,
  { busy, maxUnavailable }: { readonly busy: number; readonly maxUnavailable: number },
): DaemonChanges {
  const replaceable = nodes.filter(({ oldPod, newPod }) => oldPod && !newPod)
    .map(({ oldPod }) => oldPod!);
  const broken = replaceable.filter((pod) => !isServing(pod));
  const candidates = replaceable.filter(isServing);
  const updated = nodes.filter(({ oldPod, newPod }) => newPod && !oldPod && isServing(newPod));
  const unavailable = busy + nodes.length - updated.length - candidates.length;
  const free = Math.max(0, maxUnavailable - unavailable);
  return { create: [], remove: [...broken, ...candidates.slice(0, free)] };
}

/**
 * Returns the changes of one step of a DaemonSet's rolling update with surge. New pods are created
 * beside old ones, on at most `maxSurge` nodes at once where the old pod is available. An old pod
 * is deleted once the new one is available. On a node that should no longer run a pod, the old pod
 * is deleted too; an available one only while more nodes than desired have an available pod.
 */
function withSurge(
  nodes: readonly NodeInUpdate[],
  isServing: (pod: ReadPod) => boolean,
  { busy, maxSurge, wanted }: {
    readonly busy: number;
    readonly maxSurge: number;
    readonly wanted: number;
  },
): DaemonChanges {
  const serves = (pod: ReadPod | undefined): boolean => pod !== undefined && isServing(pod);
  const both = nodes.filter(({ oldPod, newPod }) => oldPod && newPod);
  const done = both.filter(({ newPod }) => serves(newPod));
  const alone = nodes.filter(({ oldPod, newPod }) => oldPod && !newPod);
  const broken = alone.filter(({ oldPod }) => !serves(oldPod));
  const serving = alone.filter(({ oldPod }) => serves(oldPod));
  const surging = busy + both.length - done.length;
  const servingNodes = nodes.filter(({ oldPod, newPod }) => serves(oldPod ?? newPod)).length;
  const leaving = serving.filter(({ shouldRun }) => !shouldRun)
    .slice(0, Math.max(0, servingNodes - wanted));
  const removed = [...done, ...broken.filter(({ shouldRun }) => !shouldRun), ...leaving];
  const candidates = serving.filter(({ shouldRun }) => shouldRun);
  const created = [
    ...broken.filter(({ shouldRun }) => shouldRun),
    ...candidates.slice(0, Math.max(0, maxSurge - surging)),
  ];
  return {
    create: created.map(({ name }) => name),
    remove: removed.map(({ oldPod }) => oldPod!),
  };
}
