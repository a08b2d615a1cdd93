import assert from "node:assert/strict";
import type {
  V1Node,
  V1PodSpec,
  V1Service,
  V1TopologySpreadConstraint,
} from "@xca/apimachinery/kubernetes-types";
import type { ReadPod } from "../../pods/pod_state.ts";
import { NodeInfo } from "../node_info.ts";
import { bestNode, scoresOf } from "./best_node.ts";
import type { ScoreFacts, ScorePlugin } from "./score_plugin.ts";
import { type DefaultSelector, defaultSelectorFrom } from "./default_selector.ts";
import { imageLocality } from "./image_locality.ts";
import { preferredNodes, preferredTaints } from "./node_preferences.ts";
import { preferredPods } from "./pod_preferences.ts";
import { balancedAllocation, leastAllocated } from "./resources.ts";
import { softSpread } from "./soft_spread.ts";

type Labels = Readonly<Record<string, string>>;

const HOST = "kubernetes.io/hostname";
const ZONE = "topology.kubernetes.io/zone";
const WEB = { app: "web" };

function nodeInfo(name: string, labels: Labels = {}, more: Partial<V1Node> = {}): NodeInfo {
  const allocatable = { cpu: "4", memory: "10000", pods: "110" };
  return new NodeInfo({
    metadata: { name, labels: { [HOST]: name, ...labels } },
    status: { allocatable },
    ...more,
  });
}

let created = 0;

function podWith(spec: Partial<V1PodSpec> = {}, labels: Labels = WEB): ReadPod {
  const uid = String(++created);
  const containers = [{ name: "app", image: "app:1" }];
  return {
    metadata: { name: uid, namespace: "default", uid, labels },
    spec: { containers, ...spec },
  };
}

function requesting(requests: Labels): Partial<V1PodSpec> {
  return { containers: [{ name: "app", image: "app:1", resources: { requests } }] };
}

/** Adds pods to nodes: a number of pods with given labels per node. */
function withPods(
  nodes: readonly NodeInfo[],
  counts: readonly number[],
  labels: Labels = WEB,
): void {
  for (const [at, count] of counts.entries()) {
    for (let made = 0; made < count; made++) nodes[at]!.add(podWith({}, labels));
  }
}

function factsOf(
  nodes: readonly NodeInfo[],
  defaultSelector: DefaultSelector = () => undefined,
): ScoreFacts {
  return { nodes, namespaceLabels: () => ({}), defaultSelector };
}

function score(
  plugin: ScorePlugin,
  pod: ReadPod,
  nodes: readonly NodeInfo[],
  defaultSelector?: DefaultSelector,
): readonly number[] {
  return plugin(pod, nodes, factsOf(nodes, defaultSelector));
}

function spreadOver(
  ...constraints: readonly Partial<V1TopologySpreadConstraint>[]
): Partial<V1PodSpec> {
  return {
    topologySpreadConstraints: constraints.map((constraint) => ({
      maxSkew: 1,
      topologyKey: HOST,
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: WEB },
      ...constraint,
    })),
  };
}

const selectsWeb: DefaultSelector = () => ({ matchLabels: WEB });

Deno.test("preferred terms of a node affinity score in proportion to the highest sum", () => {
  const nodes = [
    nodeInfo("a", { disk: "ssd" }),
    nodeInfo("b", { disk: "ssd", size: "2" }),
    nodeInfo("c"),
  ];
  const term = (weight: number, key: string) => ({
    weight,
    preference: { matchExpressions: [{ key, operator: "Exists" }] },
  });
  const preferred = [term(20, "disk"), term(40, "size")];
  const affinity = {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred },
  };
  assert.deepEqual(score(preferredNodes, podWith({ affinity }), nodes), [33, 100, 0]);
  assert.deepEqual(score(preferredNodes, podWith(), nodes), [0, 0, 0]);
});

Deno.test("taints with PreferNoSchedule that a pod does not tolerate lower the score", () => {
  const taint = (key: string, effect = "PreferNoSchedule") => ({ key, value: "x", effect });
  const nodes = [
    nodeInfo("a", {}, { spec: { taints: [taint("one"), taint("two"), taint("three")] } }),
    nodeInfo("b", {}, { spec: { taints: [taint("one"), taint("other", "NoSchedule")] } }),
    nodeInfo("c"),
  ];
  assert.deepEqual(score(preferredTaints, podWith(), nodes), [0, 67, 100]);
  const tolerations = [{ operator: "Exists", effect: "PreferNoSchedule" }];
  assert.deepEqual(score(preferredTaints, podWith({ tolerations }), nodes), [100, 100, 100]);
});

