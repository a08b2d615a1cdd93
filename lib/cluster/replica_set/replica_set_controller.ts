// Mirrors `controller/replicaset/replica_set.go, ReplicaSetController`.
import type { V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import {
  controllerOf,
  type DeepReadonly,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
  Pod,
  ReplicaSet,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { claim } from "../ownership/claim.ts";
import {
  controllerIndex,
  ownedBy,
  ownedOrOrphaned,
  toClaimants,
} from "../ownership/controller_index.ts";
import { failureOf } from "../pods/failure_of.ts";
import { inDeletionOrder } from "../pods/deletion_order.ts";
import {
  allSettled,
  BURST_REPLICAS,
  createPod,
  deletePod,
  podOf,
  slowStart,
} from "../pods/pod_control.ts";
import { isActive, isTerminating, nextAvailabilityMs, type ReadPod } from "../pods/pod_state.ts";
import { writeStatus } from "../status/write_status.ts";
import { replicaSetStatus, statusDiffers } from "./replica_set_status.ts";

type ReadReplicaSet = DeepReadonly<V1ReplicaSet>;

/**
 * The controller of ReplicaSets: keeps the number of pods that each asks for, adopts pods that it
 * selects and nobody controls, releases pods whose labels no longer match, and counts them in the
 * status.
 */
export const replicaSetController: ControllerDefinition = controllerFor(ReplicaSet, {
  indexes: controllerIndex,
})
  .named("replicaset-controller")
  .watches(Pod, toClaimants(ReplicaSet, selectorOf), { indexes: controllerIndex })
  .options({ workers: 5, hotLoopRuns: Infinity })
  .reconcile(reconcileReplicaSet);

function selectorOf({ spec }: ReadReplicaSet): LabelSelector {
  return labelSelectorOf(spec.selector);
}

async function reconcileReplicaSet(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const replicaSet = cache.shared.get(ReplicaSet, key);
  if (!replicaSet) return;
  const selector = selectorOf(replicaSet);
  const pods = await ownedOrOrphaned(cache, Pod, replicaSet);
  const active = await claim(context, {
    ownerType: ReplicaSet,
    owner: replicaSet,
    selector,
    type: Pod,
    objects: pods.filter(isActive),
  });
  const terminating = pods.filter((pod) =>
    isTerminating(pod) && controllerOf(pod.metadata)?.uid === replicaSet.metadata.uid &&
    matchesLabels(selector, pod.metadata.labels ?? {})
  );
  const failure = replicaSet.metadata.deletionTimestamp === undefined
    ? await failureOf(scale(context, replicaSet, active))
    : undefined;
  const facts = { replicaSet, active, terminating, failure, clock };
  const status = replicaSetStatus(facts);
  if (statusDiffers(replicaSet, status)) {
    await writeStatus(context, ReplicaSet, replicaSet, () => status);
  }
  if (failure !== undefined) throw failure;
  const { minReadySeconds = 0 } = replicaSet.spec;
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return;
  const nowMs = clock.now().getTime();
  const waitMs = nextAvailabilityMs(active, minReadySeconds, nowMs) ?? minReadySeconds * 1000;
  return { requeueAfterMs: waitMs };
}

/** Creates the pods that are missing, or deletes those that are too many. */
async function scale(
  context: ReconcileContext,
  replicaSet: ReadReplicaSet,
  active: readonly ReadPod[],
): Promise<void> {
  const { replicas = 1, template = {} } = replicaSet.spec;
  const missing = Math.min(replicas - active.length, BURST_REPLICAS);
  const owner = { type: ReplicaSet, object: replicaSet };
  if (missing > 0) {
    await slowStart(missing, () => createPod(context, owner, podOf(owner, template)));
    return;
  }
  const surplus = Math.min(active.length - replicas, BURST_REPLICAS);
  if (surplus <= 0) return;
  const related = await podsOfSameController(context, replicaSet);
  const ordered = inDeletionOrder(active, related, context.clock.now().getTime());
  await allSettled(ordered.slice(0, surplus).map((pod) => deletePod(context, owner, pod)));
}

/**
 * Returns the pods that the ReplicaSets of the same Deployment select: replicas beside many of
 * them on one node are deleted first.
 */
async function podsOfSameController(
  { cache }: ReconcileContext,
  replicaSet: ReadReplicaSet,
): Promise<ReadPod[]> {
  const { namespace = "" } = replicaSet.metadata;
  const controller = controllerOf(replicaSet.metadata);
  const siblings = controller
    ? await ownedBy(cache, ReplicaSet, { metadata: { uid: controller.uid } })
    : [replicaSet];
  const lists = siblings.map((sibling) =>
    cache.shared.list(Pod, { namespace, labelSelector: selectorOf(sibling) })
  );
  const pods = (await Promise.all(lists)).flat();
  return [...new Map(pods.map((pod) => [pod.metadata.uid, pod])).values()];
}
