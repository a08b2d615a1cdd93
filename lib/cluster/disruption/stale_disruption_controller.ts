// Mirrors `controller/disruption/disruption.go, syncStalePodDisruption`.
import type { V1Pod, V1PodStatus } from "@xca/apimachinery/kubernetes-types";
import { formatTime, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, podCondition, type ReadPod } from "../pods/pod_state.ts";

/**
 * The time in which the deletion of a pod must follow its condition `DisruptionTarget`, in
 * milliseconds.
 */
const TIMEOUT_MS = 120_000;

const TARGET = "DisruptionTarget";

/**
 * The controller that sets the condition `DisruptionTarget` of pods that have not terminated to
 * `False` if their deletion has not begun within two minutes after the condition was set. A
 * condition with the reason `TerminationByKubelet` is kept.
 */
export const staleDisruptionController: ControllerDefinition = controllerFor(Pod)
  .named("disruption-controller-stale-pods")
  .withPredicates(({ object }) => podCondition(object.object, TARGET) !== undefined)
  .options({ workers: 1, hotLoopRuns: Infinity })
  .reconcile(reconcilePod);

async function reconcilePod(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, client, key, clock } = context;
  const pod = cache.shared.get(Pod, key);
  const sinceMs = pod && disruptedSinceMs(pod);
  if (sinceMs === undefined) return;
  const now = clock.now();
  const waitMs = sinceMs + TIMEOUT_MS - now.getTime();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const lastTransitionTime = formatTime(now);
  const status = structuredClone(pod!.status) as V1PodStatus;
  status.conditions = status.conditions!.map((condition) =>
    condition.type === TARGET
      ? { type: TARGET, status: "False", lastTransitionTime } as typeof condition
      : condition
  );
  await ignoreNotFound(client.updateStatus(Pod, { ...pod, status } as V1Pod));
}

/**
 * Returns the time since which a pod that has not terminated and is not being deleted has the
 * condition `DisruptionTarget`, in milliseconds since the epoch, 0 if the condition has no time;
 * `undefined` for other pods, and for a pod that the kubelet terminates.
 */
function disruptedSinceMs(pod: ReadPod): number | undefined {
  if (pod.metadata.deletionTimestamp !== undefined || isTerminal(pod)) return undefined;
  const condition = podCondition(pod, TARGET);
  if (condition?.status !== "True" || condition.reason === "TerminationByKubelet") {
    return undefined;
  }
  return Date.parse(condition.lastTransitionTime ?? "") || 0;
}
