// Mirrors `controller/deployment/sync.go, getNewReplicaSet`.
import type { V1Deployment, V1ReplicaSet } from "@xca/apimachinery/kubernetes-types";
import {
  controllerOf,
  Deployment,
  formatKey,
  ReplicaSet,
  setControllerReference,
} from "@xca/apimachinery/meta";
import { hasStatusCause, isAlreadyExists } from "../../client/errors/api_error.ts";
import { templateHash } from "../workloads/template_hash.ts";
import { conditionOf } from "./deployment_conditions.ts";
import {
  isSameTemplate,
  type ReplicaSets,
  sizeOf,
  sizeOfAll,
  TEMPLATE_HASH,
  withoutHash,
} from "./replica_sets.ts";
import { annotate, annotateSizes, lastRevision, REVISION } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";
import { isRollingUpdate, replicasOf, rolloutLimits } from "./rollout_limits.ts";

/** The longest permitted name of a ReplicaSet, in characters. */
const LONGEST_NAME = 253;

/**
 * Updates the annotations and `minReadySeconds` of a Deployment's current ReplicaSet on the server
 * or, if they are up to date, the revision annotation of the Deployment. With `create`, a missing
 * current ReplicaSet is created. Returns all ReplicaSets of the Deployment, the current one as
 * stored.
 */
export async function syncReplicaSets(
  rollout: Rollout,
  sets: ReplicaSets,
  { create }: { readonly create: boolean },
): Promise<ReplicaSets> {
  const { current, old } = sets;
  const revision = lastRevision(old) + 1;
  if (current) return { current: await syncCurrent(rollout, current, revision), old };
  return create ? { current: await createCurrent(rollout, old, revision), old } : sets;
}

/**
 * Updates the annotations and `minReadySeconds` of a Deployment's current ReplicaSet. If these are
 * up to date, writes the revision annotation and the condition `Progressing` of the Deployment
 * instead, where these are outdated. Returns the stored ReplicaSet.
 */
async function syncCurrent(
  rollout: Rollout,
  current: V1ReplicaSet,
  revision: number,
): Promise<V1ReplicaSet> {
  const { deployment } = rollout;
  const next = structuredClone(current);
  const { minReadySeconds = 0 } = deployment.spec;
  const annotated = annotate(next, deployment, revision);
  if (annotated || (next.spec.minReadySeconds ?? 0) !== minReadySeconds) {
    next.spec.minReadySeconds = minReadySeconds;
    return await rollout.writeReplicaSet(next);
  }
  let changed = setRevision(deployment, current.metadata.annotations?.[REVISION] ?? "");
  if (changed && rollout.hasProgressDeadline && isCreatedUnnoticed(deployment, current)) {
    noteCreation(rollout, current);
  }
  if (rollout.hasProgressDeadline && !conditionOf(deployment.status, "Progressing")) {
    rollout.setCondition({
      type: "Progressing",
      status: "True",
      reason: "FoundNewReplicaSet",
      message: `Found new replica set ${JSON.stringify(current.metadata.name)}`,
    });
    changed = true;
  }
  if (changed) await rollout.writeStatus();
  return current;
}

async function createCurrent(
  rollout: Rollout,
  old: readonly V1ReplicaSet[],
  revision: number,
): Promise<V1ReplicaSet> {
  const { deployment, context } = rollout;
  const made = replicaSetFor(deployment, old, revision);
  let created: V1ReplicaSet;
  let existed = false;
  try {
    created = await context.client.create(ReplicaSet, made);
  } catch (error) {
    if (!isAlreadyExists(error)) throw await noteFailure(rollout, made, error);
    created = await ownOrCollision(rollout, made, error);
    existed = true;
  }
  const { name } = created.metadata;
  if (!existed && sizeOf(created) > 0) {
    const note = `Scaled up replica set ${name} from 0 to ${sizeOf(created)}`;
    rollout.record("Normal", "ScalingReplicaSet", note);
  }
  let changed = setRevision(deployment, String(revision));
  if (!existed && rollout.hasProgressDeadline) {
    noteCreation(rollout, created);
    changed = true;
  }
  if (changed) await rollout.writeStatus();
  return created;
}

