// Mirrors `controller/deployment/deployment_controller.go, syncDeployment`.
import type { V1Deployment, V1Pod, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import {
  controllerOf,
  type DeepReadonly,
  Deployment,
  formatKey,
  type LabelSelector,
  labelSelectorOf,
  type ObjectKey,
  Pod,
  refersTo,
  ReplicaSet,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { MappingContext } from "../../controller/definition/mapping.ts";
import type { ChangeEvent } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { hasStatusCause } from "../../client/errors/api_error.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import { claim } from "../ownership/claim.ts";
import { controllerIndex, ownedOrOrphaned, toClaimants } from "../ownership/controller_index.ts";
import { conditionOf } from "./deployment_conditions.ts";
import { syncStatus } from "./deployment_status.ts";
import { syncReplicaSets } from "./new_replica_set.ts";
import { recreate } from "./recreate.ts";
import { type ReplicaSets, replicaSetsOf } from "./replica_sets.ts";
import { rollBack, rollbackRevision } from "./rollback.ts";
import { rollingUpdate } from "./rolling_update.ts";
import { Rollout } from "./rollout.ts";
import { isRollingUpdate } from "./rollout_limits.ts";
import { isScaled, scaleDeployment } from "./scale_deployment.ts";

/**
 * The Deployment controller: keeps one ReplicaSet per pod template, and moves the pods from the old
 * ReplicaSets to the current one by the strategy of the Deployment.
 */
export const deploymentController: ControllerDefinition = controllerFor(Deployment)
  .named("deployment-controller")
  .watches(ReplicaSet, toClaimants(Deployment, selectorOf), { indexes: controllerIndex })
  .watches(Pod, toDeployment, { indexes: controllerIndex, predicates: [isDeletion] })
  .options({ workers: 5, hotLoopRuns: Infinity })
  .reconcile(reconcileDeployment);

/** Returns the label selector of a Deployment; `undefined` if it selects everything. */
function selectorOf({ spec }: DeepReadonly<V1Deployment>): LabelSelector | undefined {
  const selector = labelSelectorOf(spec.selector);
  return selector.requirements.length === 0 ? undefined : selector;
}

/**
 * Returns the key of the Deployment that controls the ReplicaSet of a pod, as a list of one, if the
 * strategy of the Deployment is `Recreate`, which waits until old pods have terminated; otherwise
 * an empty list.
 */
function toDeployment(
  { namespace, ownerReferences }: ObservedObject<V1Pod>,
  { cache }: MappingContext,
): ObjectKey[] {
  const owner = controllerOf({ ownerReferences });
  if (!owner || !refersTo(owner, ReplicaSet)) return [];
  const set = cache.shared.get(ReplicaSet, formatKey({ namespace, name: owner.name }));
  const deployment = set && controllerOf(set.metadata);
  if (!deployment || !refersTo(deployment, Deployment)) return [];
  const key = formatKey({ namespace, name: deployment.name });
  const found = cache.shared.get(Deployment, key);
  return found?.spec.strategy?.type === "Recreate" ? [key] : [];
}

function isDeletion({ type }: ChangeEvent<V1Pod>): boolean {
  return type === "deleted";
}

async function reconcileDeployment(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, key } = context;
  const deployment = cache.get(Deployment, key);
  if (!deployment) return;
  const rollout = new Rollout(context, deployment);
  const selector = selectorOf(deployment);
  if (!selector) return await refuseToSelectAll(rollout);
  try {
    const requeueAfterMs = await sync(rollout, await replicaSetsFor(context, deployment, selector));
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  } catch (error) {
    // Everything in the namespace is being deleted, the Deployment too.
    if (!hasStatusCause(error, "NamespaceTerminating")) throw error;
  }
}

async function refuseToSelectAll(rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  const note = "This deployment is selecting all pods. A non-empty selector is required.";
  rollout.record("Warning", "SelectingAll", note);
  const { generation = 0 } = deployment.metadata;
  if ((deployment.status?.observedGeneration ?? 0) >= generation) return;
  deployment.status = { ...deployment.status, observedGeneration: generation };
  await rollout.writeStatus();
}

/**
 * Adopts and releases ReplicaSets for a Deployment; returns those that it then controls, divided
 * into the current and the old ones.
 */
async function replicaSetsFor(
  context: ReconcileContext,
  deployment: V1Deployment,
  selector: LabelSelector,
): Promise<ReplicaSets> {
  const claimed = await claim(context, {
    ownerType: Deployment,
    owner: deployment,
    selector,
    type: ReplicaSet,
    objects: await ownedOrOrphaned(context.cache, ReplicaSet, deployment),
  });
  // The run changes copies, never the shared objects of the cache.
  return replicaSetsOf(deployment, claimed as unknown as V1ReplicaSet[]);
}

/**
 * Brings a Deployment one step closer to its spec; returns the time until the next reconcile run in
 * milliseconds, or `undefined` if the next change triggers it.
 */
async function sync(rollout: Rollout, found: ReplicaSets): Promise<number | undefined> {
  const { deployment } = rollout;
  if (deployment.metadata.deletionTimestamp !== undefined) {
    await syncStatus(rollout, await syncReplicaSets(rollout, found, { create: false }));
    return undefined;
  }
  await syncPause(rollout);
  if (deployment.spec.paused) return await syncSize(rollout, found);
  const revision = rollbackRevision(deployment);
  if (revision !== undefined) {
    await rollBack(rollout, found, revision);
    return undefined;
  }
  const sets = await syncReplicaSets(rollout, found, { create: false });
  if (isScaled(deployment, sets)) return await syncSize(rollout, sets);
  return isRollingUpdate(deployment)
    ? await rollingUpdate(rollout, sets)
    : await recreate(rollout, sets);
}

/**
 * Scales the ReplicaSets of a Deployment that is paused or whose `spec.replicas` changed, without a
 * rollout step, and writes its status. Surplus old ReplicaSets of a paused Deployment are deleted.
 */
async function syncSize(rollout: Rollout, found: ReplicaSets): Promise<undefined> {
  const sets = await syncReplicaSets(rollout, found, { create: false });
  await scaleDeployment(rollout, sets);
  if (rollout.deployment.spec.paused) await rollout.cleanUp(sets.old);
  await syncStatus(rollout, sets);
}

/**
 * Writes the condition `Progressing` of a Deployment that was paused or resumed, if the Deployment
 * has a progress deadline and has not exceeded it.
 */
async function syncPause(rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  if (!rollout.hasProgressDeadline) return;
  const reason = conditionOf(deployment.status, "Progressing")?.reason;
  if (reason === "ProgressDeadlineExceeded") return;
  const wasPaused = reason === "DeploymentPaused";
  const isPaused = deployment.spec.paused === true;
  if (wasPaused === isPaused) return;
  rollout.setCondition({
    type: "Progressing",
    status: "Unknown",
    reason: isPaused ? "DeploymentPaused" : "DeploymentResumed",
    message: `Deployment is ${isPaused ? "paused" : "resumed"}`,
  });
  await rollout.writeStatus();
}
