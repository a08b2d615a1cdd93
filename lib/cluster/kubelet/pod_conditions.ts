// Mirrors `kubelet/status/generate.go, GeneratePodReadyCondition`.
import type {
  V1ContainerStatus,
  V1PodCondition,
  V1PodStatus,
} from "@xca/apimachinery/kubernetes-types";
import type { ReadPod } from "../pods/pod_state.ts";

/** The status, reason and message of a pod condition. */
type Verdict = Pick<V1PodCondition, "status" | "reason" | "message">;

/**
 * Returns the conditions of a pod for its next `status`, whose `conditions` are still the present
 * ones: those that the kubelet owns are recomputed, those of other writers are kept. A condition
 * whose status is unchanged keeps its transition time.
 */
export function podConditions(pod: ReadPod, status: V1PodStatus, now: string): V1PodCondition[] {
  const before = status.conditions ?? [];
  const containersReady = containersVerdict(pod, status);
  const verdicts: Record<string, Verdict> = {
    PodReadyToStartContainers: status.phase === "Succeeded" || status.phase === "Failed"
      ? { status: "False" }
      : { status: "True" },
    Initialized: initializedVerdict(pod, status),
    Ready: readyVerdict(pod, before, containersReady),
    ContainersReady: containersReady,
  };
  const own = Object.entries(verdicts).map(([type, verdict]) => {
    const old = before.find((condition) => condition.type === type);
    const { generation } = pod.metadata;
    return {
      type,
      ...(generation !== undefined && { observedGeneration: generation }),
      ...verdict,
      lastTransitionTime: old?.status === verdict.status ? old.lastTransitionTime ?? now : now,
    };
  });
  return [...own, ...before.filter(({ type }) => !Object.hasOwn(verdicts, type))];
}

function initializedVerdict({ spec }: ReadPod, status: V1PodStatus): Verdict {
  if (status.phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  const incomplete = (spec?.initContainers ?? []).filter(({ name, restartPolicy }) => {
    const found = status.initContainerStatuses?.find((each) => each.name === name);
    return restartPolicy === "Always" ? found?.started !== true : found?.ready !== true;
  });
  if (incomplete.length === 0) return { status: "True" };
  const message = `containers with incomplete status: ${listed(incomplete)}`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

function containersVerdict({ spec }: ReadPod, status: V1PodStatus): Verdict {
  if (status.phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (status.phase === "Failed") return { status: "False", reason: "PodFailed" };
  const sidecars = (spec?.initContainers ?? [])
    .filter(({ restartPolicy }) => restartPolicy === "Always");
  const isReady = (statuses: readonly V1ContainerStatus[] | undefined, name: string): boolean =>
    statuses?.find((each) => each.name === name)?.ready === true;
  const unready = [
    ...sidecars.filter(({ name }) => !isReady(status.initContainerStatuses, name)),
    ...(spec?.containers ?? []).filter(({ name }) => !isReady(status.containerStatuses, name)),
  ];
  if (unready.length === 0) return { status: "True" };
  const message = `containers with unready status: ${listed(unready)}`;
  return { status: "False", reason: "ContainersNotReady", message };
}

function readyVerdict(
  { spec }: ReadPod,
  conditions: readonly V1PodCondition[],
  containersReady: Verdict,
): Verdict {
  if (containersReady.status !== "True") return containersReady;
  const problems = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const quoted = JSON.stringify(conditionType);
    const found = conditions.find(({ type }) => type === conditionType);
    if (!found) return [`corresponding condition of pod readiness gate ${quoted} does not exist.`];
    if (found.status === "True") return [];
    return [`the status of pod readiness gate ${quoted} is not "True", but ${found.status}`];
  });
  if (problems.length === 0) return { status: "True" };
  return { status: "False", reason: "ReadinessGatesNotReady", message: problems.join(", ") };
}

function listed(containers: readonly { readonly name: string }[]): string {
  return `[${containers.map(({ name }) => name).join(" ")}]`;
}
