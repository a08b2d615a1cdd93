/** Scenarios of the Endpoints of Services, and of the EndpointSlices that mirror them. @module */
import type {
  V1Deployment,
  V1Endpoint,
  V1Endpoints,
  V1EndpointSlice,
  V1Service,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  Deployment,
  Endpoints,
  EndpointSlice,
  Pod,
  Service,
} from "../../../lib/apimachinery/meta/mod.ts";
import { ignoreNotFound, mergePatch } from "../../../lib/client/mod.ts";
import { canonicalJson } from "../../../lib/apimachinery/values/json_values.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isComplete } from "./at_rest.ts";
import { create, deployment, podTemplate, SCRIPT } from "./parts.ts";

type Step = (stage: Stage) => Promise<unknown>;
type Subsets = NonNullable<V1Endpoints["subsets"]>;

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
 * Returns a scenario that executes steps, waiting for a settled state before each but the first.
 */
function scenario(name: string, ...steps: readonly Step[]): Scenario {
  return {
    name,
    run: async (stage) => {
      for (const [index, step] of steps.entries()) {
        if (index > 0) await stage.settle();
        await step(stage);
      }
    },
  };
}

/** Returns a scenario of a Service and a Deployment. */
function served(
  name: string,
  spec: Partial<V1Service["spec"]>,
  pods: V1Deployment,
  ...steps: readonly Step[]
): Scenario {
  return scenario(`Endpoints ${name}`, async (stage) => {
    await create(stage, Service, service(spec));
    await create(stage, Deployment, pods);
  }, ...steps);
}

/** Returns a scenario of a Service without a selector, with Endpoints that a user writes. */
function mirrored(name: string, endpoints: V1Endpoints, ...steps: readonly Step[]): Scenario {
  return scenario(`Endpoints mirrored ${name}`, async (stage) => {
    await create(stage, Service, service({ selector: null as never }));
    await create(stage, Endpoints, endpoints);
  }, ...steps);
}

const HTTP = { name: "http", port: 8080 };
const ips = (...all: readonly string[]): { ip: string }[] => all.map((ip) => ({ ip }));

function endpoints(subsets: Subsets, metadata = {}): V1Endpoints {
  return { metadata: { name: "web", labels: { own: "yes" }, ...metadata }, subsets };
}

const ONE: Subsets = [{ addresses: ips("192.0.2.1", "192.0.2.2"), ports: [HTTP] }];

const patchService = (spec: unknown, metadata = {}): Step => (stage) =>
  stage.client.patch(Service, stage.key("web"), mergePatch({ spec, metadata } as never));

const patchEndpoints = (patch: unknown): Step => (stage) =>
  stage.client.patch(Endpoints, stage.key("web"), mergePatch(patch as never));

const remove = (type: typeof Service | typeof Endpoints): Step => (stage) =>
  stage.client.delete(type as typeof Service, stage.key("web"));

/** Deletes the Endpoints, and waits until their controller has recreated them. */
const replaceEndpoints: Step = async (stage) => {
  const uid = async (): Promise<string | undefined> =>
    (await ignoreNotFound(stage.client.get(Endpoints, stage.key("web"))))?.metadata.uid;
  const before = await uid();
  await remove(Endpoints)(stage);
  while ([before, undefined].includes(await uid())) await stage.pass(200);
};

/** Deletes the EndpointSlices, and waits until their controllers have recreated them. */
const replaceSlices: Step = async ({ client, namespace, pass }) => {
  const uids = async (): Promise<(string | undefined)[]> =>
    (await client.list(EndpointSlice, { namespace })).items.map(({ metadata }) => metadata.uid);
  const before = await uids();
  await client.deleteCollection(EndpointSlice, { namespace });
  for (let now = before; now.length === 0 || now.some((uid) => before.includes(uid));) {
    await pass(200);
    now = await uids();
  }
};

const scale = (replicas: number): Step => (stage) =>
  stage.client.patch(Deployment, stage.key("web"), mergePatch({ spec: { replicas } }));

const scripted = (script: unknown): V1Deployment => {
  const template = podTemplate();
  template.metadata!.annotations = { [SCRIPT]: JSON.stringify(script) };
  return deployment({ template });
};

