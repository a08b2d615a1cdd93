// Mirrors `scheduler/schedule_one.go, findNodesThatFitPod` and the filter plugins of kube-scheduler's
// default profile (`scheduler/framework/plugins/noderesources/fit.go, Fit`, and others).
import type { ReadPod } from "../pods/pod_state.ts";
import type { NodeInfo } from "./node_info.ts";
import { isUnnamed, matchesNodeAffinity, untolerated } from "./node_selection.ts";
import type { PodAffinity } from "./pod_affinity.ts";
import { requestsOf } from "./requests.ts";
import type { TopologySpread } from "./topology_spread.ts";
import type { VolumeBinding } from "./volume_binding.ts";

/** The key and effect of the taint that cordoned nodes have. */
const UNSCHEDULABLE = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** The reasons why a pod does not fit a node, and whether preemption could change that. */
export interface Refusal {
  readonly reasons: readonly string[];
  readonly isResolvable: boolean;
}

/** The facts about a pod by which the scheduler checks every node. */
export interface FitFacts {
  readonly pod: ReadPod;
  readonly affinity: PodAffinity;
  readonly spread: TopologySpread;
  readonly volumes: VolumeBinding;
}

/**
 * Returns the reasons of the first check by which a pod does not fit a node, in kube-scheduler's
 * wording; `undefined` if the pod fits. Only missing resources give several reasons.
 */
export function refusalOf(
  { pod, affinity, spread, volumes }: FitFacts,
  node: NodeInfo,
): Refusal | undefined {
  const fixed = fixedProblem(pod, node);
  if (fixed !== undefined) return { reasons: [fixed], isResolvable: false };
  if (takesPorts(pod, node)) {
    const reason = "node(s) didn't have free ports for the requested pod ports";
    return { reasons: [reason], isResolvable: true };
  }
  const missing = missingResources(pod, node);
  if (missing.reasons.length > 0) return missing;
  const volumeProblem = volumes.on(node).problem;
  if (volumeProblem !== undefined) return { reasons: [volumeProblem], isResolvable: false };
  const spreadProblem = spread.problem(node);
  if (spreadProblem !== undefined) {
    return { reasons: [spreadProblem], isResolvable: !spreadProblem.endsWith("label)") };
  }
  const problem = affinity.problem(node);
  if (problem === undefined) return undefined;
  return { reasons: [problem], isResolvable: !problem.endsWith("pod affinity rules") };
}

/**
 * Returns the reason why the name, the labels, the taints or `spec.unschedulable` of a node reject
 * a pod; `undefined` if they do not.
 */
function fixedProblem(pod: ReadPod, { node, name }: NodeInfo): string | undefined {
  if (isUnnamed(pod, name)) return "node(s) didn't satisfy plugin(s) [NodeAffinity]";
  const { unschedulable, taints } = node.spec ?? {};
  if (unschedulable && untolerated(pod, [UNSCHEDULABLE], ["NoSchedule"])) {
    return "node(s) were unschedulable";
  }
  if (untolerated(pod, taints, ["NoSchedule", "NoExecute"])) {
    return "node(s) had untolerated taint(s)";
  }
  if (!matchesNodeAffinity(pod, { name, labels: node.metadata.labels ?? {} } as NodeInfo)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return undefined;
}

function missingResources(pod: ReadPod, node: NodeInfo): Refusal {
  const reasons: string[] = [];
  let isResolvable = true;
  if (node.podCount + 1 > (node.allocatable.get("pods") ?? 0)) reasons.push("Too many pods");
  for (const [name, amount] of requestsOf(pod)) {
    if (amount === 0) continue;
    const allocatable = node.allocatable.get(name) ?? 0;
    if (amount <= allocatable - (node.requested.get(name) ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    if (amount > allocatable) isResolvable = false;
  }
  return { reasons, isResolvable };
}

function takesPorts(pod: ReadPod, node: NodeInfo): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  return [...node.pods].flatMap(hostPorts).some((used) =>
    wanted.some((port) =>
      port.number === used.number && port.protocol === used.protocol &&
      (port.ip === used.ip || port.ip === "0.0.0.0" || used.ip === "0.0.0.0")
    )
  );
}

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly number: number;
}

function hostPorts({ spec }: ReadPod): HostPort[] {
  return (spec?.containers ?? []).flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort }) => (hostPort ?? 0) > 0)
    .map(({ hostIP, protocol, hostPort }) => ({
      ip: hostIP || "0.0.0.0",
      protocol: protocol ?? "TCP",
      number: hostPort!,
    }));
}
