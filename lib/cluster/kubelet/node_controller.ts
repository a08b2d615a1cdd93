// Mirrors `kubelet/kubelet_node_status.go, syncNodeStatus` and
// `apimachinery/lease/controller.go, controller`.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatKey, Lease, Node } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import { isAlreadyExists, isNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isPretend, LEASE_NAMESPACE, nodeLease, nodeStatus } from "./pretend_node.ts";

/** The time between two renewals of a node's Lease, in milliseconds. */
const RENEW_MS = 10_000;
/** The time between two writes of a node's status, in milliseconds. */
const REPORT_MS = 5 * 60_000;

/**
 * The part of the pretended kubelet that keeps its nodes ready: it renews their Leases, and reports
 * their status.
 */
export const nodeHeartbeatController: ControllerDefinition = controllerFor(Node)
  .named("kubelet-node")
  .options({ workers: 4, hotLoopRuns: Infinity })
  .reconcile(reconcileNode);

async function reconcileNode(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, client, key, clock } = context;
  const node = cache.shared.get(Node, key);
  if (!node || !isPretend(node) || node.metadata.deletionTimestamp !== undefined) return;
  const now = clock.now();
  if (isDue(node, now)) {
    await client.updateStatus(Node, { ...node, status: nodeStatus(node, now) } as V1Node);
  }
  await renewLease(context, node, now);
  return { requeueAfterMs: RENEW_MS };
}

/** Reports whether the status of a node is old, or another has changed its condition `Ready`. */
function isDue({ status }: DeepReadonly<V1Node>, now: Date): boolean {
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
    await client.create(Lease, lease).catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
