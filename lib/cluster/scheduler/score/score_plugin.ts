// Mirrors `framework/interface.go, ScorePlugin` of kube-scheduler.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import type { NamespaceLabels } from "../pod_affinity.ts";
import type { DefaultSelector } from "./default_selector.ts";

/** The facts besides a pod and its candidate nodes that the scores of the nodes depend on. */
export interface ScoreFacts {
  /** All nodes, including those that the pod does not fit. */
  readonly nodes: readonly NodeInfo[];
  readonly namespaceLabels: NamespaceLabels;
  readonly defaultSelector: DefaultSelector;
}

/**
 * A function that returns the scores, from 0 to 100, of the candidate nodes of a pod, in their
 * order.
 */
export type ScorePlugin = (
  pod: ReadPod,
  candidates: readonly NodeInfo[],
  facts: ScoreFacts,
) => readonly number[];
