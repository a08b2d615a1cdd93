// Mirrors `controller/podgc/gc_controller.go, PodGCController`.
import type { V1Node, V1Pod, V1PodCondition } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime, keyOf, Node, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound, isNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { Predicate } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { surplusPods } from "./surplus_pods.ts";

/** The default number of terminated pods that the pod garbage collector keeps. */
const MOST_TERMINATED = 12_500;

/**
 * The time since the collector first missed the node of a pod after which it deletes the node's
 * pods, in milliseconds.
 */
const QUARANTINE_MS = 40_000;

const OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

/**
 * Options of {@linkcode podGarbageCollector}, which creates the controller that deletes orphaned
 * and surplus pods.
 */
export interface PodGarbageCollectorOptions {
  /**
   * The number of terminated pods that the pod garbage collector keeps; 0 keeps all.
   *
   * @default {12_500}
   */
  readonly terminatedPodThreshold?: number | undefined;
}

/**
 * Creates the pod garbage collector: it deletes the pods of nodes that no longer exist, pods that
 * are being deleted on nodes out of service or without a node, and terminated pods above a
 * threshold: evicted ones first, then the oldest.
 */
export function podGarbageCollector(
  { terminatedPodThreshold = MOST_TERMINATED }: PodGarbageCollectorOptions = {},
): ControllerDefinition {
  const collector = new PodGarbageCollector(terminatedPodThreshold);
  return controllerFor(Pod, { indexes: podsByNode })
    .named("pod-garbage-collector-controller")
    .withPredicates(isEndOrAssignment)
    .watches(Node, async ({ name }, { cache }) => (await podsOnNode(cache, name)).map(keyOf), {
      predicates: [isServiceChange],
    })
    .options({ workers: 1, hotLoopRuns: Infinity })
    .reconcile((context) => collector.run(context));
}

/**
 * A predicate that passes the pod events after which the pod may have to be garbage collected; most
 * status changes are skipped.
 */
const isEndOrAssignment: Predicate<V1Pod> = (event) => {
  if (event.type !== "updated") return true;
  const pod = event.object.object;
  return isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined ||
    pod.spec?.nodeName !== event.old.object.spec?.nodeName;
};

type ReadNode = DeepReadonly<V1Node>;

/**
 * A predicate that passes created and deleted nodes, and the updates by which a node becomes or
 * ceases to be out of service.
 */
const isServiceChange: Predicate = (event) =>
  event.type !== "updated" ||
  isOutOfService(event.old.object as ReadNode) !== isOutOfService(event.object.object as ReadNode);

function isOutOfService({ spec, status }: ReadNode): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status !== "True" && (spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);
}

/** The pod garbage collector, with the state that it keeps between its reconcile runs. */
class PodGarbageCollector {
  readonly #threshold: number;
  /**
   * The time since which each node of existing pods has been missing, in milliseconds since the
   * epoch, by node name.
   */
  readonly #goneSinceMs = new Map<string, number>();
  /** The keys of the terminated pods in the cluster. */
  readonly #ended = new Set<string>();

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  async run(context: ReconcileContext): Promise<RequeueAfter | void> {
    const { cache, key } = context;
    const pod = cache.shared.get(Pod, key);
    if (pod && isTerminal(pod)) this.#ended.add(key);
    else this.#ended.delete(key);
    if (this.#threshold > 0 && this.#ended.size > this.#threshold) {
      await this.#deleteSurplus(context);
    }
    if (!pod) return;
    const { nodeName } = pod.spec ?? {};
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (!nodeName) return isDeleted ? await failAndDelete(context, pod) : undefined;
    const node = cache.shared.get(Node, nodeName);
    if (!node) return await this.#deleteOrphan(context, pod, nodeName);
    this.#goneSinceMs.delete(nodeName);
    if (isDeleted && isOutOfService(node)) await failAndDelete(context, pod);
  }

  async #deleteOrphan(
    context: ReconcileContext,
    pod: ReadPod,
    node: string,
  ): Promise<RequeueAfter | void> {
    const { client, clock } = context;
    const nowMs = clock.now().getTime();
    const sinceMs = this.#goneSinceMs.get(node) ?? nowMs;
    this.#goneSinceMs.set(node, sinceMs);
    const waitMs = sinceMs + QUARANTINE_MS - nowMs;
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    // The cache may be behind. The pods of a node that exists again are kept.
    if (await exists(client, node)) return { requeueAfterMs: QUARANTINE_MS };
    await failAndDelete(context, pod, {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByPodGC",
      message: "PodGC: node no longer exists",
    });
    const left = await podsOnNode(context.cache, node);
    if (left.every(({ metadata }) => metadata.uid === pod.metadata.uid)) {
      this.#goneSinceMs.delete(node);
    }
  }

  async #deleteSurplus(context: ReconcileContext): Promise<void> {
    const pods = (await context.cache.shared.list(Pod)).filter(isTerminal);
    for (const pod of surplusPods(pods, this.#threshold)) {
      await failAndDelete(context, pod);
      this.#ended.delete(keyOf(pod));
    }
  }
}

async function exists(client: ReconcileContext["client"], node: string): Promise<boolean> {
  try {
    await client.get(Node, node);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Deletes a pod without a grace period; a pod that no longer exists is not an error. A pod that has
 * not terminated is first marked as failed, with the given condition, since no kubelet reports its
 * termination.
 */
async function failAndDelete(
  { client, clock }: ReconcileContext,
  pod: ReadPod,
  condition?: V1PodCondition,
): Promise<void> {
  const { uid } = pod.metadata;
  if (!isTerminal(pod)) {
    const lastTransitionTime = formatTime(clock.now());
    const conditions = condition && [{ ...condition, lastTransitionTime }];
    const body = {
      metadata: { uid },
      status: { phase: "Failed", ...(conditions && { conditions }) },
    };
    const patch = { type: "strategic", body } as never;
    await ignoreNotFound(client.patchStatus(Pod, keyOf(pod), patch));
  }
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  await ignoreNotFound(client.delete(Pod, keyOf(pod), options));
}
