// Mirrors `kubelet/kubelet.go, SyncPod` and `SyncTerminatingPod`.
import type { V1Node, V1PodStatus } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime, keyOf, Node, Pod } from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { isConflict, isNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import type { ChangeEvent } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { isScripted, type PodScripter, type ScriptOf, scriptsOf } from "./container_script.ts";
import { PodIps } from "./pod_ips.ts";
import { podConditions } from "./pod_conditions.ts";
import { stepPod } from "./pod_step.ts";
import { isPretend, nodeIp, PRETEND_ANNOTATION } from "./pretend_node.ts";

/** The exit code of a container that ends by SIGTERM. */
const TERMINATED = 143;

/**
 * Creates the part of the pretended kubelet that runs pods: their containers start, become ready and
 * exit as their scripts say, and end when the pod is deleted.
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
    .options({ workers: 8, hotLoopRuns: Infinity })
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

/** Reports whether a node is new to the kubelet: it was created, or got the annotation of its nodes. */
function isTaken(event: ChangeEvent): boolean {
  const isOurs = ({ annotations }: ObservedObject): boolean =>
    annotations[PRETEND_ANNOTATION] === "true";
  if (event.type === "updated") return isOurs(event.object) && !isOurs(event.old);
  return event.type === "added";
}

/** Notes the addresses that pods have from an earlier run. */
async function prime({ cache }: ReconcileContext, ips: PodIps): Promise<void> {
  for (const { metadata, status } of await cache.shared.list(Pod)) {
    if (status?.podIP && metadata.uid) ips.keep(metadata.uid, status.podIP);
  }
}

/** The parts of the pretended kubelet that its pods share. */
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
  const scriptOf = validScripts(context, pod, scripter);
  const { uid = "", deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return await endPod(context, pod, scriptOf);
  if (isTerminal(pod)) return ips.release(uid);
  const hostIP = nodeIp(node);
  const podIP = pod.spec?.hostNetwork ? hostIP : ips.of(uid, node.spec?.podCIDR ?? "10.244.0.0/24");
  const nowMs = context.clock.now().getTime();
  const { status, events, waitMs } = stepPod({
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
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

/** Returns the scripts of a pod. @throws {TerminalError} After an event that says what is wrong. */
function validScripts(
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
 * Ends a pod that is being deleted: waits until its containers have stopped, shows them as terminated
 * if a finalizer keeps the pod, and removes it.
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
    ...(pod.spec?.containers ?? []).map(({ name }) => scriptOf(name)?.stopMs ?? 0),
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

function stoppedStatus(pod: ReadPod, nowMs: number): V1PodStatus {
  const finishedAt = formatTime(new Date(nowMs));
  const status = structuredClone(pod.status ?? {}) as V1PodStatus;
  status.phase = "Failed";
  for (const container of status.containerStatuses ?? []) {
    const { running, terminated } = container.state ?? {};
    if (terminated) continue;
    const startedAt = running?.startedAt ?? finishedAt;
    container.ready = false;
    container.started = false;
    container.state = {
      terminated: { exitCode: TERMINATED, reason: "Error", startedAt, finishedAt },
    };
  }
  status.conditions = podConditions(pod, status, finishedAt);
  return status;
}

/**
 * Writes the status of a pod by a patch, so that a condition which another writer sets meanwhile
 * stays. A pod that is gone is not an error.
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
