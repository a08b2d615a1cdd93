import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { discoveryClient } from "../../client/discovery/discovery_client.ts";
import { NoMatchError } from "../../client/discovery/rest_mapping_error.ts";
import { ClusterError, type ClusterRun, objectName } from "./cluster_run.ts";

/**
 * A function that returns the resource of an object's kind; `undefined` when the cluster does not
 * serve the kind. An `apiVersion` that ends with a slash, such as `apps/` or `/`, selects the
 * preferred version of the group.
 */
export type ResourceLookup = (object: KubeObject) => Promise<ResourceType | undefined>;

/** Returns a function that finds the resources of objects by discovery. */
export function resourceLookup(
  { client, clock, signal }: Pick<ClusterRun, "client" | "clock" | "signal">,
): ResourceLookup {
  const discovery = discoveryClient(client, { clock });
  return async ({ apiVersion = "", kind = "" }) => {
    const [group = "", version = ""] = apiVersion.includes("/")
      ? apiVersion.split("/")
      : ["", apiVersion];
    try {
      const [found] = await discovery.mappingsForKind(
        { kind, group, version: version || undefined },
        { signal },
      );
      return found?.resource;
    } catch (error) {
      if (error instanceof NoMatchError) return undefined;
      throw error;
    }
  };
}

/**
 * Returns the API resource of each given object.
 *
 * @throws {ClusterError} When the cluster does not serve a kind, before any object is written.
 */
export async function resourcesOf(
  objects: readonly KubeObject[],
  lookup: ResourceLookup,
): Promise<ReadonlyMap<KubeObject, ResourceType>> {
  const found = new Map<KubeObject, ResourceType>();
  const missing: string[] = [];
  for (const object of objects) {
    const type = await lookup(object);
    if (type) found.set(object, type);
    else missing.push(`${objectName(object)} (${object.apiVersion})`);
  }
  if (missing.length === 0) return found;
  throw new ClusterError(
    `Cannot deploy ${missing.join(", ")}: the cluster does not serve ${
      missing.length === 1 ? "this kind" : "these kinds"
    }; install what defines it, or leave it out of the manifests. Nothing was written`,
  );
}
