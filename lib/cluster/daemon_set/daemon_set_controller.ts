// Mirrors `controller/daemon/daemon_controller.go, DaemonSetsController`.
import {
  ControllerRevision,
  DaemonSet,
  keyOf,
  type LabelSelector,
  labelSelectorOf,
  Node,
  Pod,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { Predicate } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { claim } from "../ownership/claim.ts";
import { controllerIndex, ownedOrOrphaned, toClaimants } from "../ownership/controller_index.ts";
import { failureOf } from "../pods/failure_of.ts";
import {
  allSettled,
  BURST_REPLICAS,
  createPod,
  deletePod,
  slowStart,
} from "../pods/pod_control.ts";
import { nextAvailabilityMs, type ReadPod } from "../pods/pod_state.ts";
import { writeStatus } from "../status/write_status.ts";
import { type History, syncHistory, truncateHistory } from "../workloads/controller_history.ts";
import { type DaemonChanges, type DaemonRules, neededChanges } from "./daemon_changes.ts";
import { type DaemonNode, type Placement, placementOf } from "./daemon_placement.ts";
import { daemonPod, type ReadDaemonSet, REVISION_HASH } from "./daemon_pod.ts";
import { daemonSetStatus, daemonStatusDiffers } from "./daemon_set_status.ts";
import { daemonLimits, updateChanges } from "./daemon_update.ts";
import { FailedPodBackoff } from "./failed_pod_backoff.ts";
import { mergeRevisions } from "./merge_revisions.ts";

/** The default number of old revisions of a DaemonSet that are kept. */
const HISTORY_LIMIT = 10;

/**
 * Creates the DaemonSet controller: it keeps a pod on each node that the pod template fits,
 * unhealthy nodes included, and replaces the pods step by step after a change of the template.
 */
export function daemonSetController(): ControllerDefinition {
  const backoff = new FailedPodBackoff();
  return controllerFor(DaemonSet, { indexes: controllerIndex })
    .named("daemonset-controller")
    .watches(Pod, toClaimants(DaemonSet, selectorOf), { indexes: controllerIndex })
    .watches(
      Node,
      async (_node, { cache }) => (await cache.shared.list(DaemonSet)).map(keyOf),
      { predicates: [isPlacementChange] },
    )
    .owns(ControllerRevision, { indexes: controllerIndex })
    .options({ workers: 2, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileDaemonSet(context, backoff));
}

function selectorOf({ spec }: ReadDaemonSet): LabelSelector {
  return labelSelectorOf(spec!.selector);
}

/**
 * A predicate that passes the node events that can change which DaemonSets fit the node: creations,
 * deletions, and changes of labels and taints.
 */
const isPlacementChange: Predicate = (event) => {
  if (event.type !== "updated") return true;
  const facts = ({ labels, object }: typeof event.object): string =>
    JSON.stringify([labels, (object as { spec?: { taints?: unknown } }).spec?.taints]);
  return facts(event.old) !== facts(event.object);
};

/** The state of a DaemonSet at the start of a reconcile run. */
interface DaemonState {
  readonly set: ReadDaemonSet;
  readonly placement: Placement;
  readonly rules: DaemonRules;
}

async function reconcileDaemonSet(
  context: ReconcileContext,
  backoff: FailedPodBackoff,
): Promise<RequeueAfter | void> {
  const { cache, key, clock, events } = context;
  const set = cache.shared.get(DaemonSet, key);
  if (!set) return;
  const { selector, minReadySeconds = 0, template } = set.spec!;
  if (Object.keys(selector).length === 0) {
    const note = "This daemon set is selecting all pods. A non-empty selector is required.";
    events.record(DaemonSet, set, { type: "Warning", reason: "SelectingAll", note });
    return;
  }
  if (set.metadata.deletionTimestamp !== undefined) return;
  const nodes = await cache.shared.list(Node);
  const owner = { type: DaemonSet, owner: set, selector: selectorOf(set) };
  const history = await syncHistory(context, {
    ...owner,
    template: template as never,
    collisionCount: set.status?.collisionCount ?? 0,
    hashLabel: REVISION_HASH,
  });
  const hash = history.current.metadata.labels?.[REVISION_HASH] ?? "";
  const pods = await claim(context, {
    ...owner,
    ownerType: DaemonSet,
    type: Pod,
    objects: await ownedOrOrphaned(cache, Pod, set),
  });
  // The events of the changed pods and revisions trigger the next reconcile run.
  if (await mergeRevisions(context, history, pods)) return;
  const nowMs = clock.now().getTime();
  const failed = new FailedPods(context, set, backoff);
  const rules: DaemonRules = {
    hash,
    minReadySeconds,
    nowMs,
    allowsSurge: daemonLimits(set, 1).maxSurge > 0,
    mayReplace: (pod, node) => failed.mayReplace(pod, node),
  };
  const state = { set, placement: placementOf(set, nodes, pods), rules };
  const failure = await failureOf(step(context, state));
  const { collisionCount } = history;
  const status = daemonSetStatus(set, state.placement, { ...rules, collisionCount });
  if (daemonStatusDiffers(set, status)) await writeStatus(context, DaemonSet, set, () => status);
  if (failure !== undefined) throw failure;
  await forgetRevisions(context, set, history, pods);
  return nextRun(pods, rules, failed.waitMs);
}

/**
 * Brings the pods of a DaemonSet one step closer to the spec: their number on each node, or their
 * template once the numbers are right, unless the update strategy is `OnDelete`.
 */
async function step(context: ReconcileContext, state: DaemonState): Promise<void> {
  const { set, placement, rules } = state;
  const needed = neededChanges(placement, rules);
  await apply(context, state, needed);
  if (needed.create.length > 0 || needed.remove.length > 0) return;
  if (set.spec!.updateStrategy?.type === "OnDelete") return;
  await apply(context, state, updateChanges(set, placement, rules));
}

async function apply(
  context: ReconcileContext,
  { set, rules }: DaemonState,
  { create, remove }: DaemonChanges,
): Promise<void> {
  const owner = { type: DaemonSet, object: set };
  const nodes = create.slice(0, BURST_REPLICAS).values();
  const failure = await failureOf(
    slowStart(
      Math.min(create.length, BURST_REPLICAS),
      () => createPod(context, owner, daemonPod(set, rules.hash, nodes.next().value!)),
    ),
  );
  await allSettled(remove.slice(0, BURST_REPLICAS).map((pod) => deletePod(context, owner, pod)));
  if (failure !== undefined) throw failure;
}

/**
 * Deletes the oldest revisions of a DaemonSet beyond the history limit. The current revision and
 * those of existing pods are kept; the latter count towards the limit.
 */
async function forgetRevisions(
  context: ReconcileContext,
  { spec }: ReadDaemonSet,
  history: History,
  pods: readonly ReadPod[],
): Promise<void> {
  const { revisionHistoryLimit = HISTORY_LIMIT } = spec!;
  const running = new Set(pods.map(({ metadata }) => metadata.labels?.[REVISION_HASH]));
  const inUse = history.revisions.filter((each) =>
    each !== history.current && running.has(each.metadata.labels?.[REVISION_HASH])
  );
  const kept = [history.current, ...inUse].map(({ metadata }) => metadata.name ?? "");
  const limit = Math.max(0, revisionHistoryLimit - inUse.length);
  await truncateHistory(context, history, new Set(kept), limit);
}

/** The decisions of one reconcile run whether terminated pods of a DaemonSet may be deleted now. */
class FailedPods {
  /**
   * The shortest time until a failed pod of the DaemonSet may be deleted, in milliseconds;
   * `undefined` if no failed pod waits.
   */
  waitMs: number | undefined;
  readonly #context: ReconcileContext;
  readonly #set: ReadDaemonSet;
  readonly #backoff: FailedPodBackoff;

  constructor(context: ReconcileContext, set: ReadDaemonSet, backoff: FailedPodBackoff) {
    this.#context = context;
    this.#set = set;
    this.#backoff = backoff;
  }

  /**
   * Reports whether a terminated pod of the DaemonSet may be deleted now. If so, emits an event,
   * and doubles the back-off of the node if the pod has failed; failed pods wait for this back-off.
   */
  mayReplace({ metadata, status }: ReadPod, node: DaemonNode): boolean {
    const { events, clock } = this.#context;
    const about = `daemon pod ${metadata.namespace}/${metadata.name} on node ${node.name}`;
    if (status?.phase === "Succeeded") {
      const note = `Found succeeded ${about}, will try to delete it`;
      events.record(DaemonSet, this.#set, { reason: "SucceededDaemonPod", note });
      return true;
    }
    const nowMs = clock.now().getTime();
    const { uid } = this.#set.metadata;
    const key = `${uid}/${this.#set.status?.observedGeneration ?? 0}/${node.name}`;
    const waitMs = this.#backoff.waitMs(key, nowMs);
    if (waitMs > 0) {
      this.waitMs = Math.min(waitMs, this.waitMs ?? Infinity);
      return false;
    }
    this.#backoff.next(key, nowMs);
    const note = `Found failed ${about}, will try to kill it`;
    events.record(DaemonSet, this.#set, { type: "Warning", reason: "FailedDaemonPod", note });
    return true;
  }
}

/**
 * Returns the delay until the next reconcile run of a DaemonSet, in which a pod becomes available
 * or a failed pod may be deleted; `undefined` if there is no such pod.
 */
function nextRun(
  pods: readonly ReadPod[],
  { minReadySeconds, nowMs }: DaemonRules,
  failedMs: number | undefined,
): RequeueAfter | undefined {
  const availableMs = minReadySeconds > 0
    ? nextAvailabilityMs(pods, minReadySeconds, nowMs)
    : undefined;
  const waits = [availableMs, failedMs].filter((waitMs) => waitMs !== undefined);
  return waits.length === 0 ? undefined : { requeueAfterMs: Math.min(...waits) };
}
