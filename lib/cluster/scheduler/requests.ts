// Mirrors `component-helpers/resource/helpers.go, PodRequests`.
import { milliValue, wholeValue } from "@xca/apimachinery/internal/values";
import type { ReadPod } from "../pods/pod_state.ts";

/**
 * A map of resource names to amounts: CPU in millicores, all other resources in whole units, such
 * as bytes.
 */
export type Amounts = Map<string, number>;

/**
 * Returns the amounts in a record of quantities by resource name, such as `250m` for `cpu`: CPU in
 * millicores, all other resources in whole units; an empty map for no record.
 */
export function amountsOf(quantities: Readonly<Record<string, string>> = {}): Amounts {
  return new Map(
    Object.entries(quantities).map(([name, quantity]) => [
      name,
      Number(name === "cpu" ? milliValue(quantity) : wholeValue(quantity)),
    ]),
  );
}

/** Adds amounts of resources to a map of amounts, in place; subtracts them for the factor -1. */
export function addAmounts(to: Amounts, from: Amounts, factor: 1 | -1 = 1): void {
  for (const [name, amount] of from) to.set(name, (to.get(name) ?? 0) + factor * amount);
}

const NO_AMOUNTS: ReadonlyMap<string, number> = new Map();

/**
 * The CPU, in millicores, and the memory, in bytes, by which containers that do not request them
 * are scored, so that such pods spread too.
 */
const DEFAULTS: ReadonlyMap<string, number> = new Map([["cpu", 100], ["memory", 200 * 2 ** 20]]);

const known = new WeakMap<ReadPod, { requests: Amounts; scored?: Amounts }>();

function knownOf(pod: ReadPod): { requests: Amounts; scored?: Amounts } {
  return known.getOrInsertComputed(pod, () => ({ requests: requestsWith(NO_AMOUNTS, pod) }));
}

/**
 * Returns the resources that a pod requests: the sum over its containers and sidecars, or, if that
 * is higher, the largest request of an init container with the sidecars before it; plus the
 * overhead of the pod. Requests of the pod itself replace those of its containers. The map is
 * computed once per pod object, and callers do not change it.
 */
export function requestsOf(pod: ReadPod): Amounts {
  return knownOf(pod).requests;
}

/**
 * Returns the CPU and memory by which a pod is scored (`NonZeroRequested`): its requests, with a
 * default amount of each for every container that does not request it.
 */
export function scoredRequestsOf(pod: ReadPod): Amounts {
  const entry = knownOf(pod);
  return entry.scored ??= cpuAndMemory(requestsWith(DEFAULTS, pod));
}

function cpuAndMemory(amounts: Amounts): Amounts {
  return new Map([...DEFAULTS.keys()].map((name) => [name, amounts.get(name) ?? 0]));
}

/**
 * Returns the requests of a pod (see {@linkcode requestsOf}), with the default amount of a resource
 * for every container that does not request the resource.
 */
function requestsWith(defaults: ReadonlyMap<string, number>, pod: ReadPod): Amounts {
  const { containers = [], initContainers = [], overhead, resources } = pod.spec ?? {};
  const requests = (of: (typeof containers)[number]): Amounts =>
    new Map([...defaults, ...amountsOf(of.resources?.requests)]);
  const total: Amounts = new Map();
  for (const container of containers) addAmounts(total, requests(container));
  const sidecars: Amounts = new Map();
  const most: Amounts = new Map();
  for (const container of initContainers) {
    const own = requests(container);
    if (container.restartPolicy === "Always") {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      raise(most, sidecars);
    } else {
      addAmounts(own, sidecars);
      raise(most, own);
    }
  }
  raise(total, most);
  // Requests of the pod itself replace those of its containers.
  for (const [name, amount] of amountsOf(resources?.requests)) total.set(name, amount);
  addAmounts(total, amountsOf(overhead));
  return total;
}

function raise(to: Amounts, floor: Amounts): void {
  for (const [name, amount] of floor) to.set(name, Math.max(to.get(name) ?? 0, amount));
}
