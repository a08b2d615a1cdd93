// Mirrors `controller/endpoint/endpoints_controller.go, truncateEndpoints`.
import type { ReadSubset, Subset } from "./repack_subsets.ts";

/** The largest number of addresses of an Endpoints object. */
export const MAX_ADDRESSES = 1000;

/** Returns the number of addresses in the subsets of an Endpoints object, ready or not. */
export function countAddresses(subsets: readonly ReadSubset[]): number {
  return total(subsets, "addresses") + total(subsets, "notReadyAddresses");
}

/**
 * Returns subsets with at most {@linkcode MAX_ADDRESSES} addresses: each subset keeps a share
 * proportional to its size, rounded up. Addresses that are not ready are removed first.
 */
export function truncateSubsets(subsets: readonly Subset[]): Subset[] {
  const ready = total(subsets, "addresses");
  if (countAddresses(subsets) <= MAX_ADDRESSES) return [...subsets];
  if (ready > MAX_ADDRESSES) {
    const onlyReady = subsets.map(({ notReadyAddresses: _, ...subset }) => subset);
    return truncated(onlyReady, "addresses", MAX_ADDRESSES);
  }
  return truncated(subsets, "notReadyAddresses", MAX_ADDRESSES - ready);
}

type AddressList = "addresses" | "notReadyAddresses";

function truncated(subsets: readonly Subset[], list: AddressList, most: number): Subset[] {
  const all = total(subsets, list);
  let room = most;
  return subsets.map((subset) => {
    const { [list]: addresses = [], ...rest } = subset;
    const share = Math.min(room, Math.ceil(addresses.length / all * most));
    const kept = addresses.slice(0, share);
    room -= kept.length;
    return { ...rest, ...(kept.length > 0 && { [list]: kept }) };
  });
}

function total(subsets: readonly ReadSubset[], list: AddressList): number {
  return subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0);
}
