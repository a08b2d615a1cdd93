/**
 * The demo: three Xca objects and the operator that makes them active. It starts an API server in
 * this process, which keeps running for kubectl when the program is run on a terminal. With
 * KUBECONFIG set it uses that cluster, and removes everything it created, whenever it is stopped.
 * It never reads `~/.kube`.
 *
 * ```sh
 * deno task demo
 * ```
 *
 * @module
 */
import { configure } from "@logtape/logtape";
import { errorText } from "@xca/operator/base";
import {
  type Client,
  type ClientConfig,
  ConfigError,
  createClient,
  isNotFound,
  loadConfig,
  waitFor,
} from "@xca/operator/client";
import { createManager } from "@xca/operator/manager";
import {
  CustomResourceDefinition,
  Namespace,
  type ResourceType,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { Xca, xcaOperator } from "@xca/operator/xca";
import { runCli } from "../cli/app.ts";
import { shellWord } from "../cli/arguments.ts";
import { type CliContext, type Interrupt, processContext } from "../cli/context.ts";
import { startEmbedded } from "../cli/embedded/embedded_server.ts";
import { ExitCode } from "../cli/exit_code.ts";
import { INTERRUPT_CODES } from "../cli/interruptible.ts";
import { Made } from "./demo_made.ts";
import { reportWithoutFlags } from "./run_example.ts";

const NAMESPACE = "xca-demo";
const REMOVED = "Removed everything that the demo created";

/** The cluster that the demo runs on; disposal ends an embedded server. */
interface Cluster extends AsyncDisposable {
  readonly config: ClientConfig;
  /**
   * Sends a request to the embedded server without a network, with the rights of an administrator;
   * absent for a cluster of KUBECONFIG.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The path of the kubeconfig of an embedded server; absent for a cluster of KUBECONFIG. */
  readonly kubeconfigPath?: string;
}

/** Runs the demo to its end or to an interrupt, and returns the exit code of the process. */
export async function demo(context: CliContext): Promise<number> {
  return await new Demo(context).run();
}

class Demo {
  readonly #context: CliContext;
  /**
   * The controller of the signal that ends the demo's waits. A write in progress is awaited, so
   * that its object can be removed.
   */
  readonly #stop = new AbortController();
  /** The exit code of the demo after an interrupt. */
  #interrupted: ExitCode = ExitCode.interrupted;
  /**
   * The record of the objects that the demo must remove; `undefined` for an embedded server, which
   * ends with all its objects.
   */
  #made: Made | undefined;

  constructor(context: CliContext) {
    this.#context = context;
  }

  async run(): Promise<number> {
    using _listener = this.#context.onInterrupt((interrupt) => this.#interrupt(interrupt));
    return await this.#codeOf(async () => {
      await using cluster = await this.#findCluster();
      using client = createClient(cluster.config, { ...cluster.fetch && { fetch: cluster.fetch } });
      const made = new Made(client);
      if (!cluster.kubeconfigPath) this.#made = made; // An embedded server ends with all its objects.
      const code = await this.#codeOf(() => this.#show(cluster, client, made));
      return !this.#made || await this.#takeAway(made) ? code : code || ExitCode.notSo;
    });
  }

  #interrupt(interrupt: Interrupt): void {
    const { err, exit } = this.#context;
    const code = INTERRUPT_CODES[interrupt] || ExitCode.interrupted; // SIGTERM is no success.
    if (!this.#stop.signal.aborted) {
      this.#interrupted = code;
      err(`Stopping on ${interrupt}; once more ends at once.\n`);
      this.#stop.abort(new Error(`stopped by ${interrupt}`));
      return;
    }
    if (this.#made && !this.#made.isEmpty) err(`Left behind; to remove: ${this.#made.remedy}\n`);
    exit(code);
  }

  /**
   * Returns the exit code of a step of the demo. An error is printed, unless the step was
   * interrupted.
   */
  async #codeOf(work: () => Promise<number>): Promise<number> {
    const { signal } = this.#stop;
    try {
      signal.throwIfAborted();
      const code = await work();
      return signal.aborted ? this.#interrupted : code;
    } catch (error) {
      if (signal.aborted) return this.#interrupted;
      const { text, code } = reportWithoutFlags(error);
      this.#context.err(`${text}\n`);
      return code;
    }
  }

  async #findCluster(): Promise<Cluster> {
    const { host } = this.#context;
    const kubeconfig = host.env("KUBECONFIG");
    if (kubeconfig) {
      this.#say(`Using the cluster of KUBECONFIG=${kubeconfig}`);
      return {
        config: await loadConfig({}, host),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    }
    const server = await startEmbedded({}, this.#context);
    this.#say(`Started an API server in this process: ${server.url}`);
    return {
      ...server,
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        this.#say(REMOVED);
      },
    };
  }

  async #show(cluster: Cluster, client: Client, made: Made): Promise<number> {
    await this.#prepare(client, made);
    this.#say("Creating three Xca objects");
    for (const name of ["earth", "mars", "venus"]) {
      await made.create(Xca, { metadata: { name, namespace: NAMESPACE }, spec: { foo: name } });
      this.#stop.signal.throwIfAborted();
    }
    await this.#status(cluster);
    await this.#operate(client);
    const code = await this.#status(cluster);
    if (code === 0 && cluster.kubeconfigPath) await this.#stay(cluster.kubeconfigPath);
    return code;
  }

  /**
   * Creates the missing CustomResourceDefinitions and a namespace for the demo.
   *
   * @throws {ConfigError} When the namespace exists, or a definition is being deleted.
   */
  async #prepare(client: Client, made: Made): Promise<void> {
    const { signal } = this.#stop;
    refuse(await this.#find(client, Namespace, NAMESPACE), `namespace ${NAMESPACE}`);
    for (const crd of xcaOperator.crds) {
      const name = crd.metadata.name!;
      const found = await this.#find(client, CustomResourceDefinition, name);
      if (found?.metadata.deletionTimestamp) refuse(found, `definition ${name}`);
      if (!found) await made.create(CustomResourceDefinition, crd);
      await waitFor(client, CustomResourceDefinition, name, "condition=Established", { signal });
      this.#say(found ? `${name} is there already` : `Installed ${name}`);
    }
    signal.throwIfAborted();
    await made.create(Namespace, { metadata: { name: NAMESPACE } });
    signal.throwIfAborted();
  }

  async #find<T extends UnstructuredObject>(
    client: Client,
    type: ResourceType<T>,
    name: string,
  ): Promise<T | undefined> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    return await client.get(type, name, { signal }).catch((error) => {
      if (!isNotFound(error)) throw error;
      return undefined;
    });
  }

  async #operate(client: Client): Promise<void> {
    this.#stop.signal.throwIfAborted();
    this.#say("Running the operator until nothing is left to do");
    const { signal } = this.#stop;
    const manager = createManager({ client, namespaces: [NAMESPACE] });
    const handle = manager.add(xcaOperator);
    await using running = manager.start({ signal });
    const { initialKeys, failed } = await handle.settled();
    await running.stop();
    this.#say(`${initialKeys} objects reconciled, ${failed.length} failed`);
  }

  async #status(cluster: Cluster): Promise<number> {
    const context = this.#context;
    const args = ["status", "-n", NAMESPACE];
    context.out(`\n$ kubectl xca ${args.join(" ")}\n`);
    const { kubeconfigPath } = cluster;
    const where = kubeconfigPath === undefined ? [] : ["--kubeconfig", kubeconfigPath];
    const code = await runCli([...args, ...where], context);
    context.out("\n");
    return code;
  }

  /**
   * Prints how to use the demo's server with kubectl; on a terminal, keeps the server running until
   * an interrupt.
   */
  async #stay(kubeconfigPath: string): Promise<void> {
    const { host, out } = this.#context;
    const someoneIsThere = host.isTerminal?.("stdin") ?? false;
    this.#say(
      `Look at it with kubectl${
        someoneIsThere ? ", in another terminal" : ", when this runs on a terminal"
      }:`,
    );
    out(`\nexport KUBECONFIG=${shellWord(kubeconfigPath)}\nkubectl get xcas -n ${NAMESPACE}\n\n`);
    if (!someoneIsThere) return;
    this.#say("The server runs until Ctrl-C");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stop.signal.addEventListener("abort", () => resolve());
    if (!this.#stop.signal.aborted) await promise;
  }

  /**
   * Removes all objects that the demo created, and reports whether none of them is left. Prints a
   * failure with the commands that remove the rest.
   */
  async #takeAway(made: Made): Promise<boolean> {
    if (made.isEmpty) return true;
    try {
      await made.takeAway();
      this.#say(REMOVED);
    } catch (error) {
      const why = error instanceof AggregateError ? error.errors.map(errorText).join("; ") : error;
      this.#context.err(`error: Cannot take all away: ${why}; remove it: ${made.remedy}\n`);
    }
    return made.isEmpty;
  }

  #say(text: string): void {
    this.#context.out(`* ${text}\n`);
  }
}

