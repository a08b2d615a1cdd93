/** Scenarios of the topology-aware hints of EndpointSlices. @module */
import type { V1Service } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { EndpointSlice, Node, Pod, Service } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { sliceFacts } from "./endpoint_slice.ts";
import { create, podTemplate, SCRIPT } from "./parts.ts";

type Step = (stage: Stage) => Promise<unknown>;

const NODES = ["node-1", "node-2", "node-3"];
const ZONE = "topology.kubernetes.io/zone";
const MODE = "service.kubernetes.io/topology-mode";
const OLDER_MODE = "service.kubernetes.io/topology-aware-hints";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/** Sets labels of a node; `null` removes one. */
const label = (node: string, labels: Readonly<Record<string, string | null>>): Step => (stage) =>
  stage.client.patch(Node, node, mergePatch({ metadata: { labels } } as never));

/** Labels the nodes with their zones; `null` removes a label. */
const zones = (...names: readonly (string | null)[]): Step => async (stage) => {
  for (const [index, name] of names.entries()) await label(NODES[index]!, { [ZONE]: name })(stage);
};

/** Creates a pod of the Service on each of the numbered nodes, with a script for one that is given. */
const pods = (nodes: readonly number[], script?: unknown): Step => async (stage) => {
  for (const [index, node] of nodes.entries()) {
    await create(stage, Pod, {
      metadata: {
        name: `${script ? "scripted" : "web"}-${index}-${node}`,
        labels: { app: "web" },
        ...(script !== undefined && { annotations: { [SCRIPT]: JSON.stringify(script) } }),
      },
      spec: { ...podTemplate().spec!, nodeName: NODES[node - 1]! },
    });
  }
};

const annotate = (annotations: Readonly<Record<string, string | null>>): Step => (stage) =>
  stage.client.patch(
    Service,
    stage.key("web"),
    mergePatch({ metadata: { annotations } } as never),
  );

/**
 * Returns a scenario of a Service with metadata and a spec: two steps that set the zones and create the
 * first pods precede the Service, and others follow, each in a settled state.
 */
function hinted(
  name: string,
  service: Partial<V1Service["metadata"]> & { readonly spec?: Partial<V1Service["spec"]> },
  ...steps: readonly Step[]
): Scenario {
  const { spec, ...metadata } = service;
  return {
    name: `Hints ${name}`,
    run: async (stage) => {
      const [setZones, createPods, ...others] = steps;
      await setZones!(stage);
      await createPods!(stage);
      await stage.settle();
      await create(stage, Service, {
        metadata: { name: "web", ...metadata },
        spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
      });
      for (const step of others) {
        await stage.settle();
        await step(stage);
      }
    },
    after: async (stage) => {
      for (const node of NODES) await label(node, { [ZONE]: null, [CONTROL_PLANE]: null })(stage);
    },
  };
}

const AUTO = { annotations: { [MODE]: "Auto" } };

/** The scenarios of topology-aware hints. */
export const TOPOLOGY: ScenarioArea = {
  name: "topology",
  kinds: [
    { type: Service, varying: ["clusterIP", "clusterIPs"] },
    { type: EndpointSlice, facts: sliceFacts },
  ],
  isAlone: true,
  scenarios: [
    hinted("of a pod in each zone", AUTO, zones("a", "b", "c"), pods([1, 2, 3])),
    hinted("of two pods in each zone", AUTO, zones("a", "b", "c"), pods([1, 1, 2, 2, 3, 3])),
    hinted("of pods in a smaller zone only", AUTO, zones("a", "a", "b"), pods([3, 3, 3])),
    hinted("of more pods in a smaller zone", AUTO, zones("a", "a", "b"), pods([1, 2, 3, 3, 3, 3])),
    hinted("of pods that come later", AUTO, zones("a", "a", "b"), pods([1, 2, 3]), pods([1], {})),
    hinted("of fewer pods than zones", AUTO, zones("a", "b", "c"), pods([1, 2])),
    hinted("of too few pods for equal shares", AUTO, zones("a", "b", "c"), pods([1, 2, 3, 1])),
    hinted(
      "of a pod that is gone later",
      AUTO,
      zones("a", "b", "c"),
      pods([1, 2, 3]),
      (stage) => stage.client.delete(Pod, stage.key("web-2-3"), { gracePeriodSeconds: 0 }),
    ),
    hinted(
      "beside a pod that is not ready",
      AUTO,
      zones("a", "a", "b"),
      pods([1, 2, 3]),
      pods([3], { "*": { readyAfterMs: "never" } }),
    ),
    hinted("without zones", AUTO, zones(), pods([1, 2, 3])),
    hinted("with a node without a zone", AUTO, zones("a", "b", null), pods([1, 2, 3])),
    hinted("with one zone", AUTO, zones("a", "a", "a"), pods([1, 2, 3])),
    hinted(
      "beside a node of the control plane",
      AUTO,
      async (stage) => {
        await label("node-3", { [CONTROL_PLANE]: "" })(stage);
        await zones("a", "b", null)(stage);
      },
      pods([1, 2]),
    ),
    hinted(
      "of zones that are set later",
      AUTO,
      zones(),
      pods([1, 2, 3]),
      zones("a", "b", "c"),
      pods([3], { "*": {} }),
    ),
    hinted(
      "of a zone that gets another name",
      AUTO,
      zones("a", "a", "b"),
      pods([1, 2, 3]),
      zones("a", "c", "b"),
    ),
    hinted(
      "of a zone that is gone later",
      AUTO,
      zones("a", "b", "c"),
      pods([1, 2, 3]),
      zones("a", "b", null),
    ),
    hinted(
      "without the annotation later",
      AUTO,
      zones("a", "b", "c"),
      pods([1, 2, 3]),
      annotate({ [MODE]: null }),
    ),
    hinted(
      "with the annotation later",
      {},
      zones("a", "b", "c"),
      pods([1, 2, 3]),
      annotate({ [MODE]: "Auto" }),
    ),
    hinted(
      "by the older annotation",
      { annotations: { [OLDER_MODE]: "auto" } },
      zones("a", "b", "c"),
      pods([1, 2, 3]),
      annotate({ [OLDER_MODE]: "Disabled" }),
    ),
    hinted(
      "in place of close traffic",
      { ...AUTO, spec: { trafficDistribution: "PreferClose" } },
      zones("a", "a", "b"),
      pods([3, 3, 3]),
      annotate({ [MODE]: null }),
    ),
  ],
};
