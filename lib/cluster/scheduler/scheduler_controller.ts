// Mirrors `scheduler/schedule_one.go, ScheduleOne`.
import {
  formatKey,
  keyOf,
  Namespace,
  Node,
  type ObjectKey,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  Service,
  StatefulSet,
  StorageClass,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { MappingContext } from "../../controller/definition/mapping.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isNotFound } from "../../client/errors/api_error.ts";
import { bindPod } from "../../client/subresources/binding.ts";
import { isTerminal, type ReadPod } from "../pods/pod_state.ts";
import { podsByNode, podsOnNode } from "../pods/pods_on_node.ts";
import { NodeInfo } from "./node_info.ts";
import { defaultSelectorFrom } from "./score/default_selector.ts";
import { SchedulingCycle } from "./scheduling_cycle.ts";
import { bindClaims, volumeFacts } from "./bind_claims.ts";
import { writeUnschedulable } from "./unschedulable.ts";

/** The `schedulerName` of the pods that this scheduler assigns. */
const NAME = "default-scheduler";

/**
 * Creates the scheduler: it assigns each unassigned pod of the default scheduler that has no
 * scheduling gates to the node that fits best. If a pod fits no node, a condition and an event have
 * the reasons, in kube-scheduler's wording, and pods of lower priority are deleted where that makes
 * room for it.
 *
 * One reconcile run schedules all waiting pods, highest priority first, so that the pods on the
 * nodes are counted only once.
 */
export function schedulerController(): ControllerDefinition {
  const scheduler = new Scheduler();
  return controllerFor(Pod, { indexes: podsByNode })
    .named(NAME)
    .withPredicates(({ object }) => object.object.spec?.nodeName === undefined)
    .watches(Node, (_node, context) => waitingPods(context))
    .watches(Namespace, () => [])
    .watches(PersistentVolumeClaim, (_claim, context) => waitingPods(context))
    .watches(PersistentVolume, (_volume, context) => waitingPods(context))
    .watches(StorageClass, (_class, context) => waitingPods(context))
    .watches(PodDisruptionBudget, () => [])
    .watches(Service, () => [])
    .watches(ReplicationController, () => [])
    .watches(ReplicaSet, () => [])
    .watches(StatefulSet, () => [])
    .watches(Pod, (_pod, context) => waitingPods(context), {
      predicates: [({ type, object }) => type === "deleted" || isTerminal(object.object)],
    })
    .watches(Pod, (_pod, context) => podsWithNeighbours(context), {
      predicates: [(event) => {
        if (event.type === "deleted" || event.object.object.spec?.nodeName === undefined) {
          return false;
        }
        return event.type === "added" || event.old.object.spec?.nodeName === undefined;
      }],
    })
    .options({ eventSource: "default-scheduler", workers: 1, hotLoopRuns: Infinity })
    .reconcile((context) => scheduler.run(context));
}

async function waitingPods({ cache }: MappingContext): Promise<ObjectKey[]> {
  return (await podsOnNode(cache, "")).map(keyOf);
}

/**
 * Returns the keys of the waiting pods that a pod on a node may make schedulable: those with pod
 * affinity or topology spread constraints.
 */
async function podsWithNeighbours({ cache }: MappingContext): Promise<ObjectKey[]> {
  const waiting = await podsOnNode(cache, "");
  return waiting.filter(({ spec }) =>
    spec?.affinity?.podAffinity !== undefined || spec?.topologySpreadConstraints !== undefined
  ).map(keyOf);
}

/** The scheduler, with the state that it keeps between its reconcile runs. */
class Scheduler {
  /**
   * The node names of the pods that were assigned and that the cache shows as unassigned, by pod
   * UID.
   */
  readonly #assumed = new Map<string, string>();
  /** The node names of the pods whose claims are being bound, by pod UID. */
  readonly #binding = new Map<string, string>();

  async run(context: ReconcileContext): Promise<void> {
    const pod = context.cache.shared.get(Pod, context.key);
    if (!pod || !this.#isWaiting(pod)) return;
    const pods = await context.cache.shared.list(Pod);
    const nodes = await this.#nodes(context, pods);
    const namespaces = await context.cache.shared.list(Namespace);
    const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels]));
    const cycle = new SchedulingCycle({
      nodes,
      namespaceLabels: (namespace) => labels.get(namespace) ?? {},
      volumes: await volumeFacts(context),
      defaultSelector: defaultSelectorFrom({
        services: await context.cache.shared.list(Service),
        replicationController: (key) => context.cache.shared.get(ReplicationController, key),
        replicaSet: (key) => context.cache.shared.get(ReplicaSet, key),
        statefulSet: (key) => context.cache.shared.get(StatefulSet, key),
      }),
      chosenNode: (pod) => this.#binding.get(uidOf(pod)),
      random: context.random,
      budgets: await context.cache.shared.list(PodDisruptionBudget),
    });
    const waiting = pods.filter((each) => this.#isWaiting(each));
    const outcomes = cycle.schedule(waiting);
    for (const { pod, node, bindings } of outcomes) {
      if (node && bindings) this.#binding.set(uidOf(pod), node);
      else this.#binding.delete(uidOf(pod));
      if (node && !bindings) this.#assumed.set(uidOf(pod), node);
    }
    const writes = outcomes.filter(({ awaitsVictims }) => !awaitsVictims).map((outcome) =>
      outcome.node === undefined
        ? writeUnschedulable(context, outcome)
        : outcome.bindings
        ? bindClaims(context, outcome.bindings, outcome.node)
        : this.#bind(context, outcome.pod, outcome.node)
    );
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  #isWaiting(pod: ReadPod): boolean {
    const { nodeName, schedulerName = NAME, schedulingGates = [] } = pod.spec ?? {};
    return !nodeName && schedulerName === NAME && schedulingGates.length === 0 &&
      pod.metadata.deletionTimestamp === undefined && !isTerminal(pod) &&
      !this.#assumed.has(uidOf(pod));
  }

  /**
   * Returns the nodes in the order of their names, with their pods that have not terminated,
   * including pods that were just assigned. Removes pods that no longer exist from `#assumed` and
   * `#binding`, and from `#assumed` those that the cache shows as assigned.
   */
  async #nodes({ cache }: ReconcileContext, pods: readonly ReadPod[]): Promise<NodeInfo[]> {
    const nodes = (await cache.shared.list(Node)).map((node) => new NodeInfo(node));
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const uids = new Set<string>();
    for (const pod of pods) {
      uids.add(uidOf(pod));
      if (pod.spec?.nodeName) this.#assumed.delete(uidOf(pod));
      if (isTerminal(pod)) continue;
      byName.get(pod.spec?.nodeName ?? this.#assumed.get(uidOf(pod)) ?? "")?.add(pod);
    }
    for (const known of [this.#assumed, this.#binding]) {
      for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid);
    }
    return nodes.sort((a, b) => a.name < b.name ? -1 : 1);
  }

  async #bind(context: ReconcileContext, pod: ReadPod, node: string): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    try {
      await bindPod(context.client, formatKey({ namespace, name }), node, { uid });
      const note = `Successfully assigned ${namespace}/${name} to ${node}`;
      context.events.record(Pod, pod, { reason: "Scheduled", note, action: "Binding" });
    } catch (error) {
      this.#assumed.delete(uidOf(pod));
      if (!isNotFound(error)) throw error;
    }
  }
}

function uidOf({ metadata }: ReadPod): string {
  return metadata.uid ?? "";
}