const withPort = (): V1Deployment => {
  const template = podTemplate();
  template.spec!.containers[0]!.ports = [{ name: "admin", containerPort: 9000 }];
  return deployment({ template });
};

const NEVER_READY = scripted({ "*": { readyAfterMs: "never" } });

/** Changes the addresses of the EndpointSlices of the namespace. */
const editSlices: Step = async ({ client, namespace }) => {
  const { items } = await client.list(EndpointSlice, { namespace });
  for (const slice of items) {
    await client.update(EndpointSlice, { ...slice, endpoints: [{ addresses: ["192.0.2.99"] }] });
  }
};

const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** Returns the facts of Endpoints that are equal in two clusters, without the addresses of pods. */
function endpointsFacts({ metadata, subsets }: V1Endpoints): unknown {
  const { [TRIGGER_TIME]: _, ...annotations } = metadata.annotations ?? {};
  const addresses = (all: Subsets[number]["addresses"] = []): unknown =>
    all.map(({ ip, nodeName, targetRef, ...rest }) =>
      JSON.stringify({ ...rest, at: targetRef ? [targetRef.kind, Boolean(nodeName)] : ip })
    ).sort();
  return {
    metadata: { ...metadata, annotations },
    subsets: (subsets ?? []).map((subset) =>
      canonicalJson({
        ready: addresses(subset.addresses),
        notReady: addresses(subset.notReadyAddresses),
        ports: (subset.ports ?? []).map(canonicalJson).sort(),
      })
    ).sort(),
  };
}

/**
 * Returns the facts of an EndpointSlice that mirrors Endpoints; `undefined` for other slices, which
 * another area compares.
 */
function mirrorFacts({ metadata, endpoints, ports, ...rest }: V1EndpointSlice): unknown {
  const { labels = {} } = metadata;
  if (!labels["endpointslice.kubernetes.io/managed-by"]?.includes("mirroring")) return "of pods";
  return {
    ...rest,
    metadata: { ...metadata, name: "" },
    endpoints: (endpoints ?? []).length > 10
      ? endpoints!.length
      : (endpoints ?? []).map(endpointText).sort(),
    ports: (ports ?? []).map(canonicalJson).sort(),
  };
}

/**
 * Returns the facts of an endpoint as a text; of a pod that a controller created, only that the
 * endpoint is one.
 */
function endpointText({ addresses, nodeName, targetRef, ...rest }: V1Endpoint): string {
  const isPod = (targetRef?.uid ?? "").length > 1;
  return canonicalJson(isPod ? rest : { addresses, nodeName, targetRef, ...rest });
}

