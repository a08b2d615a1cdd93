/**
 * Scenarios of the scheduler: the nodes that it selects, and its messages about pods that fit no
 * node. The scenarios change the nodes, so each is played alone.
 *
 * @module
 */
import type { V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Pod, PodDisruptionBudget, PriorityClass } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { create, type Step } from "./parts.ts";
import {
  cordon,
  expression,
  HOST,
  labels,
  NODES,
  nodes,
  on,
  pod,
  requesting,
  requests,
  scheduling,
  type Spec,
  taint,
} from "./scheduling_parts.ts";
import { SCORES } from "./scheduling_scores.ts";

/** Creates a PriorityClass for the scenario. */
function priority(name: string, value: number, preemptionPolicy = "PreemptLowerPriority"): Step {
  return async ({ client, namespace }) => {
    const metadata = { name: classOf(namespace, name) };
    await client.create(PriorityClass, { metadata, value, preemptionPolicy });
  };
}

function classOf(namespace: string, name: string): string {
  return `${namespace}-${name}`;
}

/** Creates a pod with a PriorityClass of the scenario. */
function ranked(priorityClass: string, step: (spec: Spec) => Step, spec: Spec = {}): Step {
  return (stage) =>
    step({ ...spec, priorityClassName: classOf(stage.namespace, priorityClass) })(stage);
}

/** Scenarios of resource requests that no node can meet. */
const RESOURCES: readonly Scenario[] = ([
  ["too much cpu", requests({ cpu: "40" })],
  ["too much memory", requests({ memory: "300Gi" })],
  ["too much of two resources", requests({ cpu: "40", memory: "300Gi" })],
  ["a resource that no node has", requests({ "example.com/gpu": "1" })],
  ["too much ephemeral storage", requests({ "ephemeral-storage": "2Ti" })],
  ["too much in an init container", {
    initContainers: [{ ...requesting({ cpu: "40" }), name: "first" }],
  }],
  ["too much with a sidecar", {
    initContainers: [{ ...requesting({ cpu: "20" }), name: "side", restartPolicy: "Always" }],
    containers: [requesting({ cpu: "20" })],
  }],
  ["too much by limits alone", {
    containers: [{ name: "app", image: "app:1", resources: { limits: { cpu: "40" } } }],
  }],
  ["too much for the whole pod", { resources: { requests: { cpu: "40" } } }],
] as readonly [string, Spec][]).map(([name, spec]) => scheduling(name, pod("web", spec)));

/** Returns a required node affinity with the given expressions. */
function nodeAffinity(...terms: readonly unknown[]): Spec {
  const required = { nodeSelectorTerms: terms };
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  } as Spec;
}

const SELECTION: readonly Scenario[] = [
  scheduling("a selector of no node", pod("web", { nodeSelector: { disk: "ssd" } })),
  scheduling(
    "a selector of one node",
    labels("disk", "hdd", "ssd"),
    pod("web", { nodeSelector: { disk: "ssd" } }),
  ),
  ...([
    ["In", "2"],
    ["NotIn", "1", "3"],
    ["Gt", "2"],
    ["Lt", "2"],
  ] as const).map(([operator, ...values]) =>
    scheduling(
      `affinity by ${operator}`,
      labels("size", "1", "2", "3"),
      pod("web", nodeAffinity(expression("size", operator, ...values))),
    )
  ),
  scheduling(
    "affinity by Exists",
    labels("size", null, "2"),
    pod("web", nodeAffinity(expression("size", "Exists"))),
  ),
  scheduling(
    "affinity by DoesNotExist",
    labels("size", "1", "2"),
    pod("web", nodeAffinity(expression("size", "DoesNotExist"))),
  ),
  scheduling(
    "affinity that no node meets",
    labels("size", "1", "2", "3"),
    pod("web", nodeAffinity(expression("size", "In", "9"))),
  ),
  scheduling(
    "one of two terms of affinity",
    labels("size", "1"),
    pod("web", nodeAffinity(expression("disk", "Exists"), expression("size", "Exists"))),
  ),
  scheduling(
    "affinity by name",
    pod(
      "web",
      nodeAffinity({
        matchFields: [{ key: "metadata.name", operator: "In", values: ["node-3"] }],
      }),
    ),
  ),
  scheduling(
    "affinity to a node that does not exist",
    pod(
      "web",
      nodeAffinity({
        matchFields: [{ key: "metadata.name", operator: "In", values: ["node-9"] }],
      }),
    ),
  ),
  scheduling(
    "selector and affinity that exclude each other",
    labels("size", "1", "2"),
    pod("web", {
      nodeSelector: { size: "1" },
      ...nodeAffinity(expression("size", "In", "2")),
    }),
  ),
];

