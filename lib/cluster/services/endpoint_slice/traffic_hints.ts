// Mirrors `endpointslice/trafficdist/trafficdist.go, ReconcileHints`.
import type { V1Endpoint, V1EndpointHints } from "@xca/apimachinery/kubernetes-types";
import type { ReadSlice } from "./new_slice.ts";
import type { ReadService } from "./pod_endpoints.ts";

const NEAR = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** The keys of the Service annotations for topology-aware hints; the first present one counts. */
const TOPOLOGY_MODES = [
  "service.kubernetes.io/topology-aware-hints",
  "service.kubernetes.io/topology-mode",
];

/**
 * Reports whether an annotation of a Service enables topology-aware hints, by the value `Auto` or
 * `auto`.
 */
export function isTopologyAware({ metadata }: ReadService): boolean {
  const annotations = metadata.annotations ?? {};
  const mode = TOPOLOGY_MODES.map((name) => annotations[name]).find((value) => value !== undefined);
  return mode === "Auto" || mode === "auto";
}

/**
 * Returns the `trafficDistribution` of a Service if hints of endpoints express it; otherwise
 * `undefined`. An annotation that enables topology-aware hints takes precedence.
 */
export function distributionOf(service: ReadService): string | undefined {
  if (isTopologyAware(service)) return undefined;
  const { trafficDistribution = "" } = service.spec ?? {};
  return NEAR.includes(trafficDistribution) ? trafficDistribution : undefined;
}

/**
 * Returns a copy of an endpoint with the hints of a traffic distribution, or without hints if the
 * distribution is `undefined`. An endpoint that is not ready keeps its hints.
 */
export function withHints(endpoint: V1Endpoint, distribution: string | undefined): V1Endpoint {
  const { hints: old, ...rest } = endpoint;
  if (distribution === undefined) return rest;
  const hints = rest.conditions?.ready ? hintsOf(rest, distribution) : old;
  return hints ? { ...rest, hints } : rest;
}

function hintsOf(
  { nodeName, zone }: V1Endpoint,
  distribution: string,
): V1EndpointHints | undefined {
  const isForNode = distribution === "PreferSameNode" && nodeName !== undefined;
  if (zone === undefined && !isForNode) return undefined;
  return {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(isForNode && { forNodes: [{ name: nodeName }] }),
  };
}

/**
 * Reports whether the endpoints of an EndpointSlice have exactly the hints of a traffic
 * distribution; for `undefined`, whether they have no hints.
 */
export function hasHints({ endpoints }: ReadSlice, distribution: string | undefined): boolean {
  return (endpoints ?? []).every((endpoint) => {
    const wanted = withHints(endpoint as V1Endpoint, distribution).hints;
    return JSON.stringify(namesOf(wanted)) ===
      JSON.stringify(namesOf(endpoint.hints as V1EndpointHints));
  });
}

function namesOf({ forNodes = [], forZones = [] }: V1EndpointHints = {}): string[][] {
  return [forZones.map(({ name }) => name), forNodes.map(({ name }) => name)];
}
