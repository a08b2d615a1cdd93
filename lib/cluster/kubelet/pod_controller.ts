// Mirrors `kubelet/kubelet.go, SyncPod` and `SyncTerminatingPod`.
import { PRETEND_ANNOTATION } from "@xca/apimachinery/internal/meta";
import type { V1Node, V1PodStatus } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, keyOf, Node, Pod } from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { isConflict, isNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import type { ChangeEvent } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import type { PodScripter } from "./container_script.ts";
import { PodIps } from "./pod_ips.ts";
import { deadlineMs, EXCEEDED } from "./active_deadline.ts";
import { isScripted, type ScriptOf, scriptsOf, validScriptsOf } from "./pod_scripts.ts";
import { stepPod } from "./pod_step.ts";
import { isPretend, nodeIp } from "./pretend_node.ts";
import { stoppedStatus } from "./stopped_status.ts";

/**
 * Creates the controller of the simulated kubelet that runs pods: their containers start, become
 * ready and exit as their scripts say, and end when the pod is deleted.
 */
export function podLifecycleController(scripter?: PodScripter): ControllerDefinition {
  const ips = new PodIps();
  const uids = new Map<string, string>();
  let primed: Promise<void> | undefined;
  return controllerFor(Pod, { indexes: podsByNode })
    .named("kubelet-pod")
    .watches(
      Node,
      async ({ name }, { cache }) => (await podsOnNode(cache, name)).map(keyOf),
      {
        predicates: [isTaken],
      },
    )
    .options({ eventSource: "kubelet", workers: 8, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      await (primed ??= prime(context, ips));
      const { cache, key } = context;
      const pod = cache.shared.get(Pod, key);
      const { uid = "" } = pod?.metadata ?? {};
      const before = uids.get(key);
      if (before !== undefined && before !== uid) ips.release(before);
      if (!pod) return void uids.delete(key);
      uids.set(key, uid);
      const node = cache.shared.get(Node, pod.spec?.nodeName || " ");
      if (!node || !isPretend(node)) return;
      return await runPod(context, pod, node, { scripter, ips });
    });
}

/**
 * Reports whether an event may add a node to the simulated kubelet: a node was created, or got the
 * annotation of simulated nodes.
 */
function isTaken(event: ChangeEvent): boolean {
  const isOurs = ({ annotations }: ObservedObject): boolean =>
    annotations[PRETEND_ANNOTATION] === "true";
  if (event.type === "updated") return isOurs(event.object) && !isOurs(event.old);
  return event.type === "added";
}

/** Records the IP addresses that pods got from an earlier process. */
async function prime({ cache }: ReconcileContext, ips: PodIps): Promise<void> {
  for (const { metadata, status } of await cache.shared.list(Pod)) {
    if (status?.podIP && metadata.uid) ips.keep(metadata.uid, status.podIP);
  }
}

/**
 * The script function and the allocator of IP addresses that all pods of the simulated kubelet
 * share.
 */
interface Kubelet {
  readonly scripter: PodScripter | undefined;
  readonly ips: PodIps;
}

async function runPod(
  context: ReconcileContext,
  pod: ReadPod,
  node: DeepReadonly<V1Node>,
  { scripter, ips }: Kubelet,
): Promise<RequeueAfter | void> {
  const { uid = "", deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    return await endPod(context, pod, validScriptsOf(pod, scripter));
  }
  if (isTerminal(pod)) return ips.release(uid);
  const scriptOf = checkedScripts(context, pod, scripter);
  const hostIP = nodeIp(node);
  const podIP = pod.spec?.hostNetwork ? hostIP : ips.of(uid, node.spec?.podCIDR ?? "10.244.0.0/24");
  const nowMs = context.clock.now().getTime();
  const leftMs = deadlineMs(pod) - nowMs;
  if (leftMs <= 0) {
    context.events.record(Pod, pod, { reason: EXCEEDED.reason, note: EXCEEDED.message });
    return await writeStatus(context, pod, { ...stoppedStatus(pod, nowMs), ...EXCEEDED });
  }
  const { status, events, waitMs = Infinity } = stepPod({
    pod,
    scriptOf,
    addresses: { hostIP, podIP },
    nowMs,
  });
  if (!jsonEqual(status, pod.status)) await writeStatus(context, pod, status);
  if (isScripted(pod)) {
    for (const { type, reason, note } of events) {
      context.events.record(Pod, pod, { type, reason, note });
    }
  }
  const requeueAfterMs = Math.min(waitMs, isTerminal({ ...pod, status }) ? Infinity : leftMs);
  return requeueAfterMs === Infinity ? undefined : { requeueAfterMs };
}

/**
 * Returns the scripts of a pod's containers.
 *
 * @throws {TerminalError} When the script annotation, or a script that the user's function returns,
 *   is invalid, after a warning event about it.
 */
function checkedScripts(
  { events }: ReconcileContext,
  pod: ReadPod,
  scripter: PodScripter | undefined,
): ScriptOf {
  try {
    return scriptsOf(pod, scripter);
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    events.record(Pod, pod, { type: "Warning", reason: "InvalidScript", note });
    throw error;
  }
}

/**
 * Ends a pod that is being deleted. While its containers are stopping, returns the time until they
 * have stopped; then reports them as terminated if a finalizer keeps the pod, and deletes the pod
 * without a grace period.
 */
async function endPod(
  context: ReconcileContext,
  pod: ReadPod,
  scriptOf: ScriptOf,
): Promise<RequeueAfter | void> {
  const { deletionTimestamp = "", deletionGracePeriodSeconds = 0, finalizers, uid } = pod.metadata;
  const graceMs = deletionGracePeriodSeconds * 1000;
  const askedMs = Date.parse(deletionTimestamp) - graceMs;
  const stopMs = Math.max(
    0,
    ...(pod.spec?.containers ?? []).map(({ name }) => scriptOf(name).stopMs ?? 0),
  );
  const nowMs = context.clock.now().getTime();
  const waitMs = askedMs + Math.min(stopMs, graceMs) - nowMs;
  if (waitMs > 0 && !isTerminal(pod)) return { requeueAfterMs: waitMs };
  if (!isTerminal(pod) && (finalizers?.length ?? 0) > 0) {
    await writeStatus(context, pod, stoppedStatus(pod, nowMs));
  }
  if (deletionGracePeriodSeconds === 0 && (finalizers?.length ?? 0) > 0) return;
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  await context.client.delete(Pod, keyOf(pod), options).catch(ignoreGone);
}

/**
 * Writes the status of a pod by a patch, so that conditions of concurrent writers are kept. A
 * deleted or replaced pod is not an error.
 */
async function writeStatus(
  { client }: ReconcileContext,
  pod: ReadPod,
  status: V1PodStatus,
): Promise<void> {
  const { uid } = pod.metadata;
  const body = { metadata: { uid }, status };
  await client.patchStatus(Pod, keyOf(pod), { type: "strategic", body } as never)
    .catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
