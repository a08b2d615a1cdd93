// Mirrors `controller/tainteviction/taint_eviction.go, Controller`.
import type { V1Taint } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime, keyOf, Node, parseKey, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { tolerates } from "../scheduler/node_selection.ts";

/**
 * The times at which pods are due for eviction, in milliseconds since the epoch, by the keys of the
 * pods.
 */
type Evictions = Map<string, number>;

/**
 * Creates the taint eviction controller: it deletes pods from nodes with a `NoExecute` taint unless
 * they tolerate it, or once their toleration has expired.
 */
export function taintEvictionController(): ControllerDefinition {
  const evictions: Evictions = new Map();
  return controllerFor(Pod, { indexes: podsByNode })
    .named("taint-eviction-controller")
    .watches(Node, async ({ name }, { cache }) => (await podsOnNode(cache, name)).map(keyOf))
    .options({ workers: 8, hotLoopRuns: Infinity })
    .reconcile((context) => reconcilePod(context, evictions));
}

async function reconcilePod(
  context: ReconcileContext,
  evictions: Evictions,
): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const pod = cache.shared.get(Pod, key);
  if (!pod) return cancel(context, evictions);
  if (!pod.spec?.nodeName || pod.metadata.deletionTimestamp !== undefined) return;
  const node = cache.shared.get(Node, pod.spec.nodeName);
  const taints = (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
  const nowMs = clock.now().getTime();
  const endMs = Math.min(...taints.map((taint) => toleratedUntilMs(pod, taint, nowMs)));
  if (endMs === Infinity || endMs === -Infinity) cancel(context, evictions);
  if (endMs === Infinity) return;
  // An eviction that is scheduled keeps its time, as in kube-controller-manager.
  const dueMs = evictions.get(key) ?? endMs;
  if (dueMs > nowMs) {
    evictions.set(key, dueMs);
    return { requeueAfterMs: dueMs - nowMs };
  }
  evictions.delete(key);
  await evict(context, pod);
}

/** Cancels the scheduled eviction of a pod, if there is one, and emits an event about it. */
function cancel({ events, key }: ReconcileContext, evictions: Evictions): void {
  if (!evictions.delete(key)) return;
  const { namespace = "", name } = parseKey(key);
  const note = `Cancelling deletion of Pod ${key}`;
  events.record(Pod, { metadata: { namespace, name } }, { reason: "TaintManagerEviction", note });
}

/**
 * Returns the time until which a pod tolerates a taint, in milliseconds since the epoch; `Infinity`
 * if it tolerates the taint without a time limit, `-Infinity` if it does not tolerate the taint. Of
 * several matching tolerations the shortest counts. The toleration counts from the time of the
 * taint, or from the creation of the pod if that is later, so that a restart of the controller does
 * not prolong it; from now if the taint has no time.
 */
function toleratedUntilMs(pod: ReadPod, taint: DeepReadonly<V1Taint>, nowMs: number): number {
  const matching = (pod.spec?.tolerations ?? []).filter((each) => tolerates(each, taint));
  if (matching.length === 0) return -Infinity;
  const seconds = matching.map(({ tolerationSeconds = Infinity }) => tolerationSeconds);
  const shortest = Math.min(...seconds);
  if (shortest === Infinity) return Infinity;
  const sinceMs = taint.timeAdded === undefined
    ? nowMs
    : Math.max(Date.parse(taint.timeAdded), Date.parse(pod.metadata.creationTimestamp ?? ""));
  return sinceMs + Math.max(0, shortest) * 1000;
}

async function evict(context: ReconcileContext, pod: ReadPod): Promise<void> {
  const { client, clock, events } = context;
  const { namespace, name, uid } = pod.metadata;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByTaintManager",
    message: "Taint manager: deleting due to NoExecute taint",
    lastTransitionTime: formatTime(clock.now()),
  };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  const note = `Marking for deletion Pod ${namespace}/${name}`;
  events.record(Pod, pod, { reason: "TaintManagerEviction", note });
  await ignoreNotFound(client.patchStatus(Pod, keyOf(pod), { type: "strategic", body } as never));
  await ignoreNotFound(client.delete(Pod, keyOf(pod), { preconditions: { uid } }));
}
