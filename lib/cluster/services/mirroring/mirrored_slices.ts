// Mirrors `controller/endpointslicemirroring/reconciler.go, reconciler.reconcile`.
import { isIP } from "node:net";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import type {
  DiscoveryV1EndpointPort,
  V1Endpoint,
  V1Endpoints,
  V1EndpointSlice,
} from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, Endpoints, setControllerReference } from "@xca/apimachinery/meta";
import {
  generatedPrefix,
  MANAGED_BY,
  type ReadSlice,
  SERVICE_NAME,
} from "../endpoint_slice/new_slice.ts";
import type { AddressType } from "../endpoint_slice/pod_endpoints.ts";
import { portsKey } from "../endpoint_slice/service_slices.ts";
import { identityOf, isEqual, type SliceChanges } from "../endpoint_slice/slice_changes.ts";
import { TRIGGER_TIME } from "../endpoint_slice/trigger_time.ts";
import { type Address, repackSubsets, type Subset } from "../endpoints/repack_subsets.ts";

/** A deeply read-only Endpoints object. */
export type ReadEndpoints = DeepReadonly<V1Endpoints>;

/** The value of {@linkcode MANAGED_BY} of EndpointSlices that mirror Endpoints. */
export const MIRRORED_SLICES = "endpointslicemirroring-controller.k8s.io";
/** The largest number of mirrored addresses per subset of an Endpoints object. */
export const MAX_MIRRORED = 1000;

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The changes to the EndpointSlices that mirror an Endpoints object, and the numbers of addresses
 * that were left out.
 */
export interface MirrorChanges extends SliceChanges {
  /**
   * The number of addresses in the Endpoints that are not IP addresses; those beyond the limit of a
   * subset are not examined.
   */
  readonly invalid: number;
  /** The number of addresses in the Endpoints that were not mirrored, for any reason. */
  readonly skipped: number;
}

/** The desired endpoints of one mirroring EndpointSlice. */
interface Mirror {
  readonly family: AddressType;
  readonly ports: readonly DiscoveryV1EndpointPort[];
  readonly endpoints: Map<string, V1Endpoint>;
}

/**
 * Returns the changes by which each subset of an Endpoints object has one EndpointSlice for each IP
 * address family of its addresses.
 */
export function mirrorChanges(
  endpoints: ReadEndpoints,
  existing: readonly ReadSlice[],
): MirrorChanges {
  const { mirrors, invalid, skipped } = mirrorsOf(repackSubsets(endpoints.subsets ?? []));
  const byKey = Map.groupBy(existing, ({ addressType, ports }) => mirrorKey(addressType, ports));
  const changes = { create: [], update: [], remove: [] } as SliceChanges;
  for (const [key, mirror] of mirrors) {
    const [first, ...others] = byKey.get(key) ?? [];
    byKey.delete(key);
    changes.remove.push(...others);
    if (mirror.endpoints.size === 0) {
      if (first) changes.remove.push(first);
    } else if (!first) changes.create.push(mirrorSlice(endpoints, mirror));
    else if (!isMirror(first, endpoints, mirror)) {
      changes.update.push(renewed(first, mirrorSlice(endpoints, mirror)));
    }
  }
  changes.remove.push(...[...byKey.values()].flat());
  return { ...recycled(changes), invalid, skipped };
}

/**
 * Returns the desired endpoints of mirroring EndpointSlices, grouped by address family and ports;
 * with the number of addresses that are not IP addresses, and the number of all addresses that are
 * left out.
 */
function mirrorsOf(
  subsets: readonly Subset[],
): { mirrors: ReadonlyMap<string, Mirror>; invalid: number; skipped: number } {
  const mirrors = new Map<string, Mirror>();
  let [invalid, skipped] = [0, 0];
  for (const { addresses = [], notReadyAddresses = [], ports: own = [] } of subsets) {
    const ports = own.map((port) => ({ ...port, name: port.name ?? "" }));
    const ofFamily = (family: AddressType): Mirror => {
      const key = mirrorKey(family, ports);
      const mirror = mirrors.get(key) ?? { family, ports, endpoints: new Map() };
      mirrors.set(key, mirror);
      return mirror;
    };
    const families = { 4: ofFamily("IPv4"), 6: ofFamily("IPv6") };
    let mirrored = 0;
    for (const [list, ready] of [[addresses, true], [notReadyAddresses, false]] as const) {
      for (const address of list) {
        if (mirrored >= MAX_MIRRORED) break;
        const version = isIP(address.ip);
        if (version === 0) {
          invalid++;
          continue;
        }
        mirrored++;
        const endpoint = mirrorEndpoint(address, ready);
        families[version as 4 | 6].endpoints.set(identityOf(endpoint), endpoint);
      }
    }
    skipped += addresses.length + notReadyAddresses.length - mirrored;
  }
  return { mirrors, invalid, skipped };
}

