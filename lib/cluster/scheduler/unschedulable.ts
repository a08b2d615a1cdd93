// Mirrors `scheduler/schedule_one.go, handleSchedulingFailure` and
// `scheduler/framework/preemption/executor.go, prepareCandidate`.
import { formatTime, keyOf, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { podCondition, type ReadPod } from "../pods/pod_state.ts";
import type { Outcome } from "./scheduling_cycle.ts";

/**
 * Writes the reason why a pod fits no node to the pod's status and an event, with the node that a
 * preemption nominates for the pod, if one of them has changed; deletes the victims of the
 * preemption.
 */
export async function writeUnschedulable(
  context: ReconcileContext,
  { pod, problem = "", preemption }: Outcome,
): Promise<void> {
  const nominated = preemption?.node.name;
  const known = podCondition(pod, "PodScheduled");
  const isSame = known?.status === "False" && known.message === problem &&
    (nominated === undefined || pod.status?.nominatedNodeName === nominated);
  if (!isSame) {
    context.events.record(Pod, pod, {
      type: "Warning",
      reason: "FailedScheduling",
      note: problem,
      action: "Scheduling",
    });
    await writeCondition(context, pod, {
      type: "PodScheduled",
      reason: "Unschedulable",
      message: problem,
      status: "False",
    }, nominated);
  }
  for (const victim of preemption?.victims ?? []) await preempt(context, victim, pod, nominated);
}

async function preempt(
  context: ReconcileContext,
  victim: ReadPod,
  pod: ReadPod,
  node: string | undefined,
): Promise<void> {
  if (victim.metadata.deletionTimestamp !== undefined) return;
  await writeCondition(context, victim, {
    type: "DisruptionTarget",
    status: "True",
    reason: "PreemptionByScheduler",
    message: "default-scheduler: preempting to accommodate a higher priority pod",
  });
  const { uid } = victim.metadata;
  await ignoreNotFound(context.client.delete(Pod, keyOf(victim), { preconditions: { uid } }));
  context.events.record(Pod, victim, {
    reason: "Preempted",
    note: `Preempted by pod ${pod.metadata.uid} on node ${node}`,
    action: "Preempting",
  });
}

interface ConditionFacts {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

async function writeCondition(
  { client, clock }: ReconcileContext,
  pod: ReadPod,
  condition: ConditionFacts,
  nominatedNodeName?: string,
): Promise<void> {
  const { uid, generation } = pod.metadata;
  const old = podCondition(pod, condition.type);
  const lastTransitionTime = old?.status === condition.status && old.lastTransitionTime
    ? old.lastTransitionTime
    : formatTime(clock.now());
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const body = {
    metadata: { uid },
    status: {
      conditions: [{ ...condition, ...observed, lastTransitionTime }],
      ...(nominatedNodeName !== undefined && { nominatedNodeName }),
    },
  };
  await ignoreNotFound(
    client.patchStatus(Pod, keyOf(pod), { type: "strategic", body } as never),
  );
}
