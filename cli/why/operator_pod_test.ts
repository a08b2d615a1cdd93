import assert from "node:assert/strict";
import { Lease, Pod } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { type Client, UnreachableError } from "../../lib/client/mod.ts";
import { debugEndpoint, operatorDebugSources } from "../../lib/manager/mod.ts";
import { clientOf } from "../../lib/testing/mod.ts";
import { FakeSocket } from "../../tests/client/fake_socket.ts";
import { testContext } from "../../tests/support/command_line/cli_context.ts";
import type { WebhookConfiguration } from "../../lib/webhook/mod.ts";
import { NoReportError } from "./debug_report.ts";
import { type OperatorPodOptions, type PodReport, reportOfPod } from "./operator_pod.ts";

const PORT = 8_080;
/** The port of a pod whose port-forward fails. */
const CLOSED = 0;

/** A WebSocket of a port-forward that passes its data to a port of this machine. */
class TunnelSocket extends FakeSocket {
  readonly #connection: Promise<Deno.TcpConn>;

  constructor(port: number) {
    const number = [PORT & 255, PORT >> 8];
    super("v4.channel.k8s.io", Uint8Array.of(0, ...number), Uint8Array.of(1, ...number));
    this.#connection = Deno.connect({ hostname: "127.0.0.1", port });
    void this.#pump();
  }

  override async send(message: Uint8Array): Promise<void> {
    const connection = await this.#connection;
    if (message[0] === 0 && message.length > 1) await connection.write(message.subarray(1));
  }

  async #pump(): Promise<void> {
    const connection = await this.#connection;
    void this.closed.then(() => connection.close());
    const buffer = new Uint8Array(16_384);
    while (true) {
      const size = await connection.read(buffer).catch(() => null);
      if (size === null) return this.end();
      this.push(Uint8Array.of(0, ...buffer.subarray(0, size)));
    }
  }
}

/** Serves the `/debug` report of a replica for a test, and returns its port. */
function replica(isLeader: boolean): { port: number } & AsyncDisposable {
  const elector = { lease: "default/xca", leader: "xca-1_7f", isLeader };
  const endpoint = debugEndpoint(operatorDebugSources({ operators: () => [], elector }));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, endpoint);
  return {
    port: server.addr.port,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/**
 * Starts a server with running pods whose port-forwards lead to ports of this machine, and returns
 * a client that records the pods it connects to.
 */
async function podsOnPorts(
  ports: Readonly<Record<string, number>>,
): Promise<{ client: Client; asked: string[] } & Disposable> {
  const server = await ApiServer.start();
  const own = clientOf(server);
  const asked: string[] = [];
  const connect: Client["connect"] = ({ path }) => {
    const name = /pods\/([^/]+)\/portforward/.exec(path)![1]!;
    asked.push(name);
    const port = ports[name]!;
    if (port === CLOSED) return Promise.reject(new Error("connection refused"));
    return Promise.resolve(new TunnelSocket(port));
  };
  const client = new Proxy(own, {
    get(target, name) {
      if (name === "connect") return connect;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  for (const name of Object.keys(ports)) {
    const spec = { containers: [{ name: "xca", image: "xca" }] };
    const labels = { app: "xca" };
    const pod = await own.create(Pod, { metadata: { namespace: "default", name, labels }, spec });
    await own.updateStatus(Pod, { ...pod, status: { phase: "Running" } });
  }
  return {
    client,
    asked,
    [Symbol.dispose]: () => {
      own[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

/** The options that find the pods of {@linkcode podsOnPorts} by their labels. */
const LABELLED: OperatorPodOptions = {
  namespace: "default",
  lease: undefined,
  selector: "app=xca",
  port: PORT,
  isSecure: false,
  token: undefined,
};

Deno.test("reportOfPod() asks the holder of the Lease, or the labelled pod that leads, by a port-forward", async () => {
  await using follower = replica(false);
  await using leader = replica(true);
  using plane = await podsOnPorts({ "xca-0": follower.port, "xca-1": leader.port });
  const { client, asked } = plane;
  const options = LABELLED;
  const context = testContext();
  const labelled = await reportOfPod(client, "default/mars", options, context);
  assert.deepEqual([labelled.pod, labelled.report.lease.leads], ["xca-1", true]);
  assert.deepEqual([...new Set(asked)], ["xca-0", "xca-1"]);

  asked.length = 0;
  const byLease = { ...options, lease: "xca", selector: undefined };
  const metadata = { namespace: "default", name: "xca" };
  const lease = await client.create(Lease, { metadata, spec: { holderIdentity: "xca-1_7f" } });
  const held = await reportOfPod(client, "default/mars", byLease, context);
  assert.deepEqual([held.pod, [...new Set(asked)]], ["xca-1", ["xca-1"]]);

  await client.update(Lease, { ...lease, spec: {} });
  const refused = reportOfPod(client, "default/mars", byLease, context);
  await assert.rejects(refused, (error) => {
    assert(error instanceof NoReportError);
    assert.match(error.message, /no process holds the Lease default\/xca, so no replica .* works/);
    return true;
  });
});

Deno.test("reportOfPod() asks the next pod after one that sends no report", async () => {
  const refusing = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(null, { status: 404 }),
  );
  await using _end = { [Symbol.asyncDispose]: () => refusing.shutdown() };
  await using follower = replica(false);
  const ask = async (ports: Readonly<Record<string, number>>): Promise<PodReport> => {
    using plane = await podsOnPorts(ports);
    return await reportOfPod(plane.client, "default/mars", LABELLED, testContext());
  };
  const { port } = refusing.addr;
  const found = await ask({ "xca-0": CLOSED, "xca-1": port, "xca-2": follower.port });
  assert.equal(found.pod, "xca-2");
  assert.match(found.failures[0]!, /^cannot reach the operator in pod default\/xca-0, port 8080: /);
  assert.match(found.failures[1]!, /^the operator in pod default\/xca-1, port 8080 has no \/debug/);
  assert.equal(found.failures.length, 2);
  await assert.rejects(ask({ "xca-0": CLOSED, "xca-1": port }), NoReportError);
  await assert.rejects(ask({ "xca-0": CLOSED }), UnreachableError);
});

Deno.test("reportOfPod() names a webhook that keeps the operator's pods from starting", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const configuration = (namespace: string): WebhookConfiguration => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: namespace },
    webhooks: [{
      name: `pods.${namespace}.example.com`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { service: { namespace, name: "webhooks" } },
      rules: [{
        apiGroups: [""],
        apiVersions: ["v1"],
        operations: ["CREATE"],
        resources: ["pods"],
      }],
    }],
  });
  await server.seed([configuration("default"), configuration("other")] as never[]);
  await client.create(Lease, { metadata: { name: "free", namespace: "default" }, spec: {} });
  const ask = (lease: string | undefined, selector: string | undefined): Promise<unknown> =>
    reportOfPod(client, "default/mars", {
      namespace: "default",
      lease,
      selector,
      port: PORT,
      isSecure: false,
      token: undefined,
    }, testContext());
  for (const [lease, selector] of [["free", undefined], [undefined, "app=xca"]] as const) {
    await assert.rejects(ask(lease, selector), (error) => {
      assert(error instanceof NoReportError);
      assert.match(error.message, /webhook pods\.default\.example\.com of default refuses pods/);
      assert.match(error.message, /exclude the namespace by namespaceSelector/);
      assert(!error.message.includes("pods.other"), error.message);
      return true;
    });
  }
});
