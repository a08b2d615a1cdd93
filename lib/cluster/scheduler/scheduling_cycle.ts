// Mirrors `scheduler/schedule_one.go, schedulePod`.
import type { Random } from "@xca/apimachinery/base";
import type { ReadPod } from "../pods/pod_state.ts";
import type { ReadBudget } from "./budget_violations.ts";
import { type FitFacts, type Refusal, refusalOf } from "./fit.ts";
import type { NodeInfo } from "./node_info.ts";
import { type NamespaceLabels, PodAffinity } from "./pod_affinity.ts";
import { awaitsVictims, type Preemption, preemptionFor, priorityOf } from "./preemption.ts";
import { bestNode } from "./score/best_node.ts";
import type { DefaultSelector } from "./score/default_selector.ts";
import { TopologySpread } from "./topology_spread.ts";
import { type ClaimBindings, VolumeBinding, type VolumeFacts } from "./volume_binding.ts";
import { byCreation } from "../ordering/by_creation.ts";

/** Options of the class {@linkcode SchedulingCycle}, which assigns waiting pods to nodes. */
export interface SchedulingCycleInit {
  readonly nodes: readonly NodeInfo[];
  readonly namespaceLabels: NamespaceLabels;
  readonly volumes: VolumeFacts;
  /**
   * Returns the label selector of a pod's group. The pods of a group are spread over the nodes if
   * they have no topology spread constraints of their own.
   */
  readonly defaultSelector: DefaultSelector;
  /**
   * Returns the name of the node for which the claims of a pod are being bound; `undefined` if an
   * earlier cycle has chosen no node.
   */
  readonly chosenNode: (pod: ReadPod) => string | undefined;
  readonly random: Random;
  /** The PodDisruptionBudgets that preemption avoids violating. @default {none} */
  readonly budgets?: readonly ReadBudget[];
}

/** The scheduling decision about one pod. */
export interface Outcome {
  readonly pod: ReadPod;
  /** The name of the node on which the pod is to run; absent if the pod fits no node. */
  readonly node?: string;
  /**
   * The bindings of the pod's claims to write before the pod is assigned; absent if all claims are
   * bound, or the pod fits no node.
   */
  readonly bindings?: ClaimBindings;
  /**
   * The reason why the pod fits no node, in kube-scheduler's wording; absent if the pod fits a
   * node, or waits for the termination of its preemption victims.
   */
  readonly problem?: string;
  /**
   * Reports whether the pod waits for the termination of its preemption victims, in which case
   * nothing is written. @default {false}
   */
  readonly awaitsVictims?: boolean;
  /**
   * The preemption that makes room for the pod: a node, and the pods to delete from it; absent if
   * there is none.
   */
  readonly preemption?: Preemption;
}

/** A scheduling cycle, in which all waiting pods are assigned in turn. */
export class SchedulingCycle {
  readonly #init: SchedulingCycleInit;

  constructor(init: SchedulingCycleInit) {
    this.#init = init;
  }

  /**
   * Returns the decisions about the given pods in the order in which they are made: first for the
   * pods of the highest priority, among these for the oldest. An assigned pod is added to its node,
   * so that the later decisions count it.
   */
  schedule(pods: readonly ReadPod[]): Outcome[] {
    return [...pods].sort(byUrgency).map((pod) => this.#decide(pod));
  }

  #decide(pod: ReadPod): Outcome {
    const { nodes, random } = this.#init;
    if (nodes.length === 0) return { pod, problem: "no nodes available to schedule pods" };
    const facts = this.#facts(pod);
    if (facts.volumes.problem !== undefined) {
      const refused = new Map(nodes.map((node): [NodeInfo, Refusal] => [node, UNRESOLVABLE]));
      return { pod, problem: problemOf(pod, refused, undefined, facts.volumes.problem) };
    }
    const refusals = new Map<NodeInfo, Refusal>();
    const fitting = nodes.filter((node) => {
      const refusal = refusalOf(facts, node);
      if (refusal) refusals.set(node, refusal);
      return refusal === undefined;
    });
    if (fitting.length > 0) {
      const index = (count: number): number => Math.floor(random.next() * count);
      const chosen = this.#init.chosenNode(pod) ?? facts.volumes.selectedNode;
      const selected = fitting.filter(({ name }) => name === chosen);
      const choice = selected.length > 0 ? selected : fitting;
      const node = bestNode(pod, choice, this.#init, index);
      node.add(pod);
      const { bindings } = facts.volumes.on(node);
      for (const [volume] of bindings.reserve) {
        this.#init.volumes.reserved.add(volume.metadata.name ?? "");
      }
      const isBound = bindings.reserve.length + bindings.provision.length === 0;
      return { pod, node: node.name, ...(!isBound && { bindings }) };
    }
    if (awaitsVictims(pod, nodes)) return { pod, awaitsVictims: true };
    const candidates = nodes.filter((node) => refusals.get(node)!.isResolvable);
    const fits = (node: NodeInfo): boolean => refusalOf(this.#facts(pod), node) === undefined;
    const preemption = preemptionFor(pod, candidates, fits, this.#init.budgets);
    const problem = problemOf(pod, refusals, preemption);
    return { pod, problem, ...(preemption && { preemption }) };
  }

  #facts(pod: ReadPod): FitFacts {
    const { nodes, namespaceLabels, volumes } = this.#init;
    return {
      pod,
      affinity: new PodAffinity(pod, nodes, namespaceLabels),
      spread: new TopologySpread(pod, nodes),
      volumes: new VolumeBinding(pod, volumes),
    };
  }
}

/**
 * The refusal of every node for a reason that does not depend on the node, such as a missing claim.
 */
const UNRESOLVABLE: Refusal = { reasons: [], isResolvable: false };

/** Compares pods for a sort: higher priority first, then the older pod. */
function byUrgency(a: ReadPod, b: ReadPod): number {
  return priorityOf(b) - priorityOf(a) ||
    byCreation(a, b);
}

/** Returns the message about a pod that fits no node (`framework.FitError`). */
function problemOf(
  pod: ReadPod,
  refusals: ReadonlyMap<NodeInfo, Refusal>,
  preemption: Preemption | undefined,
  problem?: string,
): string {
  const available = `0/${refusals.size} nodes are available:`;
  const all = [...refusals.values()];
  const reasons = `${available} ${problem ?? counted(all.flatMap((refusal) => refusal.reasons))}.`;
  if (preemption) {
    const { node, victims } = preemption;
    return `${reasons} preemption: found a potential placement for pod on node ${node.name}, ` +
      `preempting ${victims.length} victims`;
  }
  if (pod.spec?.preemptionPolicy === "Never") {
    return `${reasons} preemption: not eligible due to preemptionPolicy=Never.`;
  }
  const helps = all.map(({ isResolvable }) =>
    isResolvable
      ? "No preemption victims found for incoming pod"
      : "Preemption is not helpful for scheduling"
  );
  return `${reasons} preemption: ${available} ${counted(helps)}.`;
}

/**
 * Returns a text with the reasons why a pod fits no node, each with its number of nodes, in
 * alphabetical order.
 */
function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).sort().join(", ");
}
