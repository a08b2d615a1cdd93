import type { Client } from "../../lib/client/mod.ts";
import type { KubeList } from "../../lib/meta/mod.ts";
import { Xca } from "../../lib/xca/mod.ts";

/** All Xca objects of a namespace, or of all. */
export function listAll(
  client: Client,
  namespace: string | undefined,
  labelSelector: string | undefined,
): Promise<KubeList<Xca>> {
  return client.list(Xca, {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  });
}

/** kubectl's line when there is nothing to show. */
export function noneFound(namespace: string | undefined): string {
  return namespace === undefined
    ? "No resources found"
    : `No resources found in ${namespace} namespace.`;
}
