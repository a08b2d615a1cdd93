import {
  CustomResourceDefinition,
  formatKey,
  type KubeObject,
  Namespace,
  Pod,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { deleteIf } from "../../client/typed/delete_if.ts";
import { waitFor, WaitTimeoutError } from "../../client/subresources/wait.ts";
import { ClusterError, type ClusterRun, stepOf } from "./cluster_run.ts";
import { deploymentPods } from "./deployment_pods.ts";
import type { ResourceLookup } from "./resource_lookup.ts";

/** The time limit for the pods of a deleted Deployment to terminate, in milliseconds. */
const PODS_MS = 60_000;

/**
 * Deletes objects one after the other, and calls `onStep` with each result: `deleted`, or `absent`
 * for an object that does not exist or whose kind the cluster does not serve. After the deletion of
 * a Deployment, waits up to a minute for the end of its pods.
 */
export async function deleteObjects(
  run: ClusterRun,
  objects: readonly KubeObject[],
  lookup: ResourceLookup,
): Promise<void> {
  for (const object of objects) {
    const type = await lookup(object);
    const isDeleted = type !== undefined && await deleteObject(run, object, type);
    run.onStep(stepOf(object, isDeleted ? "deleted" : "absent"));
    if (isDeleted && object.kind === "Deployment") await untilPodsEnded(run, object);
  }
}

async function deleteObject(
  { client, signal, dryRun = false }: ClusterRun,
  { metadata: { name = "", namespace } }: KubeObject,
  type: ResourceType,
): Promise<boolean> {
  const key = formatKey({ namespace, name });
  // A dry run of a deletion is refused where the object does not exist, like the deletion itself.
  const deleted = client.delete(type, key, { signal, dryRun }).then(() => true);
  return await ignoreNotFound(deleted) ?? false;
}

/**
 * Waits until the pods of an operator's deleted Deployment have terminated; returns after a minute
 * even if they have not, and at once in a dry run. The caller deletes the operator's permissions
 * afterwards, which the pods need until then.
 */
async function untilPodsEnded(run: ClusterRun, object: KubeObject): Promise<void> {
  const { client, clock, signal, dryRun } = run;
  if (dryRun) return;
  const { namespace } = object.metadata;
  const pods = await deploymentPods(run, object);
  const endMs = clock.monotonicMs() + PODS_MS;
  for (const { metadata } of pods) {
    const timeoutMs = Math.max(1, endMs - clock.monotonicMs());
    const key = formatKey({ namespace, name: metadata?.name ?? "" });
    try {
      await waitFor(client, Pod, key, "delete", { clock, signal, timeoutMs });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      return; // The kubelet ends the pods without their permissions too.
    }
  }
}

/**
 * Deletes CustomResourceDefinitions one after the other, waits until each no longer exists, up to
 * `timeoutMs` for each (not in a dry run), and calls `onStep` with each result.
 *
 * @throws {ClusterError} When a definition still exists after the timeout; the message has the
 * server's reason.
 */
export async function deleteDefinitions(
  run: ClusterRun,
  crds: readonly KubeObject[],
  timeoutMs: number,
): Promise<void> {
  const { client, clock, signal, dryRun } = run;
  for (const crd of crds) {
    const name = crd.metadata.name!;
    const isDeleted = await deleteObject(run, crd, CustomResourceDefinition);
    if (isDeleted && !dryRun) {
      try {
        await waitFor(client, CustomResourceDefinition, name, "delete", {
          clock,
          signal,
          timeoutMs,
        });
      } catch (error) {
        if (!(error instanceof WaitTimeoutError)) throw error;
        const { status } = (error.last ?? {}) as V1CustomResourceDefinition;
        const why = status?.conditions?.find(({ type }) => type === "Terminating")?.message;
        throw new ClusterError(
          `Cannot delete ${name}: it is still there after ${timeoutMs / 1000} s: ${
            why ?? "no reason given"
          }`,
          { cause: error },
        );
      }
    }
    run.onStep(stepOf(crd, isDeleted ? "deleted" : "absent"));
  }
}

/**
 * Deletes the namespace of a deployment, waits until the namespace no longer exists (not in a dry
 * run), and calls `onStep` with `deleted`, `absent` or `kept`. A namespace without the labels of
 * the given object is kept, since the deployment did not create it; so is the namespace of an
 * object without labels.
 *
 * @throws {ClusterError} When the namespace still exists after the timeout; the message has the
 * server's reasons.
 */
export async function deleteNamespace(
  run: ClusterRun,
  object: KubeObject,
  timeoutMs: number,
): Promise<void> {
  const { client, clock, signal, dryRun = false } = run;
  const name = object.metadata.name!;
  const ours = Object.entries(object.metadata.labels ?? {});
  const outcome = await deleteIf<KubeObject>({
    read: () => client.get(Namespace, name, { signal }) as Promise<KubeObject>,
    judge: ({ metadata: { labels } }) =>
      ours.length > 0 && ours.every(([label, value]) => labels?.[label] === value),
    remove: (preconditions) => client.delete(Namespace, name, { signal, dryRun, preconditions }),
    signal,
  });
  if (outcome === "absent") return run.onStep(stepOf(object, "absent"));
  if (outcome === "kept") {
    return run.onStep(stepOf(object, "kept", "its labels are not those of this deployment"));
  }
  if (!dryRun) {
    try {
      await waitFor(client, Namespace, name, "delete", { clock, signal, timeoutMs });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      const { status } = (error.last ?? {}) as {
        status?: { conditions?: { status: string; message?: string }[] };
      };
      const why = (status?.conditions ?? []).filter((each) => each.status === "True")
        .map(({ message = "" }) => message).join("; ");
      throw new ClusterError(
        `Cannot delete namespace ${name}: it is still there after ${timeoutMs / 1000} s: ${
          why || "no reason given; does the cluster run kube-controller-manager?"
        }`,
        { cause: error },
      );
    }
  }
  run.onStep(stepOf(object, "deleted"));
}
