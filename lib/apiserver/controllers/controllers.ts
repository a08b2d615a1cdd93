import type { Clock } from "@xca/apimachinery/base";
import type { Registry } from "../machinery/registry.ts";
import { ClusterRoleAggregation } from "./cluster_role_aggregation.ts";
import { GarbageCollector } from "./garbage_collector.ts";
import { NamespaceController } from "./namespace_controller.ts";

type Start = (registry: Registry, clock: Clock) => Disposable;

/**
 * The functions that start the controllers of the API server, by the controllers' names in
 * kube-controller-manager.
 */
export const CONTROLLERS: Readonly<Record<string, Start>> = {
  "clusterrole-aggregation-controller": (registry, clock) =>
    new ClusterRoleAggregation(registry, clock),
  "garbage-collector-controller": (registry, clock) => new GarbageCollector(registry, clock),
  "namespace-controller": (registry, clock) => new NamespaceController(registry, clock),
};

/**
 * The names of the controllers that can run in the API server, as kube-controller-manager has them.
 */
export const API_SERVER_CONTROLLERS: readonly string[] = Object.keys(CONTROLLERS);
