import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import {
  CustomResourceDefinition,
  type KubeObject,
  metadataOf,
  type ResourceType,
  resourceType,
} from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import { waitFor, WaitTimeoutError } from "../../client/subresources/wait.ts";
import { ClusterError, type ClusterRun, stepOf } from "./cluster_run.ts";

/**
 * Waits until the API server serves each CustomResourceDefinition (conditions `Established` and
 * `NamesAccepted`), up to `timeoutMs` for each, and calls `onStep` with `established` for each.
 * Does nothing in a dry run.
 *
 * @throws {ClusterError} When a definition is not served in time; the message has the server's
 * reason.
 */
export async function untilEstablished(
  { client, clock, signal, dryRun, onStep }: ClusterRun,
  crds: readonly KubeObject[],
  timeoutMs: number,
): Promise<void> {
  if (dryRun) return;
  for (const crd of crds) {
    const name = crd.metadata.name!;
    try {
      await waitFor(client, CustomResourceDefinition, name, isServed, { clock, signal, timeoutMs });
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      const { status } = (error.last ?? {}) as V1CustomResourceDefinition;
      const why = status?.conditions?.find((each) => each.status === "False")?.message;
      throw new ClusterError(
        `Cannot install ${name}: the API server does not serve it after ${timeoutMs / 1000} s: ${
          why ?? "no reason given"
        }; see: kubectl describe crd ${name}`,
        { cause: error },
      );
    }
    onStep(stepOf(crd, "established"));
  }
}

function isServed(crd: V1CustomResourceDefinition | undefined): boolean {
  const conditions = crd?.status?.conditions ?? [];
  return ["Established", "NamesAccepted"].every((type) =>
    conditions.some((each) => each.type === type && each.status === "True")
  );
}

/**
 * Returns those of the given CustomResourceDefinitions that exist in the cluster, as the cluster
 * has stored them.
 */
export async function installedDefinitions(
  { client, signal }: ClusterRun,
  crds: readonly KubeObject[],
): Promise<V1CustomResourceDefinition[]> {
  const found: V1CustomResourceDefinition[] = [];
  for (const { metadata: { name = "" } } of crds) {
    const crd = await ignoreNotFound(client.get(CustomResourceDefinition, name, { signal }));
    if (crd) found.push(crd);
  }
  return found;
}

/**
 * Returns the resource type of a CustomResourceDefinition's objects, in the storage version if the
 * definition serves it, otherwise in the first served version; `undefined` if the definition serves
 * no version, so that its objects can be neither read nor deleted. The server sends only the
 * metadata of the objects.
 */
export function definedMetadata(
  { spec }: V1CustomResourceDefinition,
): ResourceType<KubeObject> | undefined {
  const { group, names, scope, versions } = spec;
  const version = (versions.find(({ served, storage }) => served && storage) ??
    versions.find(({ served }) => served))?.name;
  if (version === undefined) return undefined;
  const { kind, plural } = names;
  return metadataOf(
    resourceType({
      group,
      version,
      kind,
      plural,
      scope: scope === "Cluster" ? "Cluster" : "Namespaced",
    }),
  );
}

/**
 * Disables webhook conversion in a CustomResourceDefinition whose webhook server is stopped:
 * otherwise its objects could neither be read nor deleted. Calls `onStep` with the change, and in a
 * dry run nothing else; does nothing for other conversions.
 */
export async function endConversion(
  { client, signal, dryRun = false, onStep }: ClusterRun,
  crd: V1CustomResourceDefinition,
): Promise<void> {
  if (crd.spec.conversion?.strategy !== "Webhook") return;
  const patch = mergePatch<V1CustomResourceDefinition>({
    spec: { conversion: { strategy: "None", webhook: null } },
  } as never);
  if (!dryRun) await client.patch(CustomResourceDefinition, crd.metadata.name!, patch, { signal });
  onStep(stepOf(named(crd), "configured", "no conversion by webhooks any more"));
}

/** Returns a CustomResourceDefinition with its API version and kind, which items of lists lack. */
export function named(crd: V1CustomResourceDefinition): KubeObject {
  return {
    ...crd,
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
  } as KubeObject;
}
