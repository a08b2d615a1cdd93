// Mirrors `controller/nodelifecycle/node_lifecycle_controller.go, ComputeZoneState`, `handleDisruption`
// and `setLimiterInZone`, with the defaults of kube-controller-manager.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

type ReadNode = DeepReadonly<V1Node>;

/**
 * The number of nodes of a zone that are tainted for eviction per second (`--node-eviction-rate`).
 */
export const EVICTION_RATE = 0.1;
/**
 * The number of nodes that are tainted for eviction per second in a large zone with many unhealthy
 * nodes (`--secondary-node-eviction-rate`).
 */
const SECONDARY_RATE = 0.01;
/**
 * The share of unhealthy nodes from which a zone with more than two unhealthy nodes is partially
 * disrupted (`--unhealthy-zone-threshold`).
 */
const UNHEALTHY_SHARE = 0.55;
/** The number of nodes above which a zone is large (`--large-cluster-size-threshold`). */
const LARGE_ZONE = 50;

/**
 * The numbers of nodes that are tainted for eviction per second, by zone key, 0 for a zone without
 * evictions; `"stopped"` if no node of the cluster is ready.
 */
export type EvictionRates = ReadonlyMap<string, number> | "stopped";

/**
 * Returns the key of a node's region and zone (`GetZoneKey`), of which the deprecated labels win;
 * empty for a node without either.
 */
export function zoneKey({ metadata: { labels = {} } }: ReadNode): string {
  const labelOf = (name: string): string =>
    labels[`failure-domain.beta.kubernetes.io/${name}`] ??
      labels[`topology.kubernetes.io/${name}`] ?? "";
  const region = labelOf("region");
  const zone = labelOf("zone");
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

/**
 * Returns the rates at which the nodes of each zone may be tainted for eviction, by the health of
 * all nodes: many unhealthy nodes of a zone are more often the fault of the network than of the
 * nodes. Nodes with the label `node.kubernetes.io/exclude-disruption` do not count.
 */
export function evictionRates(nodes: Iterable<ReadNode>): EvictionRates {
  const zones = new Map<string, { ready: number; unhealthy: number }>();
  for (const node of nodes) {
    if (node.metadata.labels?.["node.kubernetes.io/exclude-disruption"] !== undefined) continue;
    const zone = zones.getOrInsertComputed(zoneKey(node), () => ({ ready: 0, unhealthy: 0 }));
    zone[isReady(node) ? "ready" : "unhealthy"]++;
  }
  const counts = [...zones.values()];
  if (counts.length > 0 && counts.every(({ ready }) => ready === 0)) return "stopped";
  return new Map([...zones].map(([key, { ready, unhealthy }]) => [key, rateOf(ready, unhealthy)]));
}

function rateOf(ready: number, unhealthy: number): number {
  const all = ready + unhealthy;
  const isPartial = ready > 0 && unhealthy > 2 && unhealthy / all >= UNHEALTHY_SHARE;
  if (!isPartial) return EVICTION_RATE;
  return all > LARGE_ZONE ? SECONDARY_RATE : 0;
}

function isReady({ status }: ReadNode): boolean {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
}
