// Mirrors `controller/daemon/daemon_controller.go, podsShouldBeOnNode`.
import { isAvailable, isReady, type ReadPod } from "../pods/pod_state.ts";
import { REVISION_HASH } from "./daemon_pod.ts";
import { byAge, type DaemonNode, type Placement } from "./daemon_placement.ts";

/** The pod creations and deletions that bring a DaemonSet closer to its spec. */
export interface DaemonChanges {
  /** The names of the nodes on which to create a pod of the DaemonSet, one per entry. */
  readonly create: readonly string[];
  readonly remove: readonly ReadPod[];
}

/** The rules by which the DaemonSet controller creates and deletes pods on a node. */
export interface DaemonRules {
  /** The hash of the DaemonSet's current pod template. */
  readonly hash: string;
  /**
   * Reports whether a node may run an old and a new pod of the DaemonSet at once (`maxSurge` above
   * 0).
   */
  readonly allowsSurge: boolean;
  readonly minReadySeconds: number;
  readonly nowMs: number;
  /**
   * Reports whether a terminated pod of the DaemonSet may be deleted now; if so, emits an event and
   * records the deletion of a failed pod for the back-off of its node.
   */
  readonly mayReplace: (pod: ReadPod, node: DaemonNode) => boolean;
}

/**
 * Returns the changes that create the missing pods of a DaemonSet and delete its terminated pods
 * that `mayReplace` permits to delete, its surplus pods, the pods on nodes where they must not run,
 * and unassigned pods for nodes that no longer exist. An outdated template alone is no reason for a
 * change.
 */
export function neededChanges({ nodes, lost }: Placement, rules: DaemonRules): DaemonChanges {
  const create: string[] = [];
  const remove: ReadPod[] = [];
  for (const node of nodes) {
    const { name, shouldRun, mayStay, pods } = node;
    if (shouldRun && pods.length === 0) {
      create.push(name);
    } else if (mayStay) {
      const { isMissing, surplus } = changesOn(node, rules);
      if (isMissing) create.push(name);
      remove.push(...surplus);
    } else {
      remove.push(...pods.filter(isStaying));
    }
  }
  // The pod garbage collector deletes the pods of deleted nodes, but not pods without an assigned
  // node.
  const waiting = [...lost.values()].flat().filter(({ spec }) => !spec?.nodeName);
  return { create, remove: [...remove, ...waiting] };
}

function isStaying({ metadata }: ReadPod): boolean {
  return metadata.deletionTimestamp === undefined;
}

function changesOn(
  node: DaemonNode,
  rules: DaemonRules,
): { readonly isMissing: boolean; readonly surplus: readonly ReadPod[] } {
  const staying = node.pods.filter(isStaying);
  const running = staying.filter(({ status }) =>
    status?.phase !== "Failed" && status?.phase !== "Succeeded"
  ).sort(byAge);
  const ended = staying.filter((pod) => !running.includes(pod) && rules.mayReplace(pod, node));
  if (!rules.allowsSurge) return { isMissing: false, surplus: [...ended, ...running.slice(1)] };
  const isMissing = running.length === 0 && node.shouldRun;
  return { isMissing, surplus: [...ended, ...surplusOf(running, rules)] };
}

/**
 * Returns the surplus pods of a DaemonSet on a node that may run an old and a new pod at once. The
 * oldest pod of the current template stays. The oldest pod of the earlier templates stays as long
 * as there is no pod of the current template, or as long as the old pod is ready and the new pod is
 * not available.
 */
function surplusOf(running: readonly ReadPod[], rules: DaemonRules): readonly ReadPod[] {
  const { hash, minReadySeconds, nowMs } = rules;
  if (running.length <= 1) return [];
  const isNew = ({ metadata }: ReadPod): boolean => metadata.labels?.[REVISION_HASH] === hash;
  const newest = running.find(isNew);
  const oldest = running.find((pod) => !isNew(pod));
  const surplus = running.filter((pod) => pod !== newest && pod !== oldest);
  if (!newest || !oldest) return surplus;
  const isOver = !isReady(oldest) || isAvailable(newest, minReadySeconds, nowMs);
  return isOver ? [...surplus, oldest] : surplus;
}