const blue = { key: "team", operator: "Equal", value: "blue", effect: "NoSchedule" };

const TAINTS: readonly Scenario[] = [
  scheduling("taints of all nodes", taint("NoSchedule"), pod("web")),
  scheduling("taints that end pods", taint("NoExecute"), pod("web")),
  scheduling(
    "a taint that is tolerated",
    taint("NoSchedule"),
    cordon("node-1", "node-3"),
    pod("web", { tolerations: [blue] }),
  ),
  scheduling(
    "a taint tolerated by key",
    taint("NoSchedule"),
    cordon("node-1", "node-2"),
    pod("web", {
      tolerations: [{ key: "team", operator: "Exists" }],
    }),
  ),
  scheduling(
    "a toleration of another value",
    taint("NoSchedule"),
    pod("web", {
      tolerations: [{ ...blue, value: "red" }],
    }),
  ),
  scheduling(
    "a toleration of another effect",
    taint("NoSchedule"),
    pod("web", {
      tolerations: [{ ...blue, effect: "NoExecute" }],
    }),
  ),
  scheduling("a node without the taint", taint("NoSchedule", "node-1", "node-3"), pod("web")),
  scheduling(
    "a node without the taint that is to be avoided",
    taint("PreferNoSchedule", "node-1", "node-2"),
    pod("web"),
  ),
  scheduling("all cordoned", cordon(), pod("web")),
  scheduling("one not cordoned", cordon("node-1", "node-2"), pod("web")),
  scheduling(
    "all cordoned, which is tolerated by one",
    cordon(),
    taint("NoSchedule", "node-1"),
    pod("web"),
  ),
  scheduling(
    "each node for another reason",
    cordon("node-1"),
    taint("NoSchedule", "node-2"),
    pod("web", requests({ cpu: "40" })),
  ),
  scheduling(
    "two reasons of one node",
    labels("disk", "ssd"),
    taint("NoSchedule", "node-1"),
    pod("web", {
      nodeSelector: { disk: "ssd" },
    }),
  ),
];

function port(hostPort: number, more: Record<string, unknown> = {}): Spec {
  return {
    containers: [{
      name: "app",
      image: "app:1",
      ports: [{ containerPort: 80, hostPort, ...more }],
    }],
  } as Spec;
}

const PORTS: readonly Scenario[] = [
  scheduling(
    "a port of the host that is taken everywhere",
    ...NODES.map((node) => on(node, port(8080))),
    pod("web", port(8080)),
  ),
  scheduling(
    "a port of the host that is free on one node",
    on("node-1", port(8080)),
    on("node-3", port(8080)),
    pod("web", port(8080)),
  ),
  scheduling(
    "a port of another protocol",
    cordon("node-2", "node-3"),
    on("node-1", port(8080)),
    pod("web", port(8080, { protocol: "UDP" })),
  ),
  scheduling(
    "a port of another address",
    cordon("node-2", "node-3"),
    on("node-1", port(8080, { hostIP: "127.0.0.1" })),
    pod("web", port(8080, { hostIP: "127.0.0.2" })),
  ),
  scheduling(
    "a port of all addresses",
    cordon("node-2", "node-3"),
    on("node-1", port(8080, { hostIP: "127.0.0.1" })),
    pod("web", port(8080)),
  ),
];