Deno.test("free resources score per resource, cut to whole numbers", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b")];
  nodes[0]!.add(podWith(requesting({ cpu: "1", memory: "3000" })));
  const pod = podWith(requesting({ cpu: "1500m", memory: "1001" }));
  // a: cpu 100*1500/4000 = 37, memory 100*5999/10000 = 59; b: cpu 62, memory 89.
  assert.deepEqual(score(leastAllocated, pod, nodes), [48, 75]);
  const large = podWith(requesting({ cpu: "8", memory: "1" }));
  assert.deepEqual(score(leastAllocated, large, nodes), [34, 49]);
});

Deno.test("each container without requests counts by the default amounts", () => {
  const nodes = [nodeInfo("a", {}, { status: { allocatable: { cpu: "1", memory: "2000Mi" } } })];
  const containers = ["a", "b", "c"].map((name) => ({ name, image: "app:1" }));
  assert.deepEqual(score(leastAllocated, podWith({ containers }), nodes), [70]);
  assert.deepEqual(score(leastAllocated, podWith(), nodes), [90]);
});

Deno.test("a pod that evens out the use of CPU and memory scores above 75", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b"), nodeInfo("c")];
  nodes[0]!.add(podWith(requesting({ memory: "5000" })));
  nodes[1]!.add(podWith(requesting({ cpu: "2" })));
  const pod = podWith(requesting({ cpu: "2" }));
  // a: 75 without, 100 with the pod; b: 75 without, 50 with; c: 100 without, 75 with.
  assert.deepEqual(score(balancedAllocation, pod, nodes), [87, 62, 62]);
  assert.deepEqual(score(balancedAllocation, podWith(), nodes), [0, 0, 0]);
});

Deno.test("images that a node has score by their bytes and by the share of nodes that have them", () => {
  const mebibytes = (count: number): number => count * 2 ** 20;
  const images = [{ names: ["app:1"], sizeBytes: mebibytes(1000) }, { names: ["b"], sizeBytes: 1 }];
  const nodes = [nodeInfo("a", {}, { status: { images } }), nodeInfo("b")];
  // 500 MiB of 1000 count, since one of two nodes has the image: 100*(500-23)/(1000-23).
  assert.deepEqual(score(imageLocality, podWith(), nodes), [48, 0]);
  const latest = podWith({ containers: [{ name: "b", image: "b:latest" }] });
  assert.deepEqual(score(imageLocality, latest, nodes), [0, 0]);
});

Deno.test("pods of one group spread over hosts and zones without constraints of their own", () => {
  const nodes = [
    nodeInfo("a", { [ZONE]: "1" }),
    nodeInfo("b", { [ZONE]: "1" }),
    nodeInfo("c", { [ZONE]: "2" }),
  ];
  withPods(nodes, [2, 0, 1]);
  // Sums: ln(5)*hosts + 2 + ln(4)*zones + 4, rounded: 12, 9, 9.
  assert.deepEqual(score(softSpread, podWith(), nodes, selectsWeb), [75, 100, 100]);
  assert.deepEqual(score(softSpread, podWith(), nodes), [0, 0, 0]);
});

Deno.test("nodes without a zone are spread over by host name", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b", { [ZONE]: "1" }), nodeInfo("c")];
  withPods(nodes, [3, 1, 0]);
  // Sums: a 1.609*3+2 = 7, b 1.609+2+1.099+4 = 9 (zones: 1 and none), c 2.
  const [a, b, c] = score(softSpread, podWith(), nodes, selectsWeb);
  assert.ok(c! > a! && a! > b!, `${a} ${b} ${c}`);
});

Deno.test("constraints of a pod score 0 on nodes that lack a topology key", () => {
  const nodes = [nodeInfo("a", { [ZONE]: "1" }), nodeInfo("b", { [ZONE]: "2" }), nodeInfo("c")];
  withPods(nodes, [2, 1, 0]);
  const pod = podWith(spreadOver({ topologyKey: ZONE }));
  // Sums: 2*ln(4) = 3, ln(4) = 1: 100*(3+1-3)/3 and 100*(3+1-1)/3.
  assert.deepEqual(score(softSpread, pod, nodes), [33, 100, 0]);
});

Deno.test("a hard constraint takes the place of the defaults, and does not score", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b")];
  withPods(nodes, [2, 0]);
  const pod = podWith(spreadOver({ whenUnsatisfiable: "DoNotSchedule" }));
  assert.deepEqual(score(softSpread, pod, nodes, selectsWeb), [0, 0]);
});

