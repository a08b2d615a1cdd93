// Mirrors `controller/nodelifecycle/node_lifecycle_controller.go, monitorNodeHealth`.
import type { V1Node, V1NodeCondition } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatKey,
  formatTime,
  keyOf,
  Lease,
  Node,
  Pod,
} from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isReady, isTerminal, podCondition, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { EvictionLimiter } from "./eviction_limiter.ts";
import { hasEvictingTaint, isEvicting, taintsOf } from "./node_taints.ts";
import { evictionRates, zoneKey } from "./zone_states.ts";

type ReadNode = DeepReadonly<V1Node>;

const LEASE_NAMESPACE = "kube-node-lease";
/** The time without a heartbeat after which a node counts as not ready, in milliseconds. */
const GRACE_MS = 50_000;
/**
 * The time since its creation within which a node must send its first heartbeat, in milliseconds.
 */
const STARTUP_GRACE_MS = 60_000;
/** The types of the node conditions that a kubelet reports. */
const REPORTED = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The reason of the conditions of a node that stopped sending heartbeats. */
const SILENT = "NodeStatusUnknown";

/**
 * The state that the node lifecycle controller keeps between its reconcile runs: the known nodes by
 * key, and the limiter of evictions.
 */
interface Memory {
  readonly known: Map<string, ReadNode>;
  limiter: EvictionLimiter | undefined;
  /** Enqueues the nodes with the given names for a reconcile run. */
  wake: (names: Iterable<string>) => void;
}

/**
 * Creates the node lifecycle controller: a node whose kubelet sends no heartbeats gets conditions
 * of status `Unknown`, and its pods are marked as not ready. The taints of a node follow from its
 * conditions; those that evict pods are limited to one node of a zone in ten seconds. In a zone
 * with many unhealthy nodes the limit is one node in 100 seconds, or none if the zone is small; if
 * no node of the cluster is ready, none is tainted.
 */
export function nodeLifecycleController(): ControllerDefinition {
  const memory: Memory = { known: new Map(), limiter: undefined, wake: () => {} };
  return controllerFor(Node)
    .named("node-lifecycle-controller")
    .watches(Lease, ({ namespace, name }) => namespace === LEASE_NAMESPACE ? [name] : [], {
      namespaces: [LEASE_NAMESPACE],
      predicates: [({ type }) => type !== "updated"],
    })
    .watches(Pod, () => [], { indexes: podsByNode })
    .reconcilesOn("evictions", ({ enqueue, signal }) =>
      new Promise((resolve) => {
        memory.wake = (names) => [...names].forEach(enqueue);
        signal.addEventListener("abort", () => resolve(), { once: true });
      }))
    .options({ eventSource: "node-controller", workers: 8, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      noteNode(context, memory);
      return await reconcileNode(context, memory);
    });
}

/**
 * Emits an event when a node was added or removed, and updates the map of known nodes; removes a
 * deleted node from the limiter of evictions.
 */
function noteNode(
  { cache, events, key }: ReconcileContext,
  { known, limiter }: Memory,
): void {
  const node = cache.shared.get(Node, key);
  const before = known.get(key);
  if (node) {
    known.set(key, node);
    if (before) return;
    const note = `Node ${key} event: Registered Node ${key} in Controller`;
    events.record(Node, node, { reason: "RegisteredNode", note });
  } else if (before) {
    known.delete(key);
    limiter?.forget(key);
    const note = `Node ${key} event: Removing Node ${key} from Controller`;
    events.record(Node, before, { reason: "RemovingNode", note });
  }
}

async function reconcileNode(
  context: ReconcileContext,
  memory: Memory,
): Promise<RequeueAfter | void> {
  const { cache, client, key, clock } = context;
  const node = cache.shared.get(Node, key);
  if (!node || node.metadata.deletionTimestamp !== undefined) return;
  const now = clock.now();
  const deadlineMs = deadlineOf(context, node);
  const ready = readyOf(node);
  if (deadlineMs <= now.getTime() && ready?.status !== "Unknown") {
    await markUnknown(context, node, now);
    return; // The event of the changed conditions triggers the next run.
  }
  const evictionMs = await evictionDelay(context, node, memory);
  const taints = taintsOf(node, now, evictionMs === 0);
  const labels = missingLabels(node);
  if (taints || labels) {
    const { resourceVersion } = node.metadata;
    const body = {
      metadata: { resourceVersion, ...labels && { labels } },
      ...taints && { spec: { taints } },
    };
    await client.patch(Node, key, { type: "merge", body } as never);
  }
  if (ready?.status === "Unknown" && ready.reason === SILENT) {
    await markPodsNotReady(context, node);
  }
  const untilDeadlineMs = deadlineMs - now.getTime();
  const waitMs = Math.min(
    untilDeadlineMs > 0 ? untilDeadlineMs : Infinity,
    evictionMs > 0 ? evictionMs : Infinity,
  );
  return waitMs < Infinity ? { requeueAfterMs: waitMs } : undefined;
}