function mirrorKey(family: string, ports: ReadSlice["ports"]): string {
  return `${family} ${portsKey(ports)}`;
}

function mirrorEndpoint(
  { ip, hostname, nodeName, targetRef }: Address,
  ready: boolean,
): V1Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(nodeName && { nodeName }),
    ...(targetRef && { targetRef }),
  };
}

function mirrorSlice(
  endpoints: ReadEndpoints,
  { family, ports, endpoints: wanted }: Mirror,
): V1EndpointSlice {
  const { name = "", namespace, labels } = endpoints.metadata;
  const slice: V1EndpointSlice = {
    metadata: {
      generateName: generatedPrefix(name),
      ...(namespace && { namespace }),
      labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MIRRORED_SLICES },
      annotations: { ...mirroredAnnotations(endpoints) },
    },
    addressType: family,
    endpoints: [...wanted.values()].slice(0, MAX_MIRRORED),
    ports: [...ports],
  };
  setControllerReference(slice, endpoints, Endpoints);
  return slice;
}

function mirroredAnnotations({ metadata }: ReadEndpoints): Readonly<Record<string, string>> {
  const { [TRIGGER_TIME]: _, [LAST_APPLIED]: __, ...others } = metadata.annotations ?? {};
  return others;
}

/**
 * Reports whether an EndpointSlice already mirrors a subset of an Endpoints object: it has the
 * endpoints of the subset, the labels and annotations of the Endpoints, and no deleted Endpoints of
 * the same name as its owner.
 */
function isMirror(slice: ReadSlice, source: ReadEndpoints, { endpoints }: Mirror): boolean {
  const own = slice.endpoints ?? [];
  return own.length === endpoints.size &&
    own.every((endpoint) => {
      const wanted = endpoints.get(identityOf(endpoint as V1Endpoint));
      return wanted !== undefined && isEqual(endpoint as V1Endpoint, wanted);
    }) &&
    canonicalJson(ownLabels(slice)) === canonicalJson(ownLabels(source)) &&
    canonicalJson(slice.metadata.annotations ?? {}) ===
      canonicalJson(mirroredAnnotations(source)) &&
    !isOfPredecessor(slice, source);
}

function ownLabels({ metadata }: ReadSlice | ReadEndpoints): Readonly<Record<string, string>> {
  const { [SERVICE_NAME]: _, [MANAGED_BY]: __, ...own } = metadata.labels ?? {};
  return own;
}

/** Reports whether an EndpointSlice belongs to a deleted Endpoints object of the same name. */
function isOfPredecessor({ metadata }: ReadSlice, source: ReadEndpoints): boolean {
  return (metadata.ownerReferences ?? []).some(({ kind, name, uid }) =>
    kind === "Endpoints" && name === source.metadata.name && uid !== source.metadata.uid
  );
}

/** Returns a new EndpointSlice with the name of an existing one, to update it. */
function renewed({ metadata }: ReadSlice, slice: V1EndpointSlice): V1EndpointSlice {
  const { generateName: _, ...own } = slice.metadata;
  const { name, resourceVersion, uid } = metadata;
  return {
    ...slice,
    metadata: { ...own, name, resourceVersion, uid } as V1EndpointSlice["metadata"],
  };
}

/**
 * Returns changes of EndpointSlices in which a creation and a deletion of the same address family
 * are replaced by one update.
 */
function recycled({ create, update, remove }: SliceChanges): SliceChanges {
  const created: V1EndpointSlice[] = [];
  const removed = [...remove];
  const updated = [...update];
  for (const slice of create) {
    const index = removed.findIndex(({ addressType }) => addressType === slice.addressType);
    if (index < 0) created.push(slice);
    else updated.push(renewed(removed.splice(index, 1)[0]!, slice));
  }
  return { create: created, update: updated, remove: removed };
}
