// Mirrors `controller/deployment/rollback.go, rollback`.
import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import { syncReplicaSets } from "./new_replica_set.ts";
import { allOf, isSameTemplate, type ReplicaSets, withoutHash } from "./replica_sets.ts";
import { previousRevision, revisionOf, ROLLBACK_TO, takeAnnotations } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";

/**
 * Returns the revision that a Deployment is to be rolled back to; 0 means the previous revision,
 * `undefined` that no rollback is requested or that the annotation is not an integer.
 */
export function rollbackRevision({ metadata }: V1Deployment): number | undefined {
  const text = metadata.annotations?.[ROLLBACK_TO] ?? "";
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Rolls a Deployment back to the pod template of a revision, or of the previous one for 0, and
 * removes the annotation that requested the rollback. Emits an event about the rollback, or about
 * the reason why the template is unchanged.
 */
export async function rollBack(
  rollout: Rollout,
  found: ReplicaSets,
  asked: number,
): Promise<void> {
  const { deployment } = rollout;
  const sets = allOf(await syncReplicaSets(rollout, found, { create: true }));
  const revision = asked === 0 ? previousRevision(sets) : asked;
  const set = revision === 0 ? undefined : sets.find((each) => revisionOf(each) === revision);
  let rolledBack = false;
  if (!set) {
    const which = asked === 0 ? "last revision" : "the revision to rollback to";
    rollout.record("Warning", "DeploymentRollbackRevisionNotFound", `Unable to find ${which}.`);
  } else if (isSameTemplate(set.spec.template, deployment.spec.template)) {
    const name = JSON.stringify(deployment.metadata.name);
    const note = `The rollback revision contains the same template as current deployment ${name}`;
    rollout.record("Warning", "DeploymentRollbackTemplateUnchanged", note);
  } else {
    deployment.spec.template = withoutHash(set.spec.template);
    takeAnnotations(deployment, set);
    rolledBack = true;
  }
  delete deployment.metadata.annotations?.[ROLLBACK_TO];
  await rollout.write();
  if (!rolledBack) return;
  const name = JSON.stringify(deployment.metadata.name);
  rollout.record(
    "Normal",
    "DeploymentRollback",
    `Rolled back deployment ${name} to revision ${revision}`,
  );
}