Deno.test("pods in deletion, of other namespaces and of other labels are not spread over", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b")];
  withPods(nodes, [2, 0], { app: "other" });
  nodes[0]!.add({ ...podWith(), metadata: { ...podWith().metadata, namespace: "other" } });
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  nodes[0]!.add({ ...podWith(), metadata: { ...podWith().metadata, deletionTimestamp } });
  assert.deepEqual(score(softSpread, podWith(spreadOver({})), nodes), [100, 100]);
});

Deno.test("an empty selector spreads nothing", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b")];
  withPods(nodes, [2, 0]);
  const pod = podWith(spreadOver({ labelSelector: {} }));
  assert.deepEqual(score(softSpread, pod, nodes), [100, 100]);
});

Deno.test("affinities score in both directions, from the least to the most wanted topology", () => {
  const term = (weight: number) => ({
    weight,
    podAffinityTerm: { labelSelector: { matchLabels: WEB }, topologyKey: ZONE },
  });
  const near = (weight: number) => ({
    affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term(weight)] } },
  });
  const away = (weight: number) => ({
    affinity: {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term(weight)] },
    },
  });
  const zones = () => ["1", "2", "3"].map((zone) => nodeInfo(zone, { [ZONE]: zone }));
  const own = zones();
  withPods(own, [2, 1, 0]);
  assert.deepEqual(score(preferredPods, podWith(near(10)), own), [100, 50, 0]);
  assert.deepEqual(score(preferredPods, podWith(away(10)), own), [0, 50, 100]);
  assert.deepEqual(score(preferredPods, podWith(), own), [0, 0, 0]);
  const theirs = zones();
  theirs[0]!.add(podWith(near(5), {}));
  theirs[1]!.add(podWith(away(5), {}));
  assert.deepEqual(score(preferredPods, podWith(), theirs), [100, 0, 50]);
  const required = zones();
  const { podAffinityTerm } = term(1);
  required[2]!.add(podWith({
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [podAffinityTerm] },
    },
  }));
  assert.deepEqual(score(preferredPods, podWith(), required), [0, 0, 100]);
});

Deno.test("the default selector has the selectors of Services and of the controller", () => {
  const service = (selector: Labels | undefined, namespace = "default"): V1Service => ({
    metadata: { name: "web", namespace },
    spec: { ...selector && { selector } },
  });
  const matchExpressions = [{ key: "tier", operator: "Exists" }];
  const selectorOf = defaultSelectorFrom({
    services: [
      service(WEB),
      service({ app: "other" }),
      service(undefined),
      service({ tier: "front" }, "elsewhere"),
    ],
    replicationController: () => ({ metadata: {}, spec: { selector: { tier: "front" } } }),
    replicaSet: () => ({
      metadata: {},
      spec: {
        selector: { matchExpressions },
        template: { metadata: {}, spec: { containers: [] } },
      },
    }),
    statefulSet: () => undefined,
  });
  const labels = { app: "web", tier: "front" };
  const owned = (apiVersion: string, kind: string): ReadPod => {
    const pod = podWith({}, labels);
    const owner = { apiVersion, kind, name: "web", uid: "1", controller: true };
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
  };
  assert.deepEqual(selectorOf(podWith({}, labels)), { matchLabels: WEB, matchExpressions: [] });
  assert.deepEqual(selectorOf(owned("v1", "ReplicationController"))?.matchLabels, labels);
  assert.deepEqual(selectorOf(owned("apps/v1", "ReplicaSet")), {
    matchLabels: WEB,
    matchExpressions,
  });
  assert.deepEqual(selectorOf(owned("apps/v1", "StatefulSet"))?.matchLabels, WEB);
  assert.equal(selectorOf(podWith({}, { app: "none" })), undefined);
});

Deno.test("the node with the highest sum of weighted scores is selected, by chance among equals", () => {
  const nodes = [nodeInfo("a"), nodeInfo("b"), nodeInfo("c")];
  withPods(nodes, [1, 0, 0]);
  const facts = factsOf(nodes, selectsWeb);
  const [a, b, c] = scoresOf(podWith(), nodes, facts);
  assert.ok(b === c && a! < b!, `${a} ${b} ${c}`);
  assert.equal(bestNode(podWith(), nodes, facts, () => 0).name, "b");
  assert.equal(bestNode(podWith(), nodes, facts, (count) => count - 1).name, "c");
});
