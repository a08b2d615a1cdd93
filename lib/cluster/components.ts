// Mirrors `core/rest/storage_core.go, componentStatusStorage`, whose probes name the components.
/** The controllers of a living cluster that are no part of kube-controller-manager. */
const OTHER_COMPONENTS = ["kubelet", "pretend-provisioner", "scheduler"];

/**
 * Returns the components of Kubernetes that given controllers of a living cluster belong to. An
 * embedded API server reports those of its option `components` as healthy in its ComponentStatuses.
 *
 * @param controllers The names of controllers, of `CLUSTER_CONTROLLERS`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { componentsOf } from "@xca/operator/cluster";
 *
 * const components = componentsOf(["deployment-controller", "scheduler"]);
 * assert.deepEqual(components, ["scheduler", "controller-manager"]);
 * ```
 */
export function componentsOf(
  controllers: readonly string[],
): readonly ("controller-manager" | "scheduler")[] {
  const managed = controllers.some((name) => !OTHER_COMPONENTS.includes(name));
  return [
    ...(controllers.includes("scheduler") ? ["scheduler" as const] : []),
    ...(managed ? ["controller-manager" as const] : []),
  ];
}