/**
 * Updates the limiter of evictions for a node. Returns the time in milliseconds after which the
 * node may have the taint that evicts its pods: 0 if it may have the taint now or does not need it,
 * `Infinity` while evictions are stopped.
 */
async function evictionDelay(
  { cache, clock }: ReconcileContext,
  node: ReadNode,
  memory: Memory,
): Promise<number> {
  const name = node.metadata.name ?? "";
  const nodes = await cache.shared.list(Node);
  const limiter = memory.limiter ??= new EvictionLimiter(clock, (names) => memory.wake(names));
  limiter.setRates(evictionRates(nodes), memory.known.keys());
  const isTainted = hasEvictingTaint(node);
  if (!isEvicting(node) || isTainted) limiter.forget(name);
  if (!isEvicting(node)) return 0;
  if (isTainted) return limiter.stopped ? Infinity : 0;
  return limiter.admit(name, zoneKey(node));
}

/** The deprecated names of node labels, by their present names. */
const OLDER_LABELS: Readonly<Record<string, string>> = {
  "kubernetes.io/arch": "beta.kubernetes.io/arch",
  "kubernetes.io/os": "beta.kubernetes.io/os",
};

/**
 * Returns the labels with deprecated names that a node lacks, or whose values differ from those of
 * the present names, with the values of the present names; `undefined` when there are none.
 */
function missingLabels(
  { metadata: { labels = {} } }: ReadNode,
): Record<string, string> | undefined {
  const missing = Object.entries(OLDER_LABELS).flatMap(([name, older]) =>
    labels[name] === undefined || labels[older] === labels[name]
      ? []
      : [[older, labels[name]] as const]
  );
  return missing.length > 0 ? Object.fromEntries(missing) : undefined;
}

/**
 * Returns the time at which a node without further heartbeats counts as not ready, in milliseconds
 * since the epoch.
 */
function deadlineOf({ cache }: ReconcileContext, node: ReadNode): number {
  const { name = "", creationTimestamp = "" } = node.metadata;
  const lease = cache.shared.get(Lease, formatKey({ namespace: LEASE_NAMESPACE, name }));
  const signs = [readyOf(node)?.lastHeartbeatTime, lease?.spec?.renewTime]
    .filter((time) => time !== undefined);
  return signs.length === 0
    ? Date.parse(creationTimestamp) + STARTUP_GRACE_MS
    : Math.max(...signs.map((time) => Date.parse(time))) + GRACE_MS;
}

function readyOf({ status }: ReadNode): DeepReadonly<V1NodeCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

async function markUnknown(context: ReconcileContext, node: ReadNode, now: Date): Promise<void> {
  const time = formatTime(now);
  const conditions = REPORTED.map((type) => {
    const old = node.status?.conditions?.find((condition) => condition.type === type);
    if (old?.status === "Unknown") return old;
    return {
      type,
      status: "Unknown",
      reason: old ? SILENT : "NodeStatusNeverUpdated",
      message: old ? "Kubelet stopped posting node status." : "Kubelet never posted node status.",
      lastHeartbeatTime: old?.lastHeartbeatTime ?? node.metadata.creationTimestamp,
      lastTransitionTime: time,
    };
  });
  const body = {
    metadata: { resourceVersion: node.metadata.resourceVersion },
    status: { conditions },
  };
  await context.client.patchStatus(Node, keyOf(node), { type: "strategic", body } as never);
  if (readyOf(node)?.status !== "True") return;
  const note = `Node ${node.metadata.name} status is now: NodeNotReady`;
  context.events.record(Node, node, { reason: "NodeNotReady", note });
}

async function markPodsNotReady(context: ReconcileContext, node: ReadNode): Promise<void> {
  const pods = await podsOnNode(context.cache, node.metadata.name ?? "");
  for (const pod of pods) {
    if (!isReady(pod) || isTerminal(pod)) continue;
    await markNotReady(context, pod);
  }
}

async function markNotReady(
  { client, clock, events }: ReconcileContext,
  pod: ReadPod,
): Promise<void> {
  const ready = podCondition(pod, "Ready");
  const condition = { ...ready, status: "False", lastTransitionTime: formatTime(clock.now()) };
  const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
  await ignoreNotFound(client.patchStatus(Pod, keyOf(pod), { type: "strategic", body } as never));
  events.record(Pod, pod, { type: "Warning", reason: "NodeNotReady", note: "Node is not ready" });
}
