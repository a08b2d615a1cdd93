import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { Pod } from "@xca/apimachinery/meta";
import type { PackedObject } from "../../cache/packed/packed_object.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ReadPod } from "./pod_state.ts";

const BY_NODE = "node";

/**
 * The cache index of pods by the name of their node, as a record for the option `indexes` of a
 * source. {@linkcode podsOnNode} reads the index.
 */
export const podsByNode: Readonly<
  Record<string, (pod: PackedObject<V1Pod>) => readonly string[]>
> = {
  [BY_NODE]: (pod) => [pod.read().spec?.nodeName ?? ""],
};

/**
 * Returns the cached pods that are assigned to a node; for an empty name the unassigned pods. The
 * source of the pods must have {@linkcode podsByNode}.
 */
export async function podsOnNode(cache: CacheReader, node: string): Promise<readonly ReadPod[]> {
  return await cache.shared.byIndex(Pod, BY_NODE, node);
}