/** Returns a required pod affinity or anti-affinity. */
function podAffinity(
  field: "podAffinity" | "podAntiAffinity",
  app: string,
  topologyKey = HOST,
): Spec {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey };
  return { affinity: { [field]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

/** Returns a preferred pod affinity or anti-affinity. */
function preferred(field: "podAffinity" | "podAntiAffinity", app: string): Spec {
  const podAffinityTerm = { labelSelector: { matchLabels: { app } }, topologyKey: HOST };
  const terms = [{ weight: 100, podAffinityTerm }];
  return { affinity: { [field]: { preferredDuringSchedulingIgnoredDuringExecution: terms } } };
}

const db = { app: "db" };

const NEIGHBOURS: readonly Scenario[] = [
  scheduling("near a pod that does not exist", pod("web", podAffinity("podAffinity", "db"))),
  scheduling("near a pod", on("node-2", {}, db), pod("web", podAffinity("podAffinity", "db"))),
  scheduling(
    "near itself",
    cordon("node-1", "node-2"),
    pod("web", podAffinity("podAffinity", "db"), db),
  ),
  scheduling(
    "near a pod by a label that no node has",
    on("node-2", {}, db),
    pod("web", podAffinity("podAffinity", "db", "zone")),
  ),
  scheduling(
    "in the zone of a pod",
    labels("zone", "a", "b", "b"),
    on("node-2", {}, db),
    cordon("node-2"),
    pod("web", podAffinity("podAffinity", "db", "zone")),
  ),
  scheduling(
    "away from pods that are everywhere",
    ...NODES.map((node) => on(node, {}, db)),
    pod("web", podAffinity("podAntiAffinity", "db")),
  ),
  scheduling(
    "away from pods of two nodes",
    on("node-1", {}, db),
    on("node-3", {}, db),
    pod("web", podAffinity("podAntiAffinity", "db")),
  ),
  scheduling(
    "away from the zone of a pod",
    labels("zone", "a", "a", "b"),
    on("node-1", {}, db),
    pod("web", podAffinity("podAntiAffinity", "db", "zone")),
  ),
  scheduling(
    "kept away by pods",
    ...NODES.map((node) => on(node, podAffinity("podAntiAffinity", "web"))),
    pod("web", {}, { app: "web" }),
  ),
  scheduling(
    "kept away by a pod of two nodes",
    on("node-1", podAffinity("podAntiAffinity", "web")),
    on("node-2", podAffinity("podAntiAffinity", "web")),
    pod("web", {}, { app: "web" }),
  ),
  scheduling(
    "preferably near a pod",
    on("node-3", {}, db),
    pod("web", preferred("podAffinity", "db")),
  ),
  scheduling(
    "preferably away from pods",
    on("node-1", {}, db),
    on("node-2", {}, db),
    pod("web", preferred("podAntiAffinity", "db")),
  ),
];

/** Returns a topology spread constraint on pods with the label `app: db`. */
function spread(topologyKey: string, more: Record<string, unknown> = {}): Spec {
  return {
    topologySpreadConstraints: [{
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: db },
      ...more,
    }],
  };
}

const SPREAD: readonly Scenario[] = [
  scheduling(
    "spread to the empty node",
    on("node-1", {}, db),
    on("node-2", {}, db),
    pod("web", spread(HOST), db),
  ),
  scheduling(
    "spread to the empty zone",
    labels("zone", "a", "a", "b"),
    on("node-1", {}, db),
    pod("web", spread("zone"), db),
  ),
  scheduling(
    "spread that the only free node breaks",
    on("node-1", {}, db),
    cordon("node-2", "node-3"),
    pod("web", spread(HOST), db),
  ),
  scheduling(
    "spread of a greater skew",
    on("node-1", {}, db),
    cordon("node-2", "node-3"),
    pod("web", spread(HOST, { maxSkew: 2 }), db),
  ),
  scheduling("spread over a label that no node has", pod("web", spread("zone"), db)),
  scheduling(
    "spread over more domains than there are",
    labels("zone", "a", "a", "b"),
    on("node-1", {}, db),
    on("node-3", {}, db),
    pod("web", spread("zone", { minDomains: 3 }), db),
  ),
  scheduling(
    "spread that may be broken",
    on("node-1", {}, db),
    cordon("node-2", "node-3"),
    pod("web", spread(HOST, { whenUnsatisfiable: "ScheduleAnyway" }), db),
  ),
  scheduling(
    "spread that counts tainted nodes",
    on("node-1", {}, db),
    taint("NoSchedule", "node-2", "node-3"),
    pod("web", spread(HOST, { nodeTaintsPolicy: "Ignore" }), db),
  ),
  scheduling(
    "spread that does not count tainted nodes",
    on("node-1", {}, db),
    taint("NoSchedule", "node-2", "node-3"),
    pod("web", spread(HOST, { nodeTaintsPolicy: "Honor" }), db),
  ),
];

const GATES: readonly Scenario[] = [
  scheduling("gated", pod("web", { schedulingGates: [{ name: "example.com/wait" }] })),
  scheduling(
    "gated by two",
    pod("web", {
      schedulingGates: [{ name: "example.com/wait" }, { name: "example.com/also" }],
    }),
  ),
  scheduling(
    "no longer gated",
    cordon("node-1", "node-2"),
    pod("web", {
      schedulingGates: [{ name: "example.com/wait" }],
    }),
    (stage) =>
      stage.client.patch(
        Pod,
        stage.key("web"),
        mergePatch({ spec: { schedulingGates: null } } as never),
      ),
  ),
  scheduling("of another scheduler", pod("web", { schedulerName: "other" })),
];

const large = requests({ cpu: "30" });

/** Fills each node with a pod of one of the given priority classes. */
const filled = (...classes: readonly string[]): Step[] =>
  classes.map((name, index) =>
    ranked(name, (spec) => on(NODES[index]!, spec, { app: name }), large)
  );

const web = (spec: Spec): Step => pod("web", spec);

const PREEMPTION: readonly Scenario[] = [
  scheduling(
    "preempts the pod of lowest priority",
    priority("low", 10),
    priority("middle", 20),
    priority("upper", 30),
    priority("high", 100),
    ...filled("middle", "low", "upper"),
    ranked("high", web, large),
  ),
  scheduling(
    "preempts no pod of its own priority",
    priority("high", 100),
    ...filled("high", "high", "high"),
    ranked("high", web, large),
  ),
  scheduling(
    "preempts no pod of a higher priority",
    priority("low", 10),
    priority("high", 100),
    ...filled("high", "high", "high"),
    ranked("low", web, large),
  ),
  scheduling(
    "never preempts",
    priority("low", 10),
    priority("high", 100, "Never"),
    ...filled("low", "low", "low"),
    ranked("high", web, large),
  ),
  scheduling(
    "preemption that would not help",
    priority("low", 10),
    priority("high", 100),
    ...filled("low", "low", "low"),
    ranked("high", web, requests({ cpu: "40" })),
  ),
  scheduling(
    "preemption on the only node of the selector",
    priority("low", 10),
    priority("high", 100),
    ...filled("low", "low", "low"),
    ranked("high", web, { ...large, nodeSelector: { [HOST]: "node-3" } }),
  ),
  scheduling(
    "preempts the fewest pods",
    priority("low", 10),
    priority("high", 100),
    cordon("node-3"),
    ranked(
      "low",
      (spec) => pod("a", spec),
      requests({ cpu: "15" }, { nodeSelector: { [HOST]: "node-1" } }),
    ),
    ranked(
      "low",
      (spec) => pod("b", spec),
      requests({ cpu: "15" }, { nodeSelector: { [HOST]: "node-1" } }),
    ),
    ranked(
      "low",
      (spec) => pod("c", spec),
      requests({ cpu: "30" }, { nodeSelector: { [HOST]: "node-2" } }),
    ),
    ranked("high", web, large),
  ),
  scheduling(
    "preempts pods that no budget protects",
    priority("low", 10),
    priority("lower", 5),
    priority("high", 100),
    cordon("node-3"),
    async (stage) => {
      await create(stage, PodDisruptionBudget, {
        metadata: { name: "kept" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "lower" } } },
      });
    },
    ...filled("low", "lower"),
    (stage) => stage.pass(1500),
    ranked("high", web, large),
  ),
  scheduling(
    "preempts for a port of the host",
    priority("low", 10),
    priority("high", 100),
    cordon("node-2", "node-3"),
    ranked("low", (spec) => on("node-1", spec), port(8080)),
    ranked("high", web, port(8080)),
  ),
];

