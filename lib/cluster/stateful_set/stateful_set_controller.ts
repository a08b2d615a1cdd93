// Mirrors `controller/statefulset/stateful_set.go, StatefulSetController`.
import type { V1StatefulSetStatus } from "@xca/apimachinery/kubernetes-types";
import {
  ControllerRevision,
  type LabelSelector,
  labelSelectorOf,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { claim } from "../ownership/claim.ts";
import { controllerIndex, ownedOrOrphaned, toClaimants } from "../ownership/controller_index.ts";
import { isAvailable, isReady, nextAvailabilityMs, type ReadPod } from "../pods/pod_state.ts";
import { writeStatus } from "../status/write_status.ts";
import {
  type History,
  syncHistory,
  templateOf,
  truncateHistory,
} from "../workloads/controller_history.ts";
import { ordinalOf, type ReadStatefulSet, revisionOf } from "./stateful_pod.ts";
import { StatefulSetRun } from "./stateful_set_run.ts";

/** The default number of unused revisions of a StatefulSet that are kept. */
const HISTORY_LIMIT = 10;

/**
 * The StatefulSet controller: keeps one pod per ordinal, with a stable name and stable volume
 * claims, and creates, updates and deletes the pods in order.
 */
export const statefulSetController: ControllerDefinition = controllerFor(StatefulSet)
  .named("statefulset-controller")
  .watches(Pod, toClaimants(StatefulSet, selectorOf), { indexes: controllerIndex })
  // Changes of revisions cause no run: while a StatefulSet is deleted in the foreground, the
  // garbage collector would delete each revision that a run creates, and so cause the next run.
  .watches(ControllerRevision, () => [], { indexes: controllerIndex })
  .watches(PersistentVolumeClaim, () => [])
  .options({ workers: 5, hotLoopRuns: Infinity })
  .reconcile(reconcileStatefulSet);

function selectorOf({ spec }: ReadStatefulSet): LabelSelector {
  return labelSelectorOf(spec.selector);
}

async function reconcileStatefulSet(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const set = cache.shared.get(StatefulSet, key);
  if (!set) return;
  const selector = selectorOf(set);
  const found = await ownedOrOrphaned(cache, Pod, set);
  const pods = await claim(context, {
    ownerType: StatefulSet,
    owner: set,
    selector,
    type: Pod,
    // Pods whose names have no ordinal are not adopted, even if their labels match.
    objects: found.filter((pod) => ordinalOf(set, pod) !== undefined),
  });
  const history = await syncHistory(context, {
    type: StatefulSet,
    owner: set,
    selector,
    template: set.spec.template as never,
    collisionCount: set.status?.collisionCount ?? 0,
  });
  const revisions = revisionsOf(set, history);
  try {
    if (set.metadata.deletionTimestamp === undefined) {
      await new StatefulSetRun(context, { set, pods, ...revisions }).step();
    }
  } finally {
    const status = statusOf(set, pods, { ...history, ...revisions }, clock.now().getTime());
    if (!jsonEqual(status, set.status)) {
      await writeStatus(context, StatefulSet, set, () => status);
    }
  }
  const inUse = new Set([revisions.current.name, revisions.update.name, ...pods.map(revisionOf)]);
  const limit = set.spec.revisionHistoryLimit ?? HISTORY_LIMIT;
  await truncateHistory(context, history, inUse as Set<string>, limit);
  const { minReadySeconds = 0 } = set.spec;
  if (minReadySeconds === 0) return;
  const waitMs = nextAvailabilityMs(pods, minReadySeconds, clock.now().getTime());
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

interface Revisions {
  readonly current: { readonly name: string; readonly template: ReturnType<typeof templateOf> };
  readonly update: { readonly name: string; readonly template: ReturnType<typeof templateOf> };
}

/**
 * Returns the current revision of a StatefulSet, which its status names, and the update revision,
 * which belongs to its template. If the history lacks the named revision, both are the update
 * revision.
 */
function revisionsOf({ status }: ReadStatefulSet, { revisions, current }: History): Revisions {
  const before = revisions.find(({ metadata }) => metadata.name === status?.currentRevision);
  const of = (revision: typeof current): Revisions["current"] => ({
    name: revision.metadata.name ?? "",
    template: templateOf(revision),
  });
  return { current: of(before ?? current), update: of(current) };
}

function statusOf(
  set: ReadStatefulSet,
  pods: readonly ReadPod[],
  { current, update, collisionCount }: Revisions & Pick<History, "collisionCount">,
  nowMs: number,
): V1StatefulSetStatus {
  const { minReadySeconds = 0, replicas = 1 } = set.spec;
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ofRevision = (name: string): number =>
    staying.filter((pod) => revisionOf(pod) === name).length;
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod));
  const updated = ofRevision(update.name);
  const isComplete = [updated, ready.length, pods.length].every((count) => count === replicas);
  const counts = {
    readyReplicas: ready.length,
    currentReplicas: isComplete ? updated : ofRevision(current.name),
    updatedReplicas: updated,
  };
  const { generation } = set.metadata;
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    replicas: pods.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    currentRevision: isComplete ? update.name : current.name,
    updateRevision: update.name,
    collisionCount,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
  };
}
