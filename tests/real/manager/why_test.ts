/**
 * `kubectl xca why` asks an operator in a pod: by the Lease or the labels, a port-forward through the
 * API server to the kubelet of the pod's node, and the TLS of the metrics server. The pods are
 * simulated; what listens on their ports is the metrics server of a manager in this process.
 */
import assert from "node:assert/strict";
import { runCli } from "../../../cli/app.ts";
import { type Client, createClient } from "../../../lib/client/mod.ts";
import { startCluster } from "../../../lib/cluster/mod.ts";
import { controllerFor, defineOperator } from "../../../lib/controller/mod.ts";
import { createManager } from "../../../lib/manager/mod.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Namespace,
  Pod,
  ServiceAccount,
} from "../../../lib/apimachinery/meta/mod.ts";
import { findFreePort } from "../../../lib/testing/free_port.ts";
import { testContext } from "../../support/command_line/cli_context.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
const CONTROLLERS = ["scheduler", "kubelet", "node-lifecycle-controller"];
const NAMESPACE = "operators";
const POD_PORT = 8_443;

/** The part of a forwarded connection that {@linkcode forwardTo} uses. */
interface Forwarded {
  readonly port: number;
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: (bytes: Uint8Array) => Promise<void>;
}

/** Passes a forwarded connection to a port of this machine, until either side ends it. */
async function forwardTo(port: number, { input, output }: Forwarded): Promise<void> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port });
  const writer = socket.writable.getWriter();
  const sent = (async () => {
    for await (const bytes of input) await writer.write(bytes);
    await writer.close();
  })().catch(() => {}); // The server has closed the connection.
  for await (const bytes of socket.readable) await output(bytes);
  await sent;
}

/** Runs `kubectl xca why` for an object of the operator's namespace. */
async function why(
  plane: Plane,
  object: string,
  ...args: string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const context = testContext();
  const flags = [`--kubeconfig=${plane.kubeconfigPath}`, "-n", NAMESPACE];
  const code = await runCli(["why", object, ...flags, ...args], context);
  return { code, stdout: context.stdout(), stderr: context.stderr() };
}

/** Creates the pods of an operator with two replicas, and the accounts that ask it. */
async function createPods(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: NAMESPACE } });
  for (const name of ["reader", "stranger"]) {
    await client.create(ServiceAccount, { metadata: { namespace: NAMESPACE, name } });
  }
  await client.create(ClusterRole, {
    metadata: { name: "debug-reader" },
    rules: [{ nonResourceURLs: ["/debug", "/debug/*"], verbs: ["get"] }],
  });
  await client.create(ClusterRoleBinding, {
    metadata: { name: "debug-reader" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "debug-reader" },
    subjects: [{ kind: "ServiceAccount", namespace: NAMESPACE, name: "reader" }],
  });
  for (const name of ["greeter-0", "greeter-1"]) {
    await client.create(Pod, {
      metadata: { namespace: NAMESPACE, name, labels: { app: "greeter" } },
      spec: { containers: [{ name: "app", image: "greeter:1" }] },
    });
    await until(
      async () => (await client.get(Pod, `${NAMESPACE}/${name}`)).status?.phase === "Running",
      `pod ${name} runs`,
    );
  }
}

suite.test("why asks the operator's pod through a port-forward of the kubelet, over TLS and with a token", async (plane) => {
  using client = createClient(plane.config);
  const port = findFreePort();
  const forwarded: string[] = [];
  await using _cluster = await startCluster({
    client,
    controllers: CONTROLLERS,
    handlers: {
      portForward: async ({ pod, ...streams }) => {
        forwarded.push(`${pod.metadata.name} ${streams.port}`);
        if (streams.port !== POD_PORT) throw new Error("nothing listens there");
        await forwardTo(port, streams);
      },
    },
  });
  await createPods(client);
  for (const name of ["good", "bad"]) {
    await client.create(ConfigMap, { metadata: { namespace: NAMESPACE, name } });
  }
  const controller = controllerFor(ConfigMap)
    .options({ rateLimiter: () => new ItemExponentialLimiter({ baseMs: 900_000 }) })
    .reconcile(({ name }) => {
      if (name === "bad") throw new Error("the backend answers 500");
    });
  const manager = createManager({
    client,
    name: "greeter",
    namespaces: [NAMESPACE],
    leaderElection: { namespace: NAMESPACE, identity: "greeter-1_0123" },
    metricsServer: { bindAddress: `127.0.0.1:${port}` },
  });
  manager.add(defineOperator({ name: "greeter", controllers: [controller] }));
  await using running = manager.start();
  await running.ready;
  const asReader = "--service-account=reader";

  let last = await why(plane, "configmap/bad", "--lease=greeter", asReader);
  await until(async () => {
    last = await why(plane, "configmap/bad", "--lease=greeter", asReader);
    return /the backend answers 500/.test(last.stdout);
  }, () => JSON.stringify(last));
  assert.equal(last.code, 1);
  assert.match(
    last.stdout,
    /^ConfigMap operators\/bad is not reconciled: its reconciler failed once, /,
  );
  assert.match(last.stdout, /\nNext: kubectl logs -n operators greeter-1\b/);
  assert.deepEqual(
    new Set(forwarded),
    new Set([`greeter-1 ${POD_PORT}`]),
    "the leader's pod alone",
  );

  // Without the Lease, the pods are asked in turn, until one says that it leads.
  const good = await why(plane, "cm/good", "-l", "app=greeter", asReader);
  assert.equal(good.code, 0, good.stdout);
  assert.match(good.stdout, /^ConfigMap operators\/good was reconciled .* nothing to do\./);

  const stranger = await why(plane, "cm/good", "--lease=greeter", "--service-account=stranger");
  assert.equal(stranger.code, 1);
  assert.match(
    stranger.stderr,
    /error: the operator in pod operators\/greeter-1, port 8443 does not let you read \/debug: .*user system:serviceaccount:operators:stranger.*; bind a ClusterRole with nonResourceURLs/,
  );

  const elsewhere = await why(plane, "cm/good", "--lease=greeter", asReader, "--port=9443");
  assert.equal(elsewhere.code, 3, elsewhere.stdout);
  assert.match(
    elsewhere.stderr,
    /error: cannot reach the operator in pod operators\/greeter-1, port 9443: .*nothing listens there; check --port, and that .*--metrics-bind-address\n$/,
  );
  assert.doesNotMatch(elsewhere.stderr, /cluster-info|API server/, "the API server did answer");
});
