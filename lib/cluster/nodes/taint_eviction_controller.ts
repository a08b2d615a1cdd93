// Mirrors `controller/tainteviction/taint_eviction.go, Controller`.
import type { V1Taint } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime, keyOf, Node, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { tolerates } from "../scheduler/node_selection.ts";

/**
 * The controller that deletes the pods of nodes with a `NoExecute` taint, unless they tolerate it,
 * or once the time is over for which they do.
 */
export const taintEvictionController: ControllerDefinition = controllerFor(Pod, {
  indexes: podsByNode,
})
  .named("taint-eviction-controller")
  .watches(Node, async ({ name }, { cache }) => (await podsOnNode(cache, name)).map(keyOf))
  .options({ workers: 8, hotLoopRuns: Infinity })
  .reconcile(reconcilePod);

async function reconcilePod(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const pod = cache.shared.get(Pod, key);
  if (!pod?.spec?.nodeName || pod.metadata.deletionTimestamp !== undefined) return;
  const node = isTerminal(pod) ? undefined : cache.shared.get(Node, pod.spec.nodeName);
  const taints = (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
  if (taints.length === 0) return;
  const endMs = Math.min(...taints.map((taint) => toleratedUntilMs(pod, taint)));
  if (endMs === Infinity) return;
  const waitMs = endMs - clock.now().getTime();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  await evict(context, pod);
}

/** Returns the time until which a pod tolerates a taint, in milliseconds. */
function toleratedUntilMs(pod: ReadPod, taint: DeepReadonly<V1Taint>): number {
  const matching = (pod.spec?.tolerations ?? []).filter((each) => tolerates(each, taint));
  if (matching.length === 0) return -Infinity;
  const seconds = matching.map(({ tolerationSeconds = Infinity }) => tolerationSeconds);
  const shortest = Math.min(...seconds);
  if (shortest === Infinity) return Infinity;
  return Date.parse(taint.timeAdded ?? "") + Math.max(0, shortest) * 1000;
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
