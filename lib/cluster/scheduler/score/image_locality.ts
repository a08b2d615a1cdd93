// Mirrors `scheduler/framework/plugins/imagelocality/image_locality.go, ImageLocality.Score`.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { NodeInfo } from "../node_info.ts";
import type { ScoreFacts } from "./score_plugin.ts";

const MEBIBYTE = 2 ** 20;
const MIN_BYTES = 23 * MEBIBYTE;
const MAX_BYTES_PER_IMAGE = 1000 * MEBIBYTE;

/**
 * Returns a score from 0 to 100 for each candidate node, by the bytes of the pod's images that the
 * node has already. The bytes of an image are multiplied by the share of all nodes that have it, so
 * that pods do not gather on the first node.
 */
export function imageLocality(
  { spec }: ReadPod,
  candidates: readonly NodeInfo[],
  { nodes }: ScoreFacts,
): readonly number[] {
  const { initContainers = [], containers = [], volumes = [] } = spec ?? {};
  const images = [
    ...initContainers.map(({ image }) => image),
    ...containers.map(({ image }) => image),
    ...volumes.filter(({ image }) => image).map(({ image }) => image!.reference),
  ].map((image) => normalized(image ?? ""));
  if (!nodes.some(({ node }) => node.status?.images?.length)) return candidates.map(() => 0);
  const holders = new Map(
    images.map((image) => [image, nodes.filter((node) => sizeOn(node, image) > 0).length]),
  );
  const most = MAX_BYTES_PER_IMAGE * images.length;
  return candidates.map((node) => {
    const bytes = images.reduce(
      (sum, image) => sum + Math.trunc(sizeOn(node, image) * (holders.get(image)! / nodes.length)),
      0,
    );
    const counted = Math.min(Math.max(bytes, MIN_BYTES), most);
    return Math.trunc(100 * (counted - MIN_BYTES) / (most - MIN_BYTES));
  });
}

/** Returns the size of an image on a node, in bytes; 0 when the node does not have it. */
function sizeOn({ node }: NodeInfo, image: string): number {
  const found = node.status?.images?.find(({ names = [] }) =>
    names.some((name) => normalized(name) === image)
  );
  return found?.sizeBytes ?? 0;
}

/**
 * Returns an image name, with the tag `latest` added if the name has neither a tag nor a digest.
 */
function normalized(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}