/**
 * Refuses to run the demo on a cluster with an object that the demo would create.
 *
 * @throws {ConfigError} When there is such an object.
 */
function refuse(found: UnstructuredObject | undefined, what: string): void {
  if (!found) return;
  throw new ConfigError(
    found.metadata.deletionTimestamp
      ? `${what} is still being deleted: try again when it is gone, or demo another cluster`
      : `${what} exists already: delete it, or demo another cluster`,
  );
}

/**
 * Returns the command context of this process for the demo: it revokes no permissions, and its
 * output may lose its reader. Sets `XCA_HANGUP`, so that a closed terminal ends the demo.
 */
function demoContext(): CliContext {
  // The commands that the demo calls must not revoke permissions that it needs later.
  const { dropRunPermission: _, dropWritePermission: __, ...context } = processContext();
  Deno.env.set("XCA_HANGUP", "ends"); // A closed terminal ends the demo, wherever the output goes.
  // The reader may have gone, as `head` does; the created objects are removed nevertheless.
  // deno-lint-ignore no-console
  return { ...context, out: (text) => console.info(text.replace(/\n$/, "")) };
}

if (import.meta.main) {
  await configure({
    sinks: { nowhere: () => {} }, // The demo prints its progress and failures itself.
    loggers: [
      { category: "xca", lowestLevel: "error", sinks: ["nowhere"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: [] },
    ],
  });
  Deno.exit(await demo(demoContext()));
}
