import type { V1Deployment, V1Pod } from "@xca/apimachinery/kubernetes-types";
import { Deployment, formatKey, type KubeObject } from "@xca/apimachinery/meta";
import { waitFor, WaitTimeoutError } from "../../client/subresources/wait.ts";
import { ClusterError, type ClusterRun, stepOf } from "./cluster_run.ts";
import { deploymentPods } from "./deployment_pods.ts";

/**
 * Waits until all replicas of a Deployment run with its present pod template and are available, and
 * calls `onStep` with `rolled out`. Does nothing in a dry run.
 *
 * @throws {ClusterError} When the replicas are not available in time, or the Deployment has
 * exceeded its progress deadline; the message has the reasons of its pods. When the Deployment is
 * deleted meanwhile.
 */
export async function untilRolledOut(
  run: ClusterRun,
  object: KubeObject,
  timeoutMs: number,
): Promise<void> {
  if (run.dryRun) return;
  const { client, clock, signal } = run;
  const { name = "", namespace } = object.metadata;
  const options = { clock, signal, timeoutMs };
  let last: V1Deployment | undefined;
  try {
    last = await waitFor(client, Deployment, formatKey({ namespace, name }), isSettled, options);
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw await notRolledOut(run, object, `not within ${timeoutMs / 1000} s`);
  }
  if (!last) {
    throw new ClusterError(
      `Cannot roll out ${namespace}/${name}: the Deployment was deleted meanwhile; deploy again`,
    );
  }
  if (hasFailed(last)) throw await notRolledOut(run, object, "its deadline has passed");
  run.onStep(stepOf(object, "rolled out"));
}

/** Reports whether the rollout of a Deployment has ended: by success, failure, or its deletion. */
function isSettled(deployment: V1Deployment | undefined): boolean {
  if (!deployment) return true;
  const { metadata: { generation = 0 } = {}, status } = deployment;
  if ((status?.observedGeneration ?? 0) < generation) return false;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const wanted = deployment.spec?.replicas ?? 1;
  const isDone = updatedReplicas >= wanted && replicas === updatedReplicas &&
    availableReplicas === updatedReplicas;
  return isDone || hasFailed(deployment);
}

function hasFailed({ status }: V1Deployment): boolean {
  return status?.conditions?.some(({ type, reason }) =>
    type === "Progressing" && reason === "ProgressDeadlineExceeded"
  ) ?? false;
}

async function notRolledOut(
  run: ClusterRun,
  object: KubeObject,
  why: string,
): Promise<ClusterError> {
  const { name, namespace } = object.metadata;
  const pods = await deploymentPods(run, object);
  const reasons = pods.flatMap(troublesOf);
  const found = reasons.length > 0
    ? reasons.join("; ")
    : `${pods.length} pods, without a reported reason`;
  return new ClusterError(
    `Cannot roll out ${namespace}/${name}: ${why}: ${found}; see: ` +
      `kubectl -n ${namespace} describe deployment ${name}`,
  );
}

/**
 * Returns the reasons why a pod is not ready, from the states of its containers (not of init
 * containers) and its condition `PodScheduled`, each with the name of the pod.
 */
function troublesOf({ metadata, status }: V1Pod): string[] {
  const waiting = (status?.containerStatuses ?? []).flatMap(({ state, lastState }) => {
    const reason = state?.waiting ?? state?.terminated ?? lastState?.terminated;
    return reason?.reason ? [`${reason.reason}${reason.message ? `: ${reason.message}` : ""}`] : [];
  });
  const unscheduled = (status?.conditions ?? [])
    .filter((each) => each.type === "PodScheduled" && each.status === "False")
    .map(({ reason = "", message = "" }) => `${reason}: ${message}`);
  return [...waiting, ...unscheduled].map((reason) => `pod ${metadata?.name}: ${reason}`);
}
