// Mirrors `endpointslice/topologycache/topologycache.go, TopologyCache`.
import { keyOf, Node, type ObjectKey } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../../cache/readers/cache_reader.ts";
import type { MapFunction, MappingContext } from "../../../controller/definition/mapping.ts";
import type { ChangeEvent, Predicate } from "../../../controller/definition/predicate.ts";
import type { AddressType, ReadNode, ReadService } from "./pod_endpoints.ts";
import { distributionOf, isTopologyAware } from "./traffic_hints.ts";
import { isCounted, isOverloaded, zoneOf, zoneShares } from "./zone_allocations.ts";
import {
  addZoneHints,
  hasAnyHints,
  type HintedSlices,
  removeHints,
  type ZoneCounts,
} from "./zone_hints.ts";

/** An event about the topology-aware hints of a Service. */
export interface HintEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: "TopologyAwareHintsEnabled" | "TopologyAwareHintsDisabled";
  readonly note: string;
}

/**
 * The topology-aware hints of all Services: which Services have them, and how many endpoints each
 * zone gets. For a Service that this process has not handled before, the hints of its
 * EndpointSlices decide.
 */
export class TopologyHints {
  readonly #counts = new Map<ObjectKey, Map<AddressType, ZoneCounts>>();
  readonly #isHinted = new Map<ObjectKey, boolean>();

  /**
   * Adds, in the given changes, topology-aware hints to the EndpointSlices of a Service whose
   * annotation asks for them, and removes the hints of other Services unless they have a traffic
   * distribution. Returns the event about a change, or about the reason why the Service cannot have
   * hints; `undefined` if the hints stay enabled, or stay disabled because no annotation asks for
   * them.
   */
  async update(
    cache: CacheReader,
    service: ReadService,
    family: AddressType,
    slices: HintedSlices,
  ): Promise<HintEvent | undefined> {
    const key = keyOf(service);
    const wasHinted = this.#isHinted.get(key) ??
      (distributionOf(service) === undefined && slices.unchanged.some(hasAnyHints));
    if (!isTopologyAware(service)) {
      this.#remove(key, family);
      if (distributionOf(service) === undefined) removeHints(slices);
      return wasHinted ? disabled("Topology Aware Hints has been disabled", family) : undefined;
    }
    const nodes: readonly ReadNode[] = await cache.shared.list(Node);
    const counts = addZoneHints(slices, zoneShares(nodes));
    if (typeof counts === "string") {
      this.#remove(key, family);
      return disabled(counts, family);
    }
    const families = this.#counts.get(key) ?? new Map<AddressType, ZoneCounts>();
    this.#counts.set(key, families.set(family, counts));
    this.#isHinted.set(key, true);
    if (wasHinted) return undefined;
    const note = `Topology Aware Hints has been enabled, addressType: ${family}`;
    return { type: "Normal", reason: "TopologyAwareHintsEnabled", note };
  }

  /** Removes the remembered hints of a deleted Service. */
  forget(key: ObjectKey): void {
    this.#counts.delete(key);
    this.#isHinted.delete(key);
  }

  /**
   * A mapping function that maps any node to the Services with topology-aware hints of which a zone
   * has too few endpoints.
   */
  readonly toOverloaded: MapFunction = async (
    _node,
    { cache }: MappingContext,
  ): Promise<ObjectKey[]> => {
    if (this.#counts.size === 0) return [];
    const shares = zoneShares(await cache.shared.list(Node));
    return [...this.#counts]
      .filter(([, families]) =>
        [...families.values()].some((counts) => isOverloaded(counts, shares))
      )
      .map(([key]) => key);
  };

  #remove(key: ObjectKey, family: AddressType): void {
    const families = this.#counts.get(key);
    families?.delete(family);
    if (families?.size === 0) this.#counts.delete(key);
    this.#isHinted.set(key, false);
  }
}

function disabled(why: string, family: AddressType): HintEvent {
  const note = `${why}, addressType: ${family}`;
  return { type: "Warning", reason: "TopologyAwareHintsDisabled", note };
}

/**
 * A predicate that passes the events of nodes that may change how endpoints are distributed over
 * zones.
 */
export const isShareChange: Predicate = (event: ChangeEvent): boolean =>
  event.type !== "updated" ||
  shareOf(event.old.object as ReadNode) !== shareOf(event.object.object as ReadNode);

function shareOf(node: ReadNode): string {
  return JSON.stringify([isCounted(node), zoneOf(node), node.status?.allocatable?.["cpu"]]);
}
