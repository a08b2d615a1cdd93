// Mirrors `controller/daemon/daemon_controller.go, updateDaemonSetStatus`.
import type { V1DaemonSetStatus } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { isAvailable, isReady } from "../pods/pod_state.ts";
import type { DaemonRules } from "./daemon_changes.ts";
import { byAge, type Placement } from "./daemon_placement.ts";
import { isUpdated, type ReadDaemonSet } from "./daemon_pod.ts";

/**
 * Returns the computed status of a DaemonSet, with the conditions of its stored status. On each
 * node only the oldest pod counts.
 */
export function daemonSetStatus(
  set: ReadDaemonSet,
  { nodes }: Placement,
  { hash, minReadySeconds, nowMs, collisionCount }:
    & Pick<DaemonRules, "hash" | "minReadySeconds" | "nowMs">
    & { readonly collisionCount: number },
): V1DaemonSetStatus {
  const wanted = nodes.filter(({ shouldRun }) => shouldRun);
  const current = wanted.flatMap(({ pods }) => [...pods].sort(byAge).slice(0, 1));
  const ready = current.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs));
  const { generation } = set.metadata;
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: current.length,
    numberMisscheduled: nodes.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    numberReady: ready.length,
    updatedNumberScheduled: current.filter((pod) => isUpdated(set, pod, hash)).length,
    numberAvailable: available.length,
    numberUnavailable: wanted.length - available.length,
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(collisionCount > 0 && { collisionCount }),
    ...(set.status?.conditions && { conditions: [...set.status.conditions] as never }),
  };
}

/**
 * Reports whether a count or the observed generation in the computed status of a DaemonSet differs
 * from the stored status. Conditions are not compared.
 */
export function daemonStatusDiffers(
  { status }: ReadDaemonSet,
  next: V1DaemonSetStatus,
): boolean {
  const counts = (of: DeepReadonly<V1DaemonSetStatus> | undefined): unknown[] => [
    of?.desiredNumberScheduled ?? 0,
    of?.currentNumberScheduled ?? 0,
    of?.numberMisscheduled ?? 0,
    of?.numberReady ?? 0,
    of?.updatedNumberScheduled ?? 0,
    of?.numberAvailable ?? 0,
    of?.numberUnavailable ?? 0,
    of?.observedGeneration ?? 0,
    of?.collisionCount ?? 0,
  ];
  return JSON.stringify(counts(status)) !== JSON.stringify(counts(next));
}
