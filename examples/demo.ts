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
  UnreachableError,
} from "@xca/operator/client";
import { runOperator } from "@xca/operator/controller";
import { CustomResourceDefinition, Namespace } from "@xca/operator/meta";
import { ControlPlane, ControlPlaneUnavailable } from "@xca/operator/testing";
import { Xca, xcaOperator } from "@xca/operator/xca";
import { runCli } from "../cli/app.ts";
import { processContext } from "../cli/context.ts";
import { installCrds } from "../cli/install_crds.ts";
import { buildControlPlane } from "../tests/control_plane/build.ts";

const NAMESPACE = "xca-demo";
const context = processContext();

/** A cluster to run on, and what ends it if it is ours. */
interface Cluster extends AsyncDisposable {
  readonly config: ClientConfig;
  readonly kubeconfigPath: string;
}

async function findCluster(): Promise<Cluster> {
  const kubeconfigPath = systemHost.env("KUBECONFIG");
  if (kubeconfigPath) {
    say(`Using the cluster of KUBECONFIG=${kubeconfigPath}`);
    const config = await loadConfig({ kubeconfig: kubeconfigPath });
    return { config, kubeconfigPath, [Symbol.asyncDispose]: () => Promise.resolve() };
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
  const added: string[] = [];
  for (const { metadata } of xcaOperator.crds) {
    const found = await client.get(CustomResourceDefinition, metadata.name!).catch(orMissing);
    if (!found) added.push(metadata.name!);
  }
  await installCrds(client, xcaOperator.crds, {
    clock: context.clock,
    signal: new AbortController().signal,
    onInstalled: (name) => say(`Installed ${name}`),
  });
  if (await client.get(Namespace, NAMESPACE).catch(orMissing)) {
    throw new ConfigError(
      `namespace ${NAMESPACE} exists already: delete it, or demo another cluster`,
    );
  }
  await client.create(Namespace, { metadata: { name: NAMESPACE } });
  return {
    async [Symbol.asyncDispose]() {
      say("Taking it all away again");
      await client.deleteCollection(Xca, { namespace: NAMESPACE });
      await client.delete(Namespace, NAMESPACE);
      for (const name of added) await client.delete(CustomResourceDefinition, name);
    },
  };
}

function orMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

async function status(cluster: Cluster): Promise<number> {
  const args = ["status", "-n", NAMESPACE, "--kubeconfig", cluster.kubeconfigPath];
  context.out(`\n$ kubectl xca ${args.slice(0, 3).join(" ")}\n`);
  const code = await runCli(args, context);
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
    if (error instanceof ConfigError || error instanceof UnreachableError) {
      context.err(`error: ${error.message}\n`);
      return error instanceof ConfigError ? 2 : 3;
    }
    throw error;
  }
}

if (import.meta.main) Deno.exit(await main());
