/** The condition `Available` of APIServices. */
import https from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../../support/network/self_signed.ts";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url, {
  // The servers probe again, with back-off, after a case has ended.
  keepsServers: true,
  ownServer: true,
});

const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const UNRECORDED = { unrecorded: true };
/** A port without a server: the lowest of those that only the system may listen on. */
const CLOSED_PORT = 1;

/** The registered API of a case. */
interface Api {
  /** Waits until the condition `Available` has a reason, and records the condition. */
  becomes(reason: string): Promise<void>;
  /** Creates the Service `ext` of the API. */
  serve(spec: Record<string, unknown>): Promise<void>;
}

/** Runs a case with a registered API, and unregisters it afterwards. */
async function withApi(
  t: Target,
  port: number,
  run: (api: Api, group: string) => Promise<void>,
): Promise<void> {
  const group = `${t.unique("ext")}.example.org`;
  const path = `${API_SERVICES}/v1.${group}`;
  const api: Api = {
    async becomes(reason) {
      let condition: Readonly<Record<string, string>> = {};
      await until(async () => {
        condition = (await t.get(path, UNRECORDED)).body.status?.conditions?.[0] ?? {};
        return condition.reason === reason;
      }, () => `${reason}, is ${JSON.stringify(condition)}`);
      const { lastTransitionTime: _, ...body } = condition;
      t.exchanges.push({ request: `condition of ${path}`, code: 200, body });
    },
    serve: async (spec) => {
      await t.post(t.path("services"), { metadata: { name: "ext" }, spec }, UNRECORDED);
    },
  };
  await t.post(API_SERVICES, {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: "v1",
      service: { name: "ext", namespace: t.namespace, port },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  }, UNRECORDED);
  try {
    await run(api, group);
  } finally {
    await t.delete(path, undefined, UNRECORDED);
  }
}

/** Creates an EndpointSlice of the Service `ext`, with one endpoint. */
async function slice(t: Target, name: string, portName: string, ready: boolean): Promise<void> {
  await t.post(t.path("endpointslices", "discovery.k8s.io/v1"), {
    metadata: { name, labels: { "kubernetes.io/service-name": "ext" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.250.0.1"], conditions: { ready } }],
    ports: [{ name: portName, port: 8443 }],
  }, UNRECORDED);
}

/** Runs a case beside an HTTPS server that answers every request with a status. */
async function beside(status: number, run: (port: number) => Promise<void>): Promise<void> {
  const server = https.createServer(await selfSigned(new Date()), (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "localhost", () => resolve());
  await listening;
  try {
    await run((server.address() as AddressInfo).port);
  } finally {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeAllConnections();
    await closed;
  }
}

const CLUSTER_IP = { ports: [{ name: "https", port: 443 }] };

conformance(
  "an API without its Service, with a Service of another port, without endpoints",
  (t) =>
    withApi(t, 444, async (api) => {
      await api.becomes("ServiceNotFound");
      await api.serve(CLUSTER_IP);
      await api.becomes("ServicePortError");
      await t.patch("merge", t.path("services/ext"), {
        spec: { ports: [{ name: "https", port: 444 }] },
      }, UNRECORDED);
      await api.becomes("EndpointsNotFound");
      await slice(t, "a", "other", true);
      await api.becomes("MissingEndpoints");
      await slice(t, "b", "https", false);
      await api.becomes("MissingEndpoints");
      await t.delete(t.path("services/ext"), undefined, UNRECORDED);
      await api.becomes("ServiceNotFound");
    }),
);

conformance("an API whose server does not respond", (t) => {
  t.mask(/dial tcp [^"]*$/, "<dial tcp>");
  return withApi(t, CLOSED_PORT, async (api) => {
    await api.serve({ type: "ExternalName", externalName: "localhost" });
    await api.becomes("FailedDiscoveryCheck");
  });
});

conformance("an API whose server responds with an error", (t) =>
  beside(404, async (port) => {
    t.mask(new RegExp(`\\b${port}\\b`, "g"), "<port>");
    await withApi(t, port, async (api) => {
      await api.serve({ type: "ExternalName", externalName: "localhost" });
      await api.becomes("FailedDiscoveryCheck");
    });
  }));

conformance(
  "an API whose server responds",
  (t) =>
    beside(200, (port) =>
      withApi(t, port, async (api) => {
        await api.serve({ type: "ExternalName", externalName: "localhost" });
        await api.becomes("Passed");
      })),
);

conformance("an API that the server serves itself", async (t) => {
  const group = `${t.unique("ext")}.example.org`;
  const path = `${API_SERVICES}/v1.${group}`;
  const spec = { group, version: "v1", groupPriorityMinimum: 100, versionPriority: 10 };
  await t.post(API_SERVICES, { metadata: { name: `v1.${group}` }, spec }, UNRECORDED);
  const { body } = await t.get(path, UNRECORDED);
  const { lastTransitionTime: _, ...condition } = body.status.conditions[0];
  t.exchanges.push({ request: `condition of ${path}`, code: 200, body: condition });
  await t.delete(path, undefined, UNRECORDED);
});
