import { unset } from "../config/config_place.ts";
import type { Kubeconfig } from "./kubeconfig.ts";

/**
 * Returns kubeconfig files merged as kubectl does: the current context is that of the first file
 * that sets one, and the first file that names a cluster, user or context defines it entirely.
 */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: files.find((file) => file.currentContext.value !== "")?.currentContext ??
      unset(""),
    contexts: firstOfEach(files.map((file) => file.contexts)),
    clusters: firstOfEach(files.map((file) => file.clusters)),
    users: firstOfEach(files.map((file) => file.users)),
  };
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) {
    for (const [name, entry] of map) {
      if (!merged.has(name)) merged.set(name, entry);
    }
  }
  return merged;
}