function noteCreation(rollout: Rollout, { metadata }: V1ReplicaSet): void {
  rollout.setCondition({
    type: "Progressing",
    status: "True",
    reason: "NewReplicaSetCreated",
    message: `Created new replica set ${JSON.stringify(metadata.name)}`,
  });
}

/**
 * Reports whether a ReplicaSet is newer than the completed rollout that the Deployment's status
 * still shows: the controller stopped after it had created the ReplicaSet, before it wrote the
 * status. Without a new condition the progress deadline would never start.
 */
function isCreatedUnnoticed({ status }: V1Deployment, { metadata }: V1ReplicaSet): boolean {
  const progressing = conditionOf(status, "Progressing");
  if (progressing?.reason !== "NewReplicaSetAvailable") return false;
  const isAbout = progressing.message?.includes(JSON.stringify(metadata.name)) ?? false;
  return !isAbout && (metadata.creationTimestamp ?? "") >= (progressing.lastUpdateTime ?? "");
}

/** Returns the ReplicaSet to create for the current pod template of a Deployment. */
function replicaSetFor(
  deployment: V1Deployment,
  old: readonly V1ReplicaSet[],
  revision: number,
): V1ReplicaSet {
  const { spec, status, metadata } = deployment;
  const template = withoutHash(spec.template);
  const hash = templateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
  const set: V1ReplicaSet = {
    metadata: {
      name: `${(metadata.name ?? "").slice(0, LONGEST_NAME - hash.length - 1)}-${hash}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      labels,
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [TEMPLATE_HASH]: hash },
      },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  set.spec.replicas = sizeOfNew(deployment, old, set);
  setControllerReference(set, deployment, Deployment);
  annotate(set, deployment, revision);
  annotateSizes(set, deployment);
  return set;
}

/**
 * Returns the replica count to which a Deployment's current ReplicaSet may grow now
 * (`NewRSNewReplicas`). In a rolling update the Deployment has at most `maxSurge` pods beyond its
 * replicas; with the strategy `Recreate` the count is that of all replicas.
 */
export function sizeOfNew(
  deployment: V1Deployment,
  old: readonly V1ReplicaSet[],
  current: V1ReplicaSet,
): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return replicas;
  const size = sizeOf(current);
  const room = replicas + rolloutLimits(deployment).maxSurge - sizeOfAll(old) - size;
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/**
 * Returns the existing ReplicaSet of the wanted name if the Deployment created it before and the
 * cache does not show it yet. Otherwise the template hash collides: increments the collision count,
 * which changes the next hash, and throws the given error.
 */
async function ownOrCollision(
  rollout: Rollout,
  made: V1ReplicaSet,
  error: unknown,
): Promise<V1ReplicaSet> {
  const { deployment, context } = rollout;
  const { namespace = "", name = "" } = made.metadata;
  const found = await context.client.get(ReplicaSet, formatKey({ namespace, name }));
  const isOwn = controllerOf(found.metadata)?.uid === deployment.metadata.uid;
  if (isOwn && isSameTemplate(found.spec.template, deployment.spec.template)) return found;
  deployment.status ??= {};
  deployment.status.collisionCount = (deployment.status.collisionCount ?? 0) + 1;
  await rollout.writeStatus();
  throw error;
}

/**
 * Records the failed creation of a ReplicaSet in an event and, if the Deployment has a progress
 * deadline, in its status, unless the namespace is being deleted. Returns the error.
 */
async function noteFailure(
  rollout: Rollout,
  { metadata }: V1ReplicaSet,
  error: unknown,
): Promise<unknown> {
  if (hasStatusCause(error, "NamespaceTerminating")) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const message = `Failed to create new replica set ${JSON.stringify(metadata.name)}: ${cause}`;
  if (rollout.hasProgressDeadline) {
    const facts = {
      type: "Progressing",
      status: "False",
      reason: "ReplicaSetCreateError",
    } as const;
    rollout.setCondition({ ...facts, message });
    await rollout.writeStatus().catch(() => {}); // The error of the creation is reported.
  }
  rollout.record("Warning", "ReplicaSetCreateError", message);
  return error;
}

function setRevision({ metadata }: V1Deployment, revision: string): boolean {
  if (metadata.annotations?.[REVISION] === revision) return false;
  metadata.annotations = { ...metadata.annotations, [REVISION]: revision };
  return true;
}
