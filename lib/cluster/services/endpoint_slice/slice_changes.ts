// Mirrors `endpointslice/reconciler.go, Reconciler.reconcileByPortMapping`.
import type { V1Endpoint, V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import { hasLabelsOf, type ReadSlice, sliceLabels } from "./new_slice.ts";
import type { ReadService } from "./pod_endpoints.ts";

/** The largest number of endpoints of an EndpointSlice. */
const MAX_ENDPOINTS = 100;

/** The creations, updates and deletions that give EndpointSlices their desired endpoints. */
export interface SliceChanges {
  readonly create: V1EndpointSlice[];
  readonly update: V1EndpointSlice[];
  readonly remove: ReadSlice[];
}

/** The desired endpoints of those EndpointSlices that have the same ports. */
export interface DesiredEndpoints {
  /** Returns an empty EndpointSlice with the ports that these endpoints have. */
  readonly newSlice: () => V1EndpointSlice;
  readonly endpoints: readonly V1Endpoint[];
}

/**
 * Returns the changes by which a group of EndpointSlices lists each desired endpoint once. As few
 * slices as possible are written: existing endpoints stay in their slices; new ones fill slices
 * that are written anyway, then one slice that has room for all the rest, then new slices.
 */
export function sliceChanges(
  service: ReadService,
  existing: readonly ReadSlice[],
  { newSlice, endpoints }: DesiredEndpoints,
): SliceChanges {
  const missing = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const update: V1EndpointSlice[] = [];
  const remove: ReadSlice[] = [];
  let unchanged: ReadSlice[] = [];
  for (const slice of existing) {
    const kept = takeKept(slice, missing);
    const isSame = kept.length === (slice.endpoints ?? []).length &&
      kept.every((endpoint, index) => isEqual(endpoint, slice.endpoints![index] as V1Endpoint));
    if (isSame && hasLabelsOf(slice, service)) unchanged.push(slice);
    else if (kept.length === 0 && !isSame) remove.push(slice);
    else {update.push(
        copyOf(slice, isSame ? (slice.endpoints ?? []) as V1Endpoint[] : kept, service),
      );}
  }
  const rest = [...missing.values()];
  update.sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const slice of update) fill(slice, rest);
  const create: V1EndpointSlice[] = [];
  while (rest.length > 0) {
    const room = rest.length < MAX_ENDPOINTS ? tightest(unchanged, rest.length) : undefined;
    const slice = room ? copyOf(room, (room.endpoints ?? []) as V1Endpoint[], service) : newSlice();
    fill(slice, rest);
    if (!room) create.push(slice);
    else {
      update.push(slice);
      unchanged = unchanged.filter((each) => each !== room);
    }
  }
  return { create, update, remove };
}

/**
 * Returns the desired endpoints that an EndpointSlice already has, and removes them from the
 * missing ones.
 */
function takeKept(slice: ReadSlice, missing: Map<string, V1Endpoint>): V1Endpoint[] {
  return (slice.endpoints ?? []).flatMap((endpoint) => {
    const identity = identityOf(endpoint as V1Endpoint);
    const desired = missing.get(identity);
    missing.delete(identity);
    return desired ? [desired] : [];
  });
}

function fill(slice: V1EndpointSlice, rest: V1Endpoint[]): void {
  const room = MAX_ENDPOINTS - sizeOf(slice);
  if (room > 0) slice.endpoints = [...slice.endpoints ?? [], ...rest.splice(0, room)];
}

/**
 * Returns the EndpointSlice with the least room that still has room for a number of endpoints;
 * `undefined` if there is none.
 */
function tightest(slices: readonly ReadSlice[], more: number): ReadSlice | undefined {
  return slices.filter((slice) => sizeOf(slice) + more <= MAX_ENDPOINTS)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

function sizeOf({ endpoints }: ReadSlice): number {
  return endpoints?.length ?? 0; // The server returns an empty list as null.
}

function copyOf(
  slice: ReadSlice,
  endpoints: readonly V1Endpoint[],
  service: ReadService,
): V1EndpointSlice {
  const copy = structuredClone(slice) as V1EndpointSlice;
  copy.metadata.labels = sliceLabels(service);
  copy.endpoints = structuredClone(endpoints) as V1Endpoint[];
  return copy;
}

/** Returns the identity of an endpoint: a text of its addresses, host name and pod name. */
export function identityOf({ addresses, hostname, targetRef }: V1Endpoint): string {
  return JSON.stringify([addresses.toSorted(), hostname, targetRef?.namespace, targetRef?.name]);
}

/**
 * Reports whether two endpoints of one identity have the same pod UID, conditions, node and zone.
 * Hints are not compared.
 */
export function isEqual(a: V1Endpoint, b: V1Endpoint): boolean {
  const facts = ({ conditions, nodeName, targetRef, zone }: V1Endpoint): string => {
    const { ready, serving, terminating } = conditions ?? {};
    return JSON.stringify([ready, serving, terminating, nodeName, targetRef?.uid, zone]);
  };
  return facts(a) === facts(b);
}
