/** Scenarios of the EndpointSlices of Services. @module */
import type {
  V1Deployment,
  V1EndpointSlice,
  V1Service,
  V1ServiceAccount,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  Deployment,
  EndpointSlice,
  Pod,
  Service,
  ServiceAccount,
} from "../../../lib/apimachinery/meta/mod.ts";
import { ignoreNotFound, mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isComplete } from "./at_rest.ts";
import { create, deployment, podTemplate, SCRIPT } from "./parts.ts";

type Step = (stage: Stage) => Promise<unknown>;

const NAMED_PORT = { name: "http", containerPort: 8080 };

function service(spec: Partial<V1Service["spec"]> = {}): V1Service {
  return {
    metadata: { name: "web", labels: { team: "blue" } },
    spec: {
      selector: { app: "web" },
      ports: [{ name: "http", port: 80, targetPort: 8080 }],
      ...spec,
    },
  };
}

/**
 * Returns a scenario that creates a Service and a Deployment, and executes steps, waiting for a
 * settled state before each.
 */
function served(
  name: string,
  spec: Partial<V1Service["spec"]>,
  pods: V1Deployment,
  ...steps: readonly Step[]
): Scenario {
  return {
    name: `Service ${name}`,
    run: async (stage) => {
      await create(stage, Service, service(spec));
      await create(stage, Deployment, pods);
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

const patch = (spec: unknown, metadata = {}): Step => (stage) =>
  stage.client.patch(Service, stage.key("web"), mergePatch({ spec, metadata } as never));

const scale = (replicas: number): Step => (stage) =>
  stage.client.patch(Deployment, stage.key("web"), mergePatch({ spec: { replicas } }));

const withPort = (): V1Deployment => {
  const template = podTemplate();
  template.spec!.containers[0]!.ports = [NAMED_PORT];
  return deployment({ template });
};

const scripted = (script: unknown): V1Deployment => {
  const template = podTemplate();
  template.metadata!.annotations = { [SCRIPT]: JSON.stringify(script) };
  return deployment({ template });
};

/**
 * Returns the facts of an EndpointSlice that are equal in two clusters, without addresses and
 * nodes.
 */
export function sliceFacts({ metadata, endpoints, ports, ...rest }: V1EndpointSlice): unknown {
  const { "endpoints.kubernetes.io/last-change-trigger-time": _, ...annotations } =
    metadata.annotations ?? {};
  return {
    ...rest,
    metadata: { ...metadata, name: "", annotations },
    endpoints: (endpoints ?? []).map(({ addresses, hints, nodeName, ...endpoint }) =>
      JSON.stringify({
        ...endpoint,
        addresses: addresses.length,
        hasNode: nodeName !== undefined,
        hints: { nodes: hints?.forNodes?.length, zones: hints?.forZones },
        targetRef: { kind: endpoint.targetRef?.kind },
      })
    ).sort(),
    ports: (ports ?? []).map((port) => JSON.stringify(Object.entries(port).sort())).sort(),
  };
}

/** The scenarios of the controllers of EndpointSlices and of default service accounts. */
export const ENDPOINT_SLICE: ScenarioArea = {
  name: "endpoint_slice",
  kinds: [
    { type: Service, varying: ["clusterIP", "clusterIPs"] },
    { type: EndpointSlice, facts: sliceFacts },
    { type: Deployment, isAtRest: isComplete },
    { type: ServiceAccount, facts: ({ metadata }: V1ServiceAccount) => metadata.name },
  ],
  scenarios: [
    served("of ready pods", {}, deployment()),
    served("of more pods, then fewer", {}, deployment(), scale(6), scale(1)),
    served("without pods left", {}, deployment(), scale(0)),
    served("with a named port", { ports: [{ port: 80, targetPort: "http" }] }, withPort()),
    served("with a named port that no pod has", {
      ports: [{ name: "a", port: 80, targetPort: "none" }, { name: "b", port: 81 }],
    }, withPort()),
    served("of pods that are not ready", {}, scripted({ "*": { readyAfterMs: "never" } })),
    served("that publishes pods that are not ready", { publishNotReadyAddresses: true }, {
      ...scripted({ "*": { readyAfterMs: "never" } }),
    }),
    served("without an address", { clusterIP: "None", ports: [] }, deployment()),
    served(
      "of other pods after a change of its selector",
      {},
      deployment(),
      patch({
        selector: { app: "none" },
      }),
    ),
    served(
      "with other ports later",
      {},
      deployment(),
      patch({
        ports: [{ name: "http", port: 80, targetPort: 9090 }, { name: "x", port: 81 }],
      }),
    ),
    served(
      "with other labels later",
      {},
      deployment(),
      patch({}, {
        labels: {
          team: "red",
          more: "yes",
          "endpointslice.kubernetes.io/managed-by": "somebody",
        },
      }),
    ),
    served("with close traffic", { trafficDistribution: "PreferClose" }, deployment()),
    served(
      "with traffic on one node, and without later",
      { trafficDistribution: "PreferSameNode" },
      deployment(),
      patch({ trafficDistribution: null }),
    ),
    served("without a selector", { selector: null as never }, deployment()),
    served(
      "whose EndpointSlices were deleted",
      {},
      deployment(),
      async (stage) => {
        const { client, namespace } = stage;
        const before = (await client.list(EndpointSlice, { namespace })).items.length;
        await client.deleteCollection(EndpointSlice, { namespace });
        for (let second = 0; second < 60; second++) {
          await stage.pass(1000);
          if ((await client.list(EndpointSlice, { namespace })).items.length === before) return;
        }
        throw new Error(`Namespace ${namespace} does not get its EndpointSlices again`);
      },
    ),
    {
      name: "Service of pods with host names",
      run: async (stage) => {
        await create(stage, Service, service({ clusterIP: "None" }));
        for (const name of ["a", "b"]) {
          const spec = podTemplate().spec!;
          await create(stage, Pod, {
            metadata: { name, labels: { app: "web" } },
            spec: { ...spec, hostname: `host-${name}`, subdomain: name === "a" ? "web" : "x" },
          });
        }
      },
    },
    {
      name: "default service account that was deleted",
      run: async (stage) => {
        const account = (): Promise<unknown> =>
          ignoreNotFound(stage.client.get(ServiceAccount, stage.key("default")));
        while (await account() === undefined) await stage.pass(200);
        await stage.client.delete(ServiceAccount, stage.key("default"));
        while (await account() === undefined) await stage.pass(200);
      },
    },
  ],
};
