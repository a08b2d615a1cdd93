// Mirrors `api/v1/endpoints/util.go, RepackSubsets`.
import type { V1Endpoints } from "@xca/apimachinery/kubernetes-types";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A subset of an Endpoints object: addresses that have the same ports. */
export type Subset = NonNullable<V1Endpoints["subsets"]>[number];
/** A deeply read-only subset of an Endpoints object. */
export type ReadSubset = DeepReadonly<Subset>;
/** An address in a subset of an Endpoints object. */
export type Address = NonNullable<Subset["addresses"]>[number];
/** A port in a subset of an Endpoints object. */
export type Port = NonNullable<Subset["ports"]>[number];

/** An address at a port of an Endpoints object, and whether the address is ready there. */
interface Reachable {
  readonly address: Address;
  ready: boolean;
}

/** A port of an Endpoints object with its addresses, by keys that identify the addresses. */
interface PortGroup {
  readonly port: Port | undefined;
  readonly reachable: Map<string, Reachable>;
}

/**
 * Returns subsets in canonical form, so that equal Endpoints have equal subsets: addresses with the
 * same ports are in one subset, each once, and all lists are sorted. An address that is both ready
 * and not ready on a port counts as not ready.
 *
 * Kubernetes sorts subsets and ports by a hash of their Go values; this function sorts them by
 * their JSON.
 */
export function repackSubsets(subsets: readonly ReadSubset[]): Subset[] {
  const byAddresses = Map.groupBy(
    portGroups(subsets),
    ({ reachable }) => keyOfAddresses(reachable),
  );
  const packed = [...byAddresses.values()].map((groups) => {
    const reachable = sortedAddresses(groups[0]!.reachable);
    const ports = groups.flatMap(({ port }) => port ? [port] : []);
    return subsetOf(reachable, sortedByJson(ports));
  });
  return sortedByJson(packed);
}

/**
 * Returns the addresses in the subsets of Endpoints, grouped by port; addresses without a port are
 * one group.
 */
function portGroups(subsets: readonly ReadSubset[]): PortGroup[] {
  const groups = new Map<string, PortGroup>();
  for (const { addresses, notReadyAddresses, ports } of subsets) {
    const own = (ports ?? []).length === 0 ? [undefined] : ports!;
    for (const port of own) {
      const key = port
        ? JSON.stringify([port.name, port.port, port.protocol, port.appProtocol])
        : "";
      const group = groups.get(key) ?? { port, reachable: new Map() };
      groups.set(key, group);
      for (const address of addresses ?? []) add(group, address, true);
      for (const address of notReadyAddresses ?? []) add(group, address, false);
    }
  }
  return [...groups.values()];
}

function add({ reachable }: PortGroup, address: DeepReadonly<Address>, ready: boolean): void {
  const identity = JSON.stringify([address.ip, address.targetRef?.uid ?? ""]);
  const known = reachable.get(identity);
  if (known) known.ready &&= ready;
  else reachable.set(identity, { address: address as Address, ready });
}

function keyOfAddresses(reachable: ReadonlyMap<string, Reachable>): string {
  return JSON.stringify([...reachable].map(([identity, { ready }]) => [identity, ready]).sort());
}

function sortedAddresses(reachable: ReadonlyMap<string, Reachable>): Reachable[] {
  return [...reachable].sort(([a], [b]) => a < b ? -1 : 1).map(([, each]) => each);
}

function subsetOf(reachable: readonly Reachable[], ports: Port[]): Subset {
  const withState = (state: boolean): Address[] =>
    reachable.filter(({ ready }) => ready === state).map(({ address }) => address);
  const [addresses, notReadyAddresses] = [withState(true), withState(false)];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}

function sortedByJson<T>(values: readonly T[]): T[] {
  return values.map((value) => [canonicalJson(value), value] as const)
    .sort(([a], [b]) => a < b ? -1 : 1).map(([, value]) => value);
}
