// Mirrors `endpointslice/topologycache/topologycache.go, TopologyCache.getAllocations` and `SetNodes` there.
import { milliValue } from "@xca/apimachinery/internal/values";
import type { ReadNode } from "./pod_endpoints.ts";

/** The fraction by which the traffic per endpoint of a zone may exceed its fair share. */
const OVERLOAD = 0.2;
/** The key of the node label with the zone. */
const ZONE = "topology.kubernetes.io/zone";
/** The keys of the labels of nodes that do not count, since they run the control plane. */
const CONTROL_PLANE = [
  "node-role.kubernetes.io/control-plane",
  "node-role.kubernetes.io/master",
];

/**
 * The maximum and desired number of endpoints of a zone by its share of the CPU; `desired` may be a
 * fraction.
 */
export interface Allocation {
  readonly maximum: number;
  readonly desired: number;
}

/**
 * The shares of the zones in the CPU of all counted nodes, as fractions whose sum is 1, by zone;
 * `undefined` if they are not known (see {@linkcode zoneShares}).
 */
export type ZoneShares = ReadonlyMap<string, number> | undefined;

/**
 * Returns the shares of the zones in the CPU of the ready nodes outside the control plane;
 * `undefined` if a node has no zone or no CPU, or there are fewer than two zones.
 */
export function zoneShares(nodes: readonly ReadNode[]): ZoneShares {
  const cpus = new Map<string, number>();
  for (const node of nodes.filter(isCounted)) {
    const zone = zoneOf(node);
    const cpu = Number(milliValue(node.status?.allocatable?.["cpu"] ?? "0"));
    if (!zone || !(cpu > 0)) return undefined;
    cpus.set(zone, (cpus.get(zone) ?? 0) + cpu);
  }
  if (cpus.size < 2) return undefined;
  const total = [...cpus.values()].reduce((sum, cpu) => sum + cpu, 0);
  return new Map([...cpus].sort().map(([zone, cpu]) => [zone, cpu / total]));
}

/** Reports whether a node is ready and is not of the control plane. */
export function isCounted({ metadata, status }: ReadNode): boolean {
  const isReady = status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
  return isReady && !CONTROL_PLANE.some((name) => Object.hasOwn(metadata.labels ?? {}, name));
}

/** Returns the zone of a node; `undefined` if it has none. */
export function zoneOf({ metadata }: ReadNode): string | undefined {
  return metadata.labels?.[ZONE];
}

/**
 * Returns the numbers of endpoints that each zone should have, or the reason why they cannot be
 * computed.
 *
 * @param count The number of ready endpoints.
 */
export function allocationsOf(
  shares: ZoneShares,
  count: number,
): ReadonlyMap<string, Allocation> | string {
  if (shares === undefined) {
    return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  }
  const about = `(${count} endpoints, ${shares.size} zones)`;
  if (shares.size > count) return `Insufficient number of endpoints ${about}`;
  const minima = new Map([...shares].map(([zone, share]) => [zone, leastOf(share * count)]));
  const spare = count - [...minima.values()].reduce((sum, minimum) => sum + minimum, 0);
  if (spare < 0) {
    return "Unable to allocate minimum required endpoints to each zone without exceeding overload " +
      `threshold ${about}`;
  }
  return new Map([...minima].map(([zone, minimum]) => [
    zone,
    { maximum: minimum + spare, desired: Math.max(shares.get(zone)! * count, minimum) },
  ]));
}

function leastOf(desired: number): number {
  return Math.ceil(desired * (1 / (1 + OVERLOAD)));
}

/**
 * Reports whether a zone has too few of the endpoints of a Service
 * (`endpointslice/topologycache/utils.go`, `serviceOverloaded`); true if the shares of the zones
 * are not known, false if no zone has endpoints.
 *
 * @param allocated The numbers of endpoints of the zones.
 */
export function isOverloaded(allocated: ReadonlyMap<string, number>, shares: ZoneShares): boolean {
  if (allocated.size === 0) return false;
  if (shares === undefined) return true;
  const total = [...allocated.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(([zone, share]) => {
    const count = allocated.get(zone);
    return count === undefined || count < leastOf(total * share);
  });
}