/** The scenarios of the Endpoints controller and of the mirroring controller. */
export const ENDPOINTS: ScenarioArea = {
  name: "endpoints",
  kinds: [
    { type: Service, varying: ["clusterIP", "clusterIPs"] },
    { type: Endpoints, facts: endpointsFacts },
    { type: EndpointSlice, facts: mirrorFacts },
    { type: Deployment, isAtRest: isComplete },
  ],
  scenarios: [
    served("of ready pods", {}, deployment()),
    served("of more pods, then fewer", {}, deployment(), scale(6), scale(1)),
    served("without pods left", {}, deployment(), scale(0)),
    served("with a named and a numbered port", {
      ports: [{ name: "a", port: 80, targetPort: "admin" }, { name: "b", port: 81 }],
    }, withPort()),
    served("with a named port that no pod has", {
      ports: [{ port: 80, targetPort: "none" }],
    }, deployment()),
    served("of pods that are not ready", {}, NEVER_READY),
    served(
      "that show pods that are not ready",
      { publishNotReadyAddresses: true },
      NEVER_READY,
    ),
    served("without a cluster address or ports", { clusterIP: "None", ports: [] }, deployment()),
    served("without a cluster address", { clusterIP: "None" }, deployment()),
    served("with an application protocol", {
      ports: [{ name: "http", port: 80, appProtocol: "kubernetes.io/h2c" }],
    }, deployment()),
    served(
      "after a change of the selector",
      {},
      deployment(),
      patchService({ selector: { app: "none" } }),
    ),
    served(
      "whose Service loses its selector",
      {},
      deployment(),
      patchService({ selector: null }),
    ),
    served(
      "with other labels and ports later",
      {},
      deployment(),
      patchService({ ports: [{ name: "x", port: 81 }] }, { labels: { team: "red", more: "yes" } }),
    ),
    served("that were deleted", {}, deployment(), replaceEndpoints),
    served("that a user changed", {}, deployment(), patchEndpoints({ subsets: ONE })),
    served(
      "that a user annotated, then scaled",
      {},
      deployment(),
      patchEndpoints({ metadata: { annotations: { own: "yes" } } }),
      scale(2),
    ),
    served("whose Service was deleted", {}, deployment(), remove(Service)),
    served(
      "whose Service becomes a name",
      {},
      deployment(),
      patchService({ type: "ExternalName", externalName: "example.com", clusterIP: null }),
    ),
    scenario("Endpoints of pods with host names", async (stage) => {
      await create(stage, Service, service({ clusterIP: "None" }));
      for (const name of ["a", "b"]) {
        const spec = podTemplate().spec!;
        await create(stage, Pod, {
          metadata: { name, labels: { app: "web" } },
          spec: { ...spec, hostname: `host-${name}`, subdomain: name === "a" ? "web" : "x" },
        });
      }
    }),
    mirrored("with one subset", endpoints(ONE)),
    mirrored(
      "with subsets of other ports",
      endpoints([...ONE, {
        addresses: ips("192.0.2.1"),
        ports: [{ name: "x", port: 9, protocol: "UDP" }, { name: "y", port: 10 }],
      }]),
    ),
    mirrored(
      "of both families",
      endpoints([{ addresses: ips("192.0.2.1", "2001:db8::1"), ports: [HTTP] }]),
    ),
    mirrored(
      "with addresses that are not ready, host names, and references",
      endpoints([{
        addresses: [{
          ip: "192.0.2.1",
          hostname: "a",
          nodeName: "node-1",
          targetRef: { kind: "Pod", name: "a", namespace: "x", uid: "1" },
        }],
        notReadyAddresses: ips("192.0.2.2"),
        ports: [HTTP],
      }]),
    ),
    mirrored("without ports", endpoints([{ addresses: ips("192.0.2.1") }])),
    mirrored("without addresses", endpoints([])),
    mirrored(
      "with other addresses later",
      endpoints(ONE),
      patchEndpoints({ subsets: [{ addresses: ips("192.0.2.2", "192.0.2.3"), ports: [HTTP] }] }),
      patchEndpoints({ subsets: [] }),
    ),
    mirrored(
      "with other ports later",
      endpoints(ONE),
      patchEndpoints({ subsets: [{ ...ONE[0], ports: [{ name: "z", port: 9 }] }] }),
    ),
    mirrored(
      "with other labels and annotations later",
      endpoints(ONE, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } }),
      patchEndpoints({ metadata: { labels: { own: null, more: "1" }, annotations: { a: "b" } } }),
    ),
    mirrored(
      "and then no longer",
      endpoints(ONE),
      patchEndpoints({
        metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      }),
    ),
    mirrored(
      "that were a lock",
      endpoints(ONE, { annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } }),
    ),
    mirrored("that were deleted", endpoints(ONE), remove(Endpoints)),
    mirrored("whose Service was deleted", endpoints(ONE), remove(Service)),
    mirrored(
      "whose Service gets a selector",
      endpoints(ONE),
      patchService({ selector: { app: "web" } }),
    ),
    mirrored("whose EndpointSlice was changed", endpoints(ONE), editSlices),
    mirrored("whose EndpointSlice was deleted", endpoints(ONE), replaceSlices),
    scenario(
      "Endpoints mirrored once there is a Service",
      (stage) => create(stage, Endpoints, endpoints(ONE)),
      (stage) => create(stage, Service, service({ selector: null as never })),
    ),
    mirrored(
      "with more than a thousand addresses",
      endpoints([{
        addresses: ips(
          ...Array.from({ length: 1100 }, (_, index) => `192.0.${index >> 8}.${index & 255}`),
        ),
        ports: [HTTP],
      }]),
    ),
  ],
};
