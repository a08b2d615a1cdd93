// Mirrors `endpointslice/topologycache/topologycache.go, TopologyCache.AddHints`.
import type { V1Endpoint, V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import type { ReadSlice } from "./new_slice.ts";
import type { SliceChanges } from "./slice_changes.ts";
import { type Allocation, allocationsOf, type ZoneShares } from "./zone_allocations.ts";

/** A map of the numbers of endpoints that hints assign to the zones, by zone. */
export type ZoneCounts = Map<string, number>;

/** The changes of EndpointSlices to which hints are added, and the slices without a change. */
export interface HintedSlices {
  readonly changes: SliceChanges;
  readonly unchanged: readonly ReadSlice[];
}

/**
 * Adds, in the given changes, hints by which each zone gets a share of the ready endpoints as large
 * as its share of the nodes' CPU. Copies of unchanged slices whose hints are wrong are added to the
 * updates. Returns the numbers of endpoints that the hints assign to the zones, or the reason why
 * the hints of all slices are removed instead.
 */
export function addZoneHints(slices: HintedSlices, shares: ZoneShares): ZoneCounts | string {
  const { changes, unchanged } = slices;
  const count = [...changes.create, ...changes.update, ...unchanged]
    .reduce((sum, { endpoints }) => sum + (endpoints ?? []).filter(isReady).length, 0);
  const allocations = allocationsOf(shares, count);
  if (typeof allocations === "string") return removed(slices, allocations);
  const counts: ZoneCounts = new Map();
  for (const slice of unchanged) {
    const own = countsOf(slice, counts, allocations);
    if (!own) changes.update.push(structuredClone(slice) as V1EndpointSlice);
    for (const [zone, more] of own ?? []) add(counts, zone, more);
  }
  const ready = [...changes.create, ...changes.update]
    .flatMap(({ endpoints }) => (endpoints ?? []).filter(isReady));
  if (ready.some(({ zone }) => !zone)) {
    return removed(slices, "One or more endpoints do not have a zone specified");
  }
  for (const endpoint of ready) {
    endpoint.hints = { forZones: [{ name: endpoint.zone! }] };
    add(counts, endpoint.zone!, 1);
  }
  redistribute(ready, allocations, counts);
  if (counts.size === 0) return removed(slices, "No hints allocated for zones");
  return counts;
}

/**
 * Removes the hints of all EndpointSlices, in the given changes; unchanged slices with hints are
 * added to the updates.
 */
export function removeHints({ changes, unchanged }: HintedSlices): void {
  for (const slice of unchanged) {
    const isChanged = changes.update.some(({ metadata }) => metadata.name === slice.metadata.name);
    if (isChanged || !hasAnyHints(slice)) continue;
    changes.update.push(structuredClone(slice) as V1EndpointSlice);
  }
  for (const slice of [...changes.create, ...changes.update]) {
    for (const endpoint of slice.endpoints ?? []) delete endpoint.hints;
  }
}

/**
 * Reports whether an endpoint of an EndpointSlice has hints, for zones or nodes; empty hints count.
 */
export function hasAnyHints({ endpoints }: ReadSlice): boolean {
  return (endpoints ?? []).some(({ hints }) => hints !== undefined);
}

function removed(slices: HintedSlices, why: string): string {
  removeHints(slices);
  return why;
}

function isReady({ conditions }: { readonly conditions?: V1Endpoint["conditions"] }): boolean {
  return conditions?.ready === true;
}

function add(counts: ZoneCounts, zone: string, more: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + more);
}

/**
 * Returns the numbers of hints of a slice's ready endpoints by zone; `undefined` when some of these
 * endpoints lack hints, hints name zones without an allocation, or a zone gets too many endpoints
 * together with other slices (`topologycache/utils.go`, `getHintsByZone`).
 */
function countsOf(
  { endpoints }: ReadSlice,
  others: ZoneCounts,
  allocations: ReadonlyMap<string, Allocation>,
): ZoneCounts | undefined {
  const counts: ZoneCounts = new Map();
  for (const { conditions, hints } of endpoints ?? []) {
    if (!conditions?.ready) continue;
    const zones = (hints?.forZones ?? []).map(({ name }) => name);
    if (zones.length === 0 || !zones.every((zone) => allocations.has(zone))) return undefined;
    for (const zone of zones) add(counts, zone, 1);
  }
  const isTooMany = [...counts].some(([zone, count]) =>
    count + (others.get(zone) ?? 0) > allocations.get(zone)!.maximum
  );
  return isTooMany ? undefined : counts;
}

/** Moves hints from zones with too many endpoints to those with too few (`redistributeHints`). */
function redistribute(
  ready: readonly V1Endpoint[],
  allocations: ReadonlyMap<string, Allocation>,
  counts: ZoneCounts,
): void {
  const { giving, receiving } = transfers(allocations, counts);
  for (const endpoint of ready) {
    const from = endpoint.zone!;
    const [to] = receiving.keys();
    if (to === undefined) return;
    if (!giving.has(from)) continue;
    endpoint.hints = { forZones: [{ name: to }] };
    take(giving, from);
    take(receiving, to);
    add(counts, from, -1);
    add(counts, to, 1);
  }
}

function take(zones: ZoneCounts, zone: string): void {
  const left = zones.get(zone)! - 1;
  if (left === 0) zones.delete(zone);
  else zones.set(zone, left);
}

/**
 * Returns the numbers of endpoints whose hints must move from and to each zone
 * (`topologycache/utils.go`, `getGivingAndReceivingZones`).
 */
function transfers(
  allocations: ReadonlyMap<string, Allocation>,
  counts: ZoneCounts,
): { readonly giving: ZoneCounts; readonly receiving: ZoneCounts } {
  const surplus = [...allocations].map(([zone, { desired }]) =>
    [zone, (counts.get(zone) ?? 0) - desired] as const
  );
  const tooMany: ZoneCounts = new Map(surplus.filter(([, more]) => more > 0));
  const tooFew: ZoneCounts = new Map(
    surplus.filter(([, more]) => more < 0).map(([zone, more]) => [zone, -more]),
  );
  const giving: ZoneCounts = new Map();
  const receiving: ZoneCounts = new Map();
  for (;;) {
    const [from, toGive] = most(tooMany);
    const [to, toReceive] = most(tooFew);
    if (toGive < 1 && toReceive < 1 || toGive < 0.5 || toReceive < 0.5) break;
    add(giving, from, 1);
    add(tooMany, from, -1);
    add(receiving, to, 1);
    add(tooFew, to, -1);
  }
  return { giving, receiving };
}

/**
 * Returns the zone with the greatest number of surplus, or of missing, endpoints, and the number;
 * of several such zones the first. Without a number above 0, returns an empty zone and 0.
 */
function most(zones: ZoneCounts): readonly [string, number] {
  return [...zones].reduce((best, each) => each[1] > best[1] ? each : best, ["", 0]);
}
