// Mirrors `controller/replicaset/replica_set.go, ReplicaSetController`.
import type { V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import {
  controllerOf,
  type DeepReadonly,
  type KubeObject,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
  Pod,
  type ResourceType,
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

/** A deeply read-only ReplicaSet. */
export type ReadReplicaSet = DeepReadonly<V1ReplicaSet>;

/** A kind whose objects keep a number of pods: ReplicaSet or ReplicationController. */
export interface ReplicatedKind<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** The name of the controller of the kind, ReplicaSet or ReplicationController. */
  readonly name: string;
  /** The name that the controller's events report as their source. */
  readonly eventSource: string;
  /** Returns an object of the kind (ReplicaSet or ReplicationController) as a ReplicaSet. */
  readonly asReplicaSet: (object: DeepReadonly<T>) => ReadReplicaSet;
  /**
   * Reports whether the status of the kind (ReplicaSet or ReplicationController) counts terminating
   * pods.
   */
  readonly countsTerminating: boolean;
}

/**
 * Creates the controller of a kind whose objects keep a number of pods: it creates and deletes
 * pods, adopts pods without a controller that the selector of an object matches, releases pods
 * whose labels no longer match, and counts the pods in the status.
 */
export function replicasController<T extends KubeObject>(
  kind: ReplicatedKind<T>,
): ControllerDefinition {
  const { type, name, eventSource, asReplicaSet } = kind;
  const selectorOfObject = (object: DeepReadonly<T>): LabelSelector =>
    selectorOf(asReplicaSet(object));
  return controllerFor(type, { indexes: controllerIndex })
    .named(name)
    .watches(Pod, toClaimants(type, selectorOfObject), { indexes: controllerIndex })
    .options({ eventSource, workers: 5, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileReplicas(context, kind));
}

function selectorOf({ spec }: ReadReplicaSet): LabelSelector {
  return labelSelectorOf(spec.selector);
}

async function reconcileReplicas<T extends KubeObject>(
  context: ReconcileContext,
  kind: ReplicatedKind<T>,
): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const { type } = kind;
  const object = cache.shared.get(type, key);
  if (!object) return;
  const replicaSet = kind.asReplicaSet(object);
  const selector = selectorOf(replicaSet);
  const pods = await ownedOrOrphaned(cache, Pod, object);
  const active = await claim(context, {
    ownerType: type,
    owner: object,
    selector,
    type: Pod,
    objects: pods.filter(isActive),
  });
  const terminating = pods.filter((pod) =>
    isTerminating(pod) && controllerOf(pod.metadata)?.uid === replicaSet.metadata.uid &&
    matchesLabels(selector, pod.metadata.labels ?? {})
  );
  const failure = replicaSet.metadata.deletionTimestamp === undefined
    ? await failureOf(scale(context, kind, { object, replicaSet, active }))
    : undefined;
  const counted = kind.countsTerminating ? terminating : undefined;
  const facts = { replicaSet, active, terminating: counted, failure, clock };
  const status = replicaSetStatus(facts);
  if (statusDiffers(replicaSet, status)) await writeStatus(context, type, object, () => status);
  if (failure !== undefined) throw failure;
  const { minReadySeconds = 0 } = replicaSet.spec;
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return;
  const nowMs = clock.now().getTime();
  const waitMs = nextAvailabilityMs(active, minReadySeconds, nowMs) ?? minReadySeconds * 1000;
  return { requeueAfterMs: waitMs };
}

/** A ReplicaSet or ReplicationController, and its pods that count as replicas. */
interface Replicas<T extends KubeObject> {
  readonly object: DeepReadonly<T>;
  readonly replicaSet: ReadReplicaSet;
  readonly active: readonly ReadPod[];
}

/**
 * Creates the missing pods of a ReplicaSet or ReplicationController, or deletes its surplus pods;
 * at most `BURST_REPLICAS` of them.
 */
async function scale<T extends KubeObject>(
  context: ReconcileContext,
  kind: ReplicatedKind<T>,
  { object, replicaSet, active }: Replicas<T>,
): Promise<void> {
  const { replicas = 1, template = {} } = replicaSet.spec;
  const missing = Math.min(replicas - active.length, BURST_REPLICAS);
  const owner = { type: kind.type, object };
  if (missing > 0) {
    await slowStart(missing, () => createPod(context, owner, podOf(owner, template)));
    return;
  }
  const surplus = Math.min(active.length - replicas, BURST_REPLICAS);
  if (surplus <= 0) return;
  const related = await podsOfSameController(context, kind, object);
  const ordered = inDeletionOrder(active, related, context.clock.now().getTime());
  await allSettled(ordered.slice(0, surplus).map((pod) => deletePod(context, owner, pod)));
}

/**
 * Returns the pods that the ReplicaSets of the same Deployment select; for an object without a
 * controller the pods that it selects itself. A replica that shares its node with many of these
 * pods is deleted first.
 */
async function podsOfSameController<T extends KubeObject>(
  { cache }: ReconcileContext,
  { type, asReplicaSet }: ReplicatedKind<T>,
  object: DeepReadonly<T>,
): Promise<ReadPod[]> {
  const { namespace = "" } = object.metadata;
  const controller = controllerOf(object.metadata);
  const siblings = controller
    ? await ownedBy(cache, type, { metadata: { uid: controller.uid } })
    : [object];
  const lists = siblings.map((sibling) =>
    cache.shared.list(Pod, { namespace, labelSelector: selectorOf(asReplicaSet(sibling)) })
  );
  const pods = (await Promise.all(lists)).flat();
  return [...new Map(pods.map((pod) => [pod.metadata.uid, pod])).values()];
}
