// Mirrors `endpointslice/reconciler.go, Reconciler.reconcileByAddressType` and `finalize` there.
import type {
  DiscoveryV1EndpointPort,
  V1Endpoint,
  V1EndpointSlice,
} from "@xca/apimachinery/kubernetes-types";
import { EndpointSlice, keyOf, Node } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../../cache/readers/cache_reader.ts";
import { hasStatusCause, ignoreNotFound } from "../../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../../controller/definition/reconciler.ts";
import type { ReadPod } from "../../pods/pod_state.ts";
import { hasLabelsOf, newSlice, type ReadSlice } from "./new_slice.ts";
import {
  type AddressType,
  endpointPorts,
  hasEndpoint,
  podEndpoint,
  type ReadService,
} from "./pod_endpoints.ts";
import { type SliceChanges, sliceChanges } from "./slice_changes.ts";
import { TRIGGER_TIME } from "./trigger_time.ts";
import { distributionOf, hasHints, withHints } from "./traffic_hints.ts";

/**
 * The changes to the EndpointSlices of a Service for one IP address family, and the texts of
 * problems of pods.
 */
export interface FamilyChanges {
  readonly changes: SliceChanges;
  /** The EndpointSlices that need no change except perhaps of their hints. */
  readonly unchanged: readonly ReadSlice[];
  readonly problems: readonly string[];
}

/**
 * A group of the desired endpoints of a Service: all endpoints of the group have the same ports.
 */
interface PortGroup {
  readonly ports: readonly DiscoveryV1EndpointPort[];
  readonly endpoints: V1Endpoint[];
}

/** Returns the changes to the EndpointSlices of a Service for one IP address family. */
export function slicesOfFamily(
  cache: CacheReader,
  service: ReadService,
  pods: readonly ReadPod[],
  existing: readonly ReadSlice[],
  family: AddressType,
): FamilyChanges {
  const { groups, problems } = desiredGroups(cache, service, pods, family);
  const own = existing.filter((slice) => isOwnedBy(slice, service));
  const changes: SliceChanges = {
    create: [],
    update: [],
    remove: existing.filter((slice) => !isOwnedBy(slice, service)),
  };
  for (const [key, { ports, endpoints }] of groups) {
    const ofGroup = own.filter((slice) => portsKey(slice.ports) === key);
    const desired = { endpoints, newSlice: () => newSlice(service, family, ports) };
    const { create, update, remove } = sliceChanges(service, ofGroup, desired);
    changes.create.push(...create);
    changes.update.push(...update);
    changes.remove.push(...remove);
  }
  changes.remove.push(...own.filter((slice) => !groups.has(portsKey(slice.ports))));
  keepPlaceholder(service, existing, family, changes);
  const changed = new Set(
    [...changes.update, ...changes.remove].map(({ metadata }) => metadata.name),
  );
  const unchanged = own.filter(({ metadata }) => !changed.has(metadata.name));
  return { changes, unchanged, problems };
}

/**
 * Returns the desired endpoints of a Service, grouped by their ports, and a text for each pod that
 * is left out because its node does not exist.
 */
