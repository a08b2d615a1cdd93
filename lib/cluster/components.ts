// Mirrors `core/rest/storage_core.go, componentStatusStorage`, whose probes name the components.
/**
 * The names of the controllers of a simulated cluster that are not part of kube-controller-manager.
 */
const OTHER_COMPONENTS = ["kubelet", "pretend-provisioner", "scheduler"];

/**
 * Returns the names of the Kubernetes components, `scheduler` and `controller-manager`, that the
 * given controllers of a simulated cluster belong to. An embedded API server reports the components
 * of its option `components` as healthy in its ComponentStatuses.
 *
 * @param controllers The present names of the controllers, as `selectedControllers` returns them;
 *   `*` and older names are not replaced.
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
