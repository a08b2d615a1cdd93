/**
 * The demo: three Xca objects, the operator that makes them active, and what it leaves behind:
 * nothing. It runs on the cluster of KUBECONFIG, or else on a control plane of its own, built from
 * Go modules at the first time; it never reads `~/.kube`.
 *
 * ```sh
 * deno task demo
 * ```
 *
 * @module
 */
import { configure } from "@logtape/logtape";
import { systemHost } from "@xca/operator/base";
import {
  type Client,
  type ClientConfig,
  ConfigError,
  createClient,
  isNotFound,
  loadConfig,
} from "@xca/operator/client";
import { runOperator } from "@xca/operator/controller";
import { CustomResourceDefinition, Namespace, type ResourceType } from "@xca/operator/meta";
import { ControlPlane, ControlPlaneUnavailable } from "@xca/operator/testing";
import { Xca, xcaOperator } from "@xca/operator/xca";
import { runCli } from "../cli/app.ts";
import { processContext } from "../cli/context.ts";
import { installCrds } from "../cli/install_crds.ts";
import { reportError } from "../cli/report_error.ts";
import { buildControlPlane } from "../tests/control_plane/build.ts";

const NAMESPACE = "xca-demo";
const context = processContext();

/** A cluster to run on, and what ends it if it is ours. */
interface Cluster extends AsyncDisposable {
  readonly config: ClientConfig;
  /** What to say to reach it, unless the environment says it. */
  readonly kubeconfigPath?: string;
}

async function findCluster(): Promise<Cluster> {
  const kubeconfig = systemHost.env("KUBECONFIG");
  if (kubeconfig) {
    say(`Using the cluster of KUBECONFIG=${kubeconfig}`);
    return { config: await loadConfig(), [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  say("Starting a control plane: etcd and kube-apiserver, on loopback");
  return await startControlPlane();
}

async function startControlPlane(): Promise<ControlPlane> {
  try {
    return await ControlPlane.start();
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable) || !await hasGo()) throw error;
    say("Building it from Go modules first: this takes minutes, once");
    await buildControlPlane();
    return await ControlPlane.start();
  }
}

async function hasGo(): Promise<boolean> {
  try {
    return (await new Deno.Command("go", { args: ["version"], stdout: "null" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function demo(cluster: Cluster): Promise<number> {
  using client = createClient(cluster.config);
  await using _traces = await prepare(client);
  return await untilInterrupted(show(client, cluster));
}

/** Waits for the work, or for Ctrl-C: then what was made is taken away all the same. */
async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  using _listener = context.onInterrupt((interrupt) =>
    reject(new Error(`stopped by ${interrupt}`))
  );
  return await Promise.race([work, interrupted]);
}

async function show(client: Client, cluster: Cluster): Promise<number> {
  say("Creating three Xca objects");
  for (const name of ["earth", "mars", "venus"]) {
    await client.create(Xca, { metadata: { name, namespace: NAMESPACE }, spec: { foo: name } });
  }
  await status(cluster);

  say("Running the operator until nothing is left to do");
  const handle = runOperator(xcaOperator, { client, namespace: NAMESPACE });
  const { initialKeys, failed } = await handle.settled();
  await handle.stop();
  say(`${initialKeys} objects reconciled, ${failed.length} failed`);
  return await status(cluster);
}

/** Makes room for the demo; disposing takes away what was not there before. */
async function prepare(client: Client): Promise<AsyncDisposable> {
  if (await client.get(Namespace, NAMESPACE).catch(orMissing)) {
    throw new ConfigError(
      `namespace ${NAMESPACE} exists already: delete it, or demo another cluster`,
    );
  }
  await using added = new AsyncDisposableStack();
  added.defer(() => say("Took it all away again"));
  for (const { metadata } of xcaOperator.crds) {
    const found = await client.get(CustomResourceDefinition, metadata.name!).catch(orMissing);
    if (!found) added.defer(() => remove(client, CustomResourceDefinition, metadata.name!));
  }
  await installCrds(client, xcaOperator.crds, {
    clock: context.clock,
    signal: new AbortController().signal,
    onInstalled: (name) => say(`Installed ${name}`),
  });
  await client.create(Namespace, { metadata: { name: NAMESPACE } });
  added.defer(() => remove(client, Namespace, NAMESPACE));
  added.defer(() => client.deleteCollection(Xca, { namespace: NAMESPACE }));
  return added.move();
}

async function remove(client: Client, type: ResourceType, name: string): Promise<void> {
  await client.delete(type, name).catch(orMissing);
}

function orMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

async function status(cluster: Cluster): Promise<number> {
  const args = ["status", "-n", NAMESPACE];
  context.out(`\n$ kubectl xca ${args.join(" ")}\n`);
  const { kubeconfigPath } = cluster;
  const where = kubeconfigPath === undefined ? [] : ["--kubeconfig", kubeconfigPath];
  const code = await runCli([...args, ...where], context);
  context.out("\n");
  return code;
}

function say(text: string): void {
  context.out(`* ${text}\n`);
}

async function main(): Promise<number> {
  await configure({
    sinks: {},
    loggers: [{ category: ["logtape", "meta"], lowestLevel: "error", sinks: [] }],
  });
  try {
    await using cluster = await findCluster();
    return await demo(cluster);
  } catch (error) {
    if (error instanceof ControlPlaneUnavailable) {
      context.err(
        "error: the demo needs a cluster by KUBECONFIG, or kube-apiserver and etcd in " +
          "KUBEBUILDER_ASSETS, or Go to build them\n",
      );
      return 2;
    }
    const { text, code } = reportError(error, "deno task demo");
    context.err(`${text}\n`);
    return code;
  }
}

if (import.meta.main) Deno.exit(await main());
