// Mirrors `controller/replicaset/replica_set_utils.go, calculateStatus`.
import type { Clock } from "@xca/apimachinery/base";
import type {
  V1ReplicaSet,
  V1ReplicaSetCondition,
  V1ReplicaSetStatus,
} from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatTime,
  labelSelectorOf,
  matchesLabels,
} from "@xca/apimachinery/meta";
import { isAvailable, isReady, type ReadPod } from "../pods/pod_state.ts";

const REPLICA_FAILURE = "ReplicaFailure";

/** The facts from which the status of a ReplicaSet is computed. */
export interface ReplicaSetFacts {
  readonly replicaSet: DeepReadonly<V1ReplicaSet>;
  /**
   * The pods of the ReplicaSet that count as replicas, as read at the start of the reconcile run.
   */
  readonly active: readonly ReadPod[];
  /** The terminating pods of the ReplicaSet; `undefined` if its status does not count them. */
  readonly terminating: readonly ReadPod[] | undefined;
  /** The error of a refused pod creation or deletion; `undefined` if there was none. */
  readonly failure: unknown;
  readonly clock: Clock;
}

/** Returns the computed status of a ReplicaSet. */
export function replicaSetStatus(facts: ReplicaSetFacts): V1ReplicaSetStatus {
  const { replicaSet, active, terminating, clock } = facts;
  const { template, minReadySeconds = 0 } = replicaSet.spec;
  const labels = labelSelectorOf({ matchLabels: template?.metadata?.labels });
  const nowMs = clock.now().getTime();
  const ready = active.filter(isReady);
  const conditions = conditionsOf(facts);
  return {
    replicas: active.length,
    fullyLabeledReplicas: active
      .filter(({ metadata }) => matchesLabels(labels, metadata.labels ?? {})).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
    ...(terminating && { terminatingReplicas: terminating.length }),
    ...(replicaSet.metadata.generation !== undefined && {
      observedGeneration: replicaSet.metadata.generation,
    }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** Reports whether the computed status of a ReplicaSet differs from the stored one. */
export function statusDiffers(
  { status }: DeepReadonly<V1ReplicaSet>,
  next: V1ReplicaSetStatus,
): boolean {
  const counts = (of: DeepReadonly<V1ReplicaSetStatus> | undefined): unknown[] => [
    of?.replicas ?? 0,
    of?.fullyLabeledReplicas ?? 0,
    of?.readyReplicas ?? 0,
    of?.availableReplicas ?? 0,
    of?.terminatingReplicas,
    of?.observedGeneration,
    of?.conditions ?? [],
  ];
  return JSON.stringify(counts(status)) !== JSON.stringify(counts(next));
}

/**
 * Returns the conditions of a ReplicaSet: `ReplicaFailure` is added at the first failure, kept
 * while failures continue, and removed after a success.
 */
function conditionsOf(facts: ReplicaSetFacts): V1ReplicaSetCondition[] {
  const { replicaSet, active, failure, clock } = facts;
  const conditions = [...replicaSet.status?.conditions ?? []] as V1ReplicaSetCondition[];
  const isFailing = conditions.some(({ type }) => type === REPLICA_FAILURE);
  if (failure === undefined) return conditions.filter(({ type }) => type !== REPLICA_FAILURE);
  if (isFailing) return conditions;
  const missing = active.length < (replicaSet.spec.replicas ?? 1);
  return [...conditions, {
    type: REPLICA_FAILURE,
    status: "True",
    lastTransitionTime: formatTime(clock.now()),
    reason: missing ? "FailedCreate" : "FailedDelete",
    message: failure instanceof Error ? failure.message : String(failure),
  }];
}