const LATER: readonly Scenario[] = [
  scheduling(
    "waits for a label",
    pod("web", { nodeSelector: { disk: "ssd" } }),
    labels("disk", null, "ssd"),
  ),
  scheduling(
    "waits for the end of a taint",
    taint("NoSchedule"),
    pod("web"),
    nodes({ spec: { taints: null } }, "node-3"),
  ),
  scheduling(
    "waits until a node is uncordoned",
    cordon(),
    pod("web"),
    nodes({ spec: { unschedulable: null } }, "node-1"),
  ),
  scheduling(
    "waits for the end of a pod",
    ...NODES.map((node) => on(node, large)),
    pod("web", large),
    (stage) => stage.client.delete(Pod, stage.key("on-node-2")),
  ),
  scheduling(
    "waits for a pod to be near to",
    pod("web", podAffinity("podAffinity", "db")),
    on("node-2", {}, db),
  ),
];

/** Returns the node of a pod, or the reason why it is unscheduled. */
function placeOf({ metadata, spec, status }: V1Pod): string {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  const { reason = "", message = "" } = scheduled ?? {};
  const place = spec?.nodeName === undefined ? "no node" : `on ${spec.nodeName}`;
  const why = [scheduled?.status, reason, message].filter(Boolean).join(" ");
  return `${metadata.name}: ${place}, ${status?.phase}, ${why}`;
}

/** The scenarios of the scheduler. */
export const SCHEDULING: ScenarioArea = {
  name: "scheduling",
  isAlone: true,
  kinds: [{ type: Pod, facts: placeOf }],
  scenarios: [
    ...RESOURCES,
    ...SELECTION,
    ...TAINTS,
    ...PORTS,
    ...NEIGHBOURS,
    ...SPREAD,
    ...GATES,
    ...PREEMPTION,
    ...SCORES,
    ...LATER,
  ],
};
