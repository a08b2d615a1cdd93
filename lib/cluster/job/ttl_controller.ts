// Mirrors `controller/ttlafterfinished/ttlafterfinished_controller.go, Controller`.
import { Job, keyOf } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";

/** The controller that deletes finished Jobs after their `ttlSecondsAfterFinished`. */
export const ttlAfterFinishedController: ControllerDefinition = controllerFor(Job)
  .named("ttl-after-finished-controller")
  .options({ workers: 5 })
  .reconcile(reconcileJob);

async function reconcileJob(
  { cache, client, clock, key }: ReconcileContext,
): Promise<RequeueAfter | void> {
  const job = cache.shared.get(Job, key);
  const seconds = job?.spec?.ttlSecondsAfterFinished;
  if (!job || seconds === undefined || job.metadata.deletionTimestamp !== undefined) return;
  const finished = job.status?.conditions?.find(({ type, status }) =>
    (type === "Complete" || type === "Failed") && status === "True"
  );
  if (!finished) return;
  const endMs = Date.parse(finished.lastTransitionTime ?? "") + seconds * 1000;
  const waitMs = endMs - clock.now().getTime();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  // kube-controller-manager reads the Job again, whose lifetime may have been prolonged.
  const { uid, resourceVersion } = job.metadata;
  const preconditions = { uid, resourceVersion };
  const options = { propagationPolicy: "Foreground", preconditions } as const;
  await ignoreNotFound(client.delete(Job, keyOf(job), options));
}
