import manifest from "../../deno.json" with { type: "json" };
import { getLogger } from "@logtape/logtape";
import { delay, startLogging } from "@xca/apimachinery/base";
import type { V1Lease } from "@xca/apimachinery/kubernetes-types";
import { Lease } from "@xca/apimachinery/meta";
import {
  type Client,
  type ClientConfig,
  ConfigError,
  type ConfigOverrides,
  isNotFound,
} from "../../lib/client/mod.ts";
import {
  checkResources as compareResources,
  type OnceReport,
  type Operator,
  type OperatorHandle,
  ResourceMismatchError,
  type RunOperatorOptions,
  runtimeOf,
} from "../../lib/controller/mod.ts";
import { runElectedOperator, type RunElectedOperatorOptions } from "../../lib/manager/mod.ts";
import { xcaOperator } from "../../lib/xca/mod.ts";
import { shellWord } from "../arguments.ts";
import { checkKubernetes } from "../check_kubernetes.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import type { EmbeddedServer } from "../embedded_server.ts";
import { configOverrides } from "../global_flags.ts";
import { installCrds } from "../install_crds.ts";
import { type Interruptible, interruptible } from "../interruptible.ts";
import { loadCliConfig } from "../load_cli_config.ts";
import { missingResource, resourceName } from "../missing_resource.ts";
import { loadOperator } from "../operator_module.ts";
import { tableLines } from "../output/table.ts";
import { logUnheardErrors, type UnheardErrors } from "../unheard_errors.ts";
import type { RunFlags } from "./run.ts";

/**
 * Runs `kubectl xca run`: an operator until it is interrupted, or with `--once` until its first
 * pass is complete.
 */
export async function run(
  module: string | undefined,
  flags: RunFlags,
  context: CliContext,
): Promise<ExitCode> {
  const overrides = configOverrides(flags);
  if (flags.embedded) context.dropRunPermission?.();
  const given = flags.embedded ? undefined : await loadCliConfig(overrides, context);
  await using _logging = await startLogging({
    verbosity: flags.v ?? 0,
    format: flags.logFormat === "json" ? "json" : "text",
    write: context.err,
  });
  using unheard = logUnheardErrors(module, context);
  const operator = module === undefined ? xcaOperator : await loadOperator(module, context);
  const { runtime, version, isOperatorsOwn } = await runtimeOf(operator);
  if (!isOperatorsOwn) warnOfLibrary(operator, version);
  using stop = interruptible(context);
  await using embedded = given ? undefined : await startOwn(flags, context);
  const config: ClientConfig = given ?? { ...embedded!.config, ...namespaceOf(overrides) };
  using client = runtime.createClient(config, {
    clock: context.clock,
    random: context.random,
    ...(embedded && { fetch: embedded.fetch }),
  });
  const namespace = flags.allNamespaces ? undefined : config.namespace ?? "default";
  try {
    if (embedded) logOwn(embedded);
    await checkKubernetes(client, stop.signal); // A running operator waits for the server instead.
    if (flags.installCrds || embedded) await install(client, operator, stop.signal, context);
    await embedded?.seed();
    const embeds = embedded !== undefined;
    await checkResources(client, operator, { module, namespace, embeds, signal: stop.signal });
    const options: RunOperatorOptions = {
      client,
      signal: stop.signal,
      clock: context.clock,
      random: context.random,
      ...(namespace === undefined ? {} : { namespace }),
      ...(flags.workers === undefined ? {} : { workers: flags.workers }),
    };
    if (flags.leaderElect) {
      if (version !== manifest.version) throw otherVersion(version);
      await checkLease(client, leaseOf(operator, client, flags), stop.signal);
    }
    const handle = flags.leaderElect
      ? runElected(operator, { ...options, run: runtime.runOperator }, flags)
      : runtime.runOperator(operator, options);
    getLogger("xca").info("Running", {
      operator: operator.name,
      server: config.server,
      namespace: namespace ?? "all namespaces",
      library: version,
    });
    return flags.once ? await once(handle, unheard, context) : await untilStopped(handle, stop);
  } catch (error) {
    const stopped = stop.signal.aborted && isCausedBy(error, stop.signal.reason);
    // An interrupted pass did not succeed, even if SIGTERM ended it.
    if (stopped && (!flags.once || stop.code() !== ExitCode.ok)) return stop.code();
    throw error;
  } finally {
    await nextTurn(context);
  }
}

/**
 * Returns the ConfigError for another copy of the library, which may be too old to obey leader
 * election.
 */
function otherVersion(version: string): ConfigError {
  return new ConfigError(
    `Cannot elect a leader: the operator brings @xca/operator ${version}, and this plugin is ` +
      `${manifest.version}: bring both to one version, or leave out --leader-elect`,
  );
}

/** Returns the Lease of an operator's leader election. */
function leaseOf(operator: Operator, client: Client, flags: RunFlags): V1Lease {
  return {
    metadata: {
      name: flags.leaderElectionId ?? operator.name,
      namespace: flags.leaderElectionNamespace ?? client.config.namespace ?? "default",
    },
  };
}

