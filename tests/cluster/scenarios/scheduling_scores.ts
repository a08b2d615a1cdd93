/**
 * Scenarios of the scheduler's scores: the node that it selects among those that a pod fits.
 *
 * @module
 */
import { Service, StatefulSet } from "../../../lib/apimachinery/meta/mod.ts";
import type { Scenario } from "../world.ts";
import { create, podTemplate, type Step } from "./parts.ts";
import {
  cordon,
  expression,
  HOST,
  labels,
  on,
  pod,
  requests,
  scheduling,
  type Spec,
  ZONE,
} from "./scheduling_parts.ts";

const WEB = { app: "web" };
const SELECTOR = { matchLabels: WEB };

/** Requests of a pod that make its node the last choice by free resources. */
const LARGE = requests({ cpu: "24", memory: "192Gi" });

/** Creates a Service that selects the pods with the label `app: web`. */
function service(): Step {
  return (stage) =>
    create(stage, Service, {
      metadata: { name: "web" },
      spec: { selector: WEB, ports: [{ port: 80 }] },
    });
}

/** Creates a StatefulSet, and waits until its pods are scheduled. */
function statefulSet(replicas: number): Step {
  return async (stage) => {
    await create(stage, StatefulSet, {
      metadata: { name: "db" },
      spec: {
        replicas,
        serviceName: "db",
        podManagementPolicy: "Parallel",
        selector: SELECTOR,
        template: podTemplate(),
      },
    });
    await stage.pass(2000);
  };
}

/** Returns the spec of a pod with a preferred (anti-)affinity to pods with `app: web`. */
function prefers(kind: "podAffinity" | "podAntiAffinity", topologyKey: string): Spec {
  const podAffinityTerm = { labelSelector: SELECTOR, topologyKey };
  const preferred = [{ weight: 100, podAffinityTerm }];
  return { affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } };
}

/** Returns the spec of a pod that must run beside pods with `app: web`. */
function requires(topologyKey: string): Spec {
  const required = [{ labelSelector: SELECTOR, topologyKey }];
  return {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
}

/** Returns the spec of a pod that is spread where possible. */
function spread(topologyKey: string, more: object = {}): Spec {
  const constraint = { topologyKey, maxSkew: 1, whenUnsatisfiable: "ScheduleAnyway" };
  return { topologySpreadConstraints: [{ ...constraint, labelSelector: SELECTOR, ...more }] };
}

export const SCORES: readonly Scenario[] = [
  scheduling(
    "the least loaded node",
    on("node-1", requests({ cpu: "8", memory: "64Gi" })),
    on("node-3", requests({ cpu: "4", memory: "32Gi" })),
    pod("web", requests({ cpu: "1", memory: "8Gi" })),
  ),
  scheduling(
    "the preferred node",
    labels("size", "1", "2", "3"),
    pod("web", {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 10, preference: expression("size", "In", "1") as never },
            { weight: 90, preference: expression("size", "In", "2") as never },
          ],
        },
      },
    }),
  ),
  scheduling(
    "a preference that no node meets",
    cordon("node-1", "node-2"),
    pod("web", {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 90, preference: expression("size", "In", "9") as never },
          ],
        },
      },
    }),
  ),
  scheduling(
    "spreads the pods of a Service",
    service(),
    on("node-1", {}, WEB),
    on("node-2", {}, WEB),
    on("node-3", LARGE),
    pod("web", {}, WEB),
  ),
  scheduling(
    "does not spread pods of no Service",
    on("node-1", requests({ cpu: "1", memory: "8Gi" }), WEB),
    on("node-2", requests({ cpu: "1", memory: "8Gi" }), WEB),
    on("node-3", LARGE),
    cordon("node-2"),
    pod("web", {}, WEB),
  ),
  scheduling(
    "spreads the pods of a Service over zones",
    labels(ZONE, "a", "a", "b"),
    service(),
    on("node-1", {}, WEB),
    on("node-3", LARGE),
    pod("web", {}, WEB),
  ),
  scheduling(
    "spreads over zones where possible",
    labels("zone", "a", "a", "b"),
    on("node-1", {}, WEB),
    on("node-3", LARGE),
    pod("web", spread("zone"), WEB),
  ),
  scheduling(
    "spreads last to a node without a zone",
    labels("zone", "a", "b"),
    on("node-1", {}, WEB),
    on("node-2", LARGE),
    pod("web", spread("zone"), WEB),
  ),
  scheduling(
    "spreads by an empty selector",
    labels("zone", "a", "a", "b"),
    on("node-1", requests({ cpu: "1", memory: "8Gi" })),
    on("node-3", LARGE),
    pod("web", spread("zone", { labelSelector: {} }), WEB),
  ),
  scheduling(
    "spreads the pods of a StatefulSet",
    on("node-1", {}, WEB),
    on("node-2", {}, WEB),
    on("node-3", LARGE),
    statefulSet(1),
  ),
  scheduling(
    "prefers to be near to a pod",
    on("node-1", requests({ cpu: "1", memory: "8Gi" }), WEB),
    pod("near", prefers("podAffinity", HOST)),
  ),
  scheduling(
    "prefers to be away from pods",
    on("node-1", {}, WEB),
    on("node-2", {}, WEB),
    on("node-3", LARGE),
    pod("away", prefers("podAntiAffinity", HOST)),
  ),
  scheduling(
    "near to a pod that prefers it",
    on("node-2", { ...LARGE, ...prefers("podAffinity", HOST) }),
    pod("web", {}, WEB),
  ),
  scheduling(
    "away from pods that avoid it",
    on("node-1", prefers("podAntiAffinity", HOST)),
    on("node-2", prefers("podAntiAffinity", HOST)),
    on("node-3", LARGE),
    pod("web", {}, WEB),
  ),
  scheduling(
    "near to a pod that requires it",
    on("node-2", { ...LARGE, ...requires(HOST) }, WEB),
    pod("web", {}, WEB),
  ),
  scheduling(
    "balances the use of cpu and memory",
    on("node-1", requests({ cpu: "1", memory: "64Gi" })),
    on("node-2", requests({ cpu: "8", memory: "8Gi" })),
    on("node-3", requests({ cpu: "8", memory: "64Gi" })),
    pod("web", requests({ cpu: "8", memory: "8Gi" })),
  ),
  scheduling(
    "counts the containers of a pod without requests",
    on("node-1", {
      containers: ["a", "b", "c"].map((name) => ({ name, image: "app:1" })),
    }),
    on("node-2", { containers: [{ name: "a", image: "app:1" }] }),
    on("node-3", { containers: ["a", "b"].map((name) => ({ name, image: "app:1" })) }),
    pod("web"),
  ),
];
