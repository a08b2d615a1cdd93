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

type ReadNode = DeepReadonly<V1Node>;

/** The time between two renewals of a node's Lease, in milliseconds. */
const RENEW_MS = 10_000;
/** The time between two writes of a node's status, in milliseconds. */
const REPORT_MS = 5 * 60_000;

/**
 * Creates the controller of the simulated kubelet that keeps its nodes ready: it renews their
 * Leases, and reports their status with the address of the kubelet's server.
 */
export function nodeHeartbeatController(address?: KubeletAddress): ControllerDefinition {
  const kubelet: Kubelet = { address, nodes: new Map() };
  return controllerFor(Node)
    .named("kubelet-node")
    .options({ workers: 4, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileNode(context, kubelet));
}

/**
 * The address of the simulated kubelet's server, and the last writes about each of its nodes, by
 * node key.
 */
interface Kubelet {
  readonly address: KubeletAddress | undefined;
  readonly nodes: Map<string, ServedNode>;
}

/** The last writes of this process about one node. */
interface ServedNode {
  readonly uid: string | undefined;
  /**
   * Reports whether this process has written the node's status, which contains the address of the
   * kubelet's server.
   */
  reported: boolean;
  /**
   * The time of the last renewal of the node's Lease, in milliseconds since the epoch; absent
   * before the first.
   */
  renewedMs?: number;
}

async function reconcileNode(
  context: ReconcileContext,
  kubelet: Kubelet,
): Promise<RequeueAfter | void> {
  const { cache, client, key, clock } = context;
  const node = cache.shared.get(Node, key);
  if (!node || !isPretend(node) || node.metadata.deletionTimestamp !== undefined) {
    kubelet.nodes.delete(key);
    return;
  }
  const served = servedNode(kubelet, key, node);
  const now = clock.now();
  if (isDue(node, now, kubelet, served)) {
    const status = nodeStatus(node, now, kubelet.address);
    await client.updateStatus(Node, { ...node, status } as V1Node);
    served.reported = true;
  }
  const waitMs = (served.renewedMs ?? -Infinity) + RENEW_MS - now.getTime();
  // The clock may have been set back.
  if (waitMs > 0 && waitMs <= RENEW_MS) return { requeueAfterMs: waitMs };
  await renewLease(context, node, now, served);
  served.renewedMs = now.getTime();
  return { requeueAfterMs: RENEW_MS };
}

/**
 * Returns the last writes of this process about a node; empty ones for a new node of the same name.
 */
function servedNode({ nodes }: Kubelet, key: string, { metadata }: ReadNode): ServedNode {
  const known = nodes.get(key);
  if (known && known.uid === metadata.uid) return known;
  const served: ServedNode = { uid: metadata.uid, reported: false };
  nodes.set(key, served);
  return served;
}

/**
 * Reports whether the kubelet must write the status of a node: the last heartbeat is at least five
 * minutes old, the condition `Ready` is not `True`, or this process has not written the status yet
 * and the port in it is that of an earlier process.
 */
function isDue(
  { status }: ReadNode,
  now: Date,
  { address }: Kubelet,
  { reported }: ServedNode,
): boolean {
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  // Two kubelets that run at once would otherwise overwrite each other's reports without end.
  if (port !== (address?.port ?? 0) && !reported) return true;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return true;
  return now.getTime() - Date.parse(ready.lastHeartbeatTime ?? "") >= REPORT_MS;
}

/** Renews the Lease of a node; creates it if it does not exist. */
async function renewLease(
  { client }: ReconcileContext,
  node: ReadNode,
  now: Date,
  { renewedMs }: ServedNode,
): Promise<void> {
  const lease = nodeLease(node, now);
  if (renewedMs === undefined && await ignoreAlreadyExists(client.create(Lease, lease))) return;
  const key = formatKey({ namespace: LEASE_NAMESPACE, name: node.metadata.name ?? "" });
  const { renewTime } = lease.spec ?? {};
  try {
    await client.patch(Lease, key, { type: "merge", body: { spec: { renewTime } } } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await ignoreAlreadyExists(client.create(Lease, lease));
  }
}
