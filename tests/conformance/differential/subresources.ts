/**
 * The bodies for subresources that are not written like their object.
 *
 * @module
 */
import type { Chance, Fields } from "./chance.ts";

/** A Scale; now and then a wrong one. */
export function scale(chance: Chance, metadata: Fields): Fields {
  return {
    apiVersion: chance.happens(0.95) ? "autoscaling/v1" : "v1",
    kind: chance.happens(0.95) ? "Scale" : "Odd",
    metadata,
    ...partialScale(chance),
  };
}

/** Part of a Scale. */
export function partialScale(chance: Chance): Fields {
  return {
    ...(chance.happens(0.9) && { spec: { replicas: chance.mostly([1, 3, 0, 7, 11, -1, "x"]) } }),
    ...(chance.happens(0.1) && { status: { replicas: 5 } }),
  };
}

/** Asks for a pod's eviction. */
export function eviction(name: string, deleteOptions: Fields | undefined): Fields {
  return {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name },
    ...(deleteOptions && { deleteOptions }),
  };
}

/** Binds a pod to a node. */
export function binding(chance: Chance, name: string, metadata: Fields): Fields {
  return {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, ...metadata },
    target: {
      ...chance.fields({ kind: () => chance.mostly(["Node", "Odd"]), apiVersion: () => "v1" }, 0.7),
      name: chance.mostly(["node-1", "node-2", ""]),
    },
  };
}