/**
 * Checks the permission to use the Lease of leader election: fails when the Lease can neither be
 * read nor created, where an elector would try for ever.
 */
async function checkLease(client: Client, lease: V1Lease, signal: AbortSignal): Promise<void> {
  const { namespace, name } = lease.metadata;
  try {
    await client.get(Lease, `${namespace}/${name}`, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(Lease, lease, { dryRun: true, signal });
  }
}

/** Runs an operator under leader election, while this process is the leader. */
function runElected(
  operator: Operator,
  options: RunElectedOperatorOptions,
  { leaderElectionId: name, leaderElectionNamespace: namespace }: RunFlags,
): OperatorHandle {
  const handle = runElectedOperator(operator, {
    ...options,
    leaderElection: {
      name,
      namespace,
      onNewLeader: (leader) =>
        getLogger("xca").info("Leader", { lease: handle.elector.lease, leader }),
    },
  });
  return handle;
}

function warnOfLibrary({ name }: Operator, version: string): void {
  getLogger("xca").warn(
    "Operator {name} does not bring the copy of @xca/operator that it was made with: {version}, the " +
      "plugin's own, runs it",
    { name, version },
  );
}

/**
 * Waits one turn of the event loop, since the runtime reports unhandled rejections a turn after
 * they happen.
 */
function nextTurn({ clock }: CliContext): Promise<void> {
  return delay(0, { clock });
}

/**
 * Starts an API server in this process for `run --embedded`, which the operator reaches without a
 * network and kubectl by its kubeconfig.
 */
async function startOwn(flags: RunFlags, context: CliContext): Promise<EmbeddedServer> {
  const { startEmbedded } = await import("../embedded_server.ts");
  return await startEmbedded(flags, context);
}

function logOwn({ url, kubeconfigPath }: EmbeddedServer): void {
  getLogger("xca").info("Listening", { server: url, kubeconfig: kubeconfigPath });
}

function namespaceOf({ namespace }: ConfigOverrides): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

function isCausedBy(error: unknown, reason: unknown): boolean {
  return error === reason || error instanceof Error && error.cause === reason;
}

/**
 * Checks an operator's resources before `run --once`: fails when a resource is missing, forbidden,
 * or differs from the operator's description, where a running operator would wait for it.
 */
async function checkResources(
  client: Client,
  operator: Operator,
  { module, namespace, embeds, signal }: {
    readonly module: string | undefined;
    readonly namespace: string | undefined;
    readonly embeds: boolean;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const types = new Map(
    operator.controllers.flatMap(({ sources }) => sources.map(({ type }) => [type.id, type])),
  );
  await compareResources(client, [...types.values()], { signal }).catch((error: unknown) => {
    if (!(error instanceof ResourceMismatchError)) throw error;
    throw new ConfigError(error.message, { cause: error }); // The module is wrong, and not the cluster.
  });
  for (const type of types.values()) {
    const where = type.scope === "Cluster" || namespace === undefined ? {} : { namespace };
    try {
      await client.raw(type, where).list({ limit: 1 }, () => {}, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const brought = operator.crds.some(({ metadata }) => metadata.name === resourceName(type));
      const install = ["kubectl xca run", ...module ? [shellWord(module)] : [], "--install-crds"];
      const other = embeds ? "give a file with one by --seed" : "kubectl apply one";
      throw await missingResource(
        client,
        type,
        error,
        brought ? install.join(" ") : `the operator brings no definition of it, so ${other}`,
      );
    }
  }
}

async function install(
  client: Client,
  operator: Operator,
  signal: AbortSignal,
  context: CliContext,
): Promise<void> {
  await installCrds(client, operator.crds, {
    clock: context.clock,
    signal,
    onInstalled: (name) => getLogger("xca").info("Installed", { crd: name }),
  });
}

async function untilStopped(handle: OperatorHandle, stop: Interruptible): Promise<ExitCode> {
  await handle.done;
  return stop.code();
}

async function once(
  handle: OperatorHandle,
  unheard: UnheardErrors,
  context: CliContext,
): Promise<ExitCode> {
  let report: OnceReport;
  try {
    report = await handle.settled();
  } finally {
    await handle.stop();
  }
  const { initialKeys, failed, scheduled } = report;
  context.out(
    `${initialKeys} reconciled, ${failed.length} failed, ${scheduled.length} scheduled\n`,
  );
  await nextTurn(context);
  if (unheard.count > 0) {
    const what = unheard.count === 1 ? "an error" : `${unheard.count} errors`;
    context.err(`error: the operator neither awaits nor catches ${what}, logged above\n`);
  }
  if (failed.length === 0) return unheard.count > 0 ? ExitCode.notSo : ExitCode.ok;
  const rows = failed.map(({ controller, key, attempts, error }) => [
    controller,
    key,
    String(attempts),
    error,
  ]);
  const lines = tableLines([["CONTROLLER", "KEY", "ATTEMPTS", "ERROR"], ...rows]);
  context.err(lines.map((line) => `${line}\n`).join(""));
  return ExitCode.notSo;
}