function desiredGroups(
  cache: CacheReader,
  service: ReadService,
  pods: readonly ReadPod[],
  family: AddressType,
): { groups: ReadonlyMap<string, PortGroup>; problems: readonly string[] } {
  const groups = new Map<string, PortGroup>();
  const problems: string[] = [];
  for (const pod of pods.filter(hasEndpoint)) {
    const ports = endpointPorts(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    const { nodeName = "" } = pod.spec!;
    const node = nodeName === "" ? undefined : cache.shared.get(Node, nodeName);
    if (!node && !service.spec?.publishNotReadyAddresses) {
      problems.push(
        `skipping Pod ${pod.metadata.name} for Service ${
          keyOf(service)
        }: Node ${nodeName} Not Found`,
      );
      continue;
    }
    const endpoint = podEndpoint(pod, node, service, family);
    if (endpoint.addresses.length > 0) group.endpoints.push(endpoint);
  }
  return { groups, problems };
}

/** Returns a key for a list of ports; equal lists in any order have the same key. */
export function portsKey(ports: ReadSlice["ports"] | null): string {
  return JSON.stringify(
    (ports ?? []).map(({ appProtocol, name, port, protocol }) =>
      JSON.stringify([name, port, protocol, appProtocol])
    ).toSorted(),
  );
}

/**
 * Adjusts the given changes so that a Service without endpoints keeps or gets an empty
 * EndpointSlice, by which consumers distinguish it from a Service that was not observed yet.
 */
function keepPlaceholder(
  service: ReadService,
  existing: readonly ReadSlice[],
  family: AddressType,
  { create, remove }: SliceChanges,
): void {
  if (existing.length !== remove.length || create.length > 0) return;
  const [only, ...others] = remove;
  if (only && others.length === 0 && isPlaceholder(only, service)) remove.length = 0;
  else create.push(newSlice(service, family, []));
}

function isPlaceholder(slice: ReadSlice, service: ReadService): boolean {
  return isOwnedBy(slice, service) && hasLabelsOf(slice, service) &&
    (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0;
}

/**
 * Sets the hints of a Service's traffic distribution, if it has one, in the changed EndpointSlices
 * of the Service. Unchanged EndpointSlices with other hints are added to the updates.
 */
export function addDistributionHints(
  service: ReadService,
  { changes: { create, update }, unchanged }: Omit<FamilyChanges, "problems">,
): void {
  const distribution = distributionOf(service);
  if (distribution === undefined) return;
  for (const slice of unchanged) {
    if (hasHints(slice, distribution)) continue;
    update.push(structuredClone(slice) as V1EndpointSlice);
  }
  for (const slice of [...create, ...update]) {
    slice.endpoints = (slice.endpoints ?? []).map((each) => withHints(each, distribution));
  }
}

function isOwnedBy({ metadata }: ReadSlice, service: ReadService): boolean {
  return (metadata.ownerReferences ?? []).some(({ apiVersion, kind, uid }) =>
    apiVersion === "v1" && kind === "Service" && uid === service.metadata.uid
  );
}

/**
 * Writes the changes to the EndpointSlices of a Service. Where possible an EndpointSlice to delete
 * is updated to the content of an EndpointSlice to create. For a Service that is being deleted no
 * EndpointSlice is created. When the namespace is being deleted, the function returns at the first
 * refused creation.
 *
 * @throws {ApiError} When the server refuses a write.
 */
export async function writeSlices(
  { client }: ReconcileContext,
  service: ReadService,
  { create, update, remove }: SliceChanges,
  triggerTime: string | undefined,
): Promise<void> {
  const created = [...create];
  const updated = [...update];
  const removed = remove.filter((slice) => {
    const next = created.at(-1);
    if (!next || next.addressType !== slice.addressType || !isOwnedBy(slice, service)) return true;
    created.pop();
    const { name, resourceVersion, uid } = slice.metadata;
    const metadata = { ...next.metadata, name, resourceVersion, uid };
    updated.push({ ...next, metadata } as V1EndpointSlice);
    return false;
  });
  if (service.metadata.deletionTimestamp === undefined) {
    for (const slice of created) {
      try {
        await client.create(EndpointSlice, withTriggerTime(slice, triggerTime));
      } catch (error) {
        if (hasStatusCause(error, "NamespaceTerminating")) return;
        throw error;
      }
    }
  }
  for (const slice of updated) {
    await client.update(EndpointSlice, withTriggerTime(slice, triggerTime));
  }
  for (const slice of removed) await ignoreNotFound(client.delete(EndpointSlice, keyOf(slice)));
}

function withTriggerTime(slice: V1EndpointSlice, time: string | undefined): V1EndpointSlice {
  const { [TRIGGER_TIME]: _, ...others } = slice.metadata.annotations ?? {};
  const annotations = { ...others, ...(time && { [TRIGGER_TIME]: time }) };
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}
