/**
 * The demo: three Xca objects and the operator that makes them active. It runs on an API server of its
 * own, in this process, which stays for a look with kubectl when somebody sits at the terminal; or on
 * the cluster of KUBECONFIG, where it leaves nothing behind. It never reads `~/.kube`.
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
import { Xca, xcaOperator } from "@xca/operator/xca";
import { runCli } from "../cli/app.ts";
import { processContext } from "../cli/context.ts";
import { startEmbedded } from "../cli/embedded_server.ts";
import { installCrds } from "../cli/install_crds.ts";
import { reportError } from "../cli/report_error.ts";

const NAMESPACE = "xca-demo";
/** The commands that this calls give up no right that is needed after them. */
const { dropRunPermission: _, dropWritePermission: __, ...context } = processContext();

/** A cluster to run on, and what ends it if it is ours. */
interface Cluster extends AsyncDisposable {
  readonly config: ClientConfig;
  /** The way in without network. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** What to say to reach it, unless the environment says it. */
  readonly kubeconfigPath?: string;
}

async function findCluster(): Promise<Cluster> {
  const kubeconfig = systemHost.env("KUBECONFIG");
  if (kubeconfig) {
    say(`Using the cluster of KUBECONFIG=${kubeconfig}`);
    return { config: await loadConfig(), [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const server = await startEmbedded({}, context);
  say(`Started an API server in this process: ${server.url}`);
  return server;
}

async function demo(cluster: Cluster): Promise<number> {
  const { fetch } = cluster;
  using client = createClient(cluster.config, { ...(fetch && { fetch }) });
  await using _traces = await prepare(client);
  const code = await untilInterrupted(show(client, cluster));
  if (code === 0 && cluster.kubeconfigPath) await stay(cluster.kubeconfigPath);
  return code;
}

/** Waits for the work, or for Ctrl-C: then what was made is taken away all the same. */
async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  using _listener = context.onInterrupt((interrupt) =>
    reject(new Error(`stopped by ${interrupt}`))
  );
  return await Promise.race([work, interrupted]);
}

/** Tells how to look at it with kubectl, and keeps it for whoever sits at the terminal. */
async function stay(kubeconfigPath: string): Promise<void> {
  const someoneIsThere = systemHost.isTerminal?.("stdin") ?? false;
  say(
    `Look at it with kubectl${
      someoneIsThere ? ", in another terminal" : ", when this runs on a terminal"
    }:`,
  );
  context.out(`\nexport KUBECONFIG=${kubeconfigPath}\nkubectl get xcas -n ${NAMESPACE}\n\n`);
  if (!someoneIsThere) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  using _listener = context.onInterrupt(() => resolve());
  say("It stays until Ctrl-C");
  await promise;
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
    const { text, code } = reportError(error, "deno task demo");
    context.err(`${text}\n`);
    return code;
  }
}

if (import.meta.main) Deno.exit(await main());
