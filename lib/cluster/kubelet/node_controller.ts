// Mirrors `kubelet/kubelet_node_status.go, syncNodeStatus` and
// `apimachinery/lease/controller.go, controller`.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatKey, Lease, Node } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import { isNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import {
  isPretend,
  type KubeletAddress,
  LEASE_NAMESPACE,
  nodeLease,
  nodeStatus,
} from "./pretend_node.ts";
import { ignoreAlreadyExists } from "../writes/expected_failures.ts";

/** The time between two renewals of a node's Lease, in milliseconds. */
const RENEW_MS = 10_000;
/** The time between two writes of a node's status, in milliseconds. */
const REPORT_MS = 5 * 60_000;

/**
 * Creates the part of the pretended kubelet that keeps its nodes ready: it renews their Leases, and
 * reports their status, with the address of the kubelet's server.
 */
export function nodeHeartbeatController(address?: KubeletAddress): ControllerDefinition {
  const kubelet: Kubelet = { address, reported: new Set() };
  return controllerFor(Node)
    .named("kubelet-node")
    .options({ workers: 4, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileNode(context, kubelet));
}

/** The server of the kubelet, and the nodes whose status names it. */
interface Kubelet {
  readonly address: KubeletAddress | undefined;
  /** The UIDs of the nodes whose address this process has reported. */
  readonly reported: Set<string>;
}

async function reconcileNode(
  context: ReconcileContext,
  kubelet: Kubelet,
): Promise<RequeueAfter | void> {
  const { cache, client, key, clock } = context;
  const node = cache.shared.get(Node, key);
  if (!node || !isPretend(node) || node.metadata.deletionTimestamp !== undefined) return;
  const now = clock.now();
  if (isDue(node, now, kubelet)) {
    const status = nodeStatus(node, now, kubelet.address);
    await client.updateStatus(Node, { ...node, status } as V1Node);
    kubelet.reported.add(node.metadata.uid ?? "");
  }
  await renewLease(context, node, now);
  return { requeueAfterMs: RENEW_MS };
}

/**
 * Reports whether the status of a node is old, names the server of an earlier kubelet, or another
 * has changed its condition `Ready`.
 */
function isDue(
  { metadata, status }: DeepReadonly<V1Node>,
  now: Date,
  { address, reported }: Kubelet,
): boolean {
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  // Two kubelets at once must not overwrite each other's report without end.
  if (port !== (address?.port ?? 0) && !reported.has(metadata.uid ?? "")) return true;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return true;
  return now.getTime() - Date.parse(ready.lastHeartbeatTime ?? "") >= REPORT_MS;
}

async function renewLease(
  { client }: ReconcileContext,
  node: DeepReadonly<V1Node>,
  now: Date,
): Promise<void> {
  const lease = nodeLease(node, now);
  const key = formatKey({ namespace: LEASE_NAMESPACE, name: node.metadata.name ?? "" });
  const { renewTime } = lease.spec ?? {};
  try {
    await client.patch(Lease, key, { type: "merge", body: { spec: { renewTime } } } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await ignoreAlreadyExists(client.create(Lease, lease));
  }
}
