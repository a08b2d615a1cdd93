/**
 * The scenarios of the controllers of the simulated cluster, by area.
 *
 * @module
 */
import type { Scenario, ScenarioArea } from "../world.ts";
import { ADAPTER_METRICS } from "./adapter_metrics.ts";
import { AUTOSCALING } from "./autoscaling.ts";
import { CERTIFICATES } from "./certificates.ts";
import { CRON_JOB } from "./cron_job.ts";
import { DAEMON_SET } from "./daemon_set.ts";
import { DEPLOYMENT } from "./deployment.ts";
import { DISRUPTION } from "./disruption.ts";
import { ENDPOINT_SLICE } from "./endpoint_slice.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { JOB } from "./job.ts";
import { NODES } from "./nodes.ts";
import { POD_GC } from "./pod_gc.ts";
import { REPLICA_SET } from "./replica_set.ts";
import { REPLICATION_CONTROLLER } from "./replication_controller.ts";
import { RESOURCE_QUOTA } from "./resource_quota.ts";
import { SCHEDULING } from "./scheduling.ts";
import { SERVICE_ACCOUNTS } from "./service_accounts.ts";
import { STATEFUL_SET } from "./stateful_set.ts";
import { TOPOLOGY } from "./topology.ts";
import { TRUST_BUNDLES } from "./trust_bundles.ts";
import { VOLUMES } from "./volumes.ts";

/** The scenario areas, sorted by name. */
export const AREAS: readonly ScenarioArea[] = [
  ADAPTER_METRICS,
  AUTOSCALING,
  CERTIFICATES,
  CRON_JOB,
  DAEMON_SET,
  DEPLOYMENT,
  DISRUPTION,
  ENDPOINT_SLICE,
  ENDPOINTS,
  JOB,
  NODES,
  POD_GC,
  REPLICA_SET,
  REPLICATION_CONTROLLER,
  RESOURCE_QUOTA,
  SCHEDULING,
  SERVICE_ACCOUNTS,
  STATEFUL_SET,
  TOPOLOGY,
  TRUST_BUNDLES,
  VOLUMES,
];

/**
 * The scenarios whose result varies between runs of kube-controller-manager, each with the varying
 * aspect. Every recorded result is accepted.
 */
export const VARYING_SCENARIOS: ReadonlyMap<string, string> = new Map([
  ["recreated while broken", "whether the rollout counts as complete"],
]);

/** Returns the scenarios of an area, each with the kinds that the area compares. */
export function withKinds({ kinds, scenarios }: ScenarioArea): Scenario[] {
  return scenarios.map((scenario) => {
    const own = scenario.kinds ?? [];
    const others = kinds.filter(({ type }) => !own.some((kind) => kind.type === type));
    return { ...scenario, kinds: [...others, ...own] };
  });
}

/**
 * The scenarios that can be played concurrently in one cluster, each with the kinds that its area
 * compares.
 */
export const SCENARIOS: readonly Scenario[] = AREAS
  .filter(({ isAlone, controllers, metrics }) => !isAlone && !metrics && !controllers)
  .flatMap(withKinds);
