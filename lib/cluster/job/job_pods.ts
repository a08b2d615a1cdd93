// Mirrors `controller/job/job_controller.go, manageJob`.
import type { V1Job, V1Pod } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, Job } from "@xca/apimachinery/meta";
import { createPod, podOf, slowStart } from "../pods/pod_control.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { COMPLETION_INDEX } from "./completion_indexes.ts";
import { hasLimitPerIndex, noteFailures } from "./index_failures.ts";
import { TRACKING } from "./job_tracking.ts";

/**
 * Creates `count` pods of a Job, the first of them with the given completion indexes, of which a Job
 * without indexes has none. `replaced` contains the failed pods that the new pods replace, by
 * completion index.
 *
 * @throws {ApiError} When the server refuses a pod; others may have been created.
 */
export async function createJobPods(
  context: ReconcileContext,
  job: DeepReadonly<V1Job>,
  count: number,
  indexes: readonly number[],
  replaced: ReadonlyMap<number, ReadPod>,
): Promise<void> {
  const owner = { type: Job, object: job };
  const waiting = [...indexes];
  await slowStart(count, async () => {
    const pod = podOf(owner, job.spec!.template);
    pod.metadata.finalizers = [...pod.metadata.finalizers ?? [], TRACKING];
    const index = waiting.shift();
    if (index !== undefined) {
      withIndex(pod, job, index);
      if (hasLimitPerIndex(job)) noteFailures(job, pod, replaced.get(index));
    }
    await createPod(context, owner, pod);
  });
}

/**
 * Sets the completion index of a pod in its labels, annotations, name, host name and environment,
 * in place, and returns the pod.
 */
function withIndex(pod: V1Pod, { metadata }: DeepReadonly<V1Job>, index: number): V1Pod {
  const mark = { [COMPLETION_INDEX]: String(index) };
  const hostname = `${metadata.name}-${index}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, ...mark };
  pod.metadata.labels = { ...pod.metadata.labels, ...mark };
  pod.metadata.generateName = `${hostname}-`;
  const env = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } },
  };
  const withEnv = <C extends { readonly env?: readonly { readonly name: string }[] }>(
    container: C,
  ): C => {
    const own = container.env ?? [];
    const has = own.some(({ name }) => name === env.name);
    return has ? container : { ...container, env: [...own, env] };
  };
  const { containers = [], initContainers } = pod.spec ?? {};
  pod.spec = {
    ...pod.spec,
    hostname,
    containers: containers.map(withEnv),
    ...(initContainers && { initContainers: initContainers.map(withEnv) }),
  };
  return pod;
}
