import { getLogger } from "@logtape/logtape";
import { startLogging } from "@xca/apimachinery/base";
import type { Client, ClientConfig, ConfigOverrides } from "../../lib/client/mod.ts";
import { type Operator, runtimeOf } from "../../lib/controller/mod.ts";
import { xcaOperator } from "../../lib/xca/mod.ts";
import { checkKubernetes } from "../check_kubernetes.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import type { EmbeddedServer } from "../embedded/embedded_server.ts";
import { configOverrides } from "../global_flags.ts";
import { installCrds } from "../install_crds.ts";
import { checkedPolicies, installPolicies } from "../install_policies.ts";
import { interruptible } from "../interruptible.ts";
import { loadCliConfig } from "../load_cli_config.ts";
import { loadOperator } from "../module/operator_module.ts";
import { logUnheardErrors } from "../module/unheard_errors.ts";
import type { RunFlags } from "./run.ts";
import { checkLease, checkResources } from "./run_checks.ts";
import { managerError, managerOf } from "./run_manager.ts";
import { nextTurn, runOnce } from "./run_once.ts";
import { servedMetrics } from "./run_servers.ts";
import { runWebhooks } from "./run_webhooks.ts";

/**
 * Runs `kubectl xca run`: the operator of a module, or the Xca operator without one, until it is
 * interrupted, or with `--once` until its first pass is complete. Returns the exit code of the
 * interrupt, or of the pass.
 *
 * @throws {UsageError} When the module, a file of a flag or an address cannot be used.
 * @throws {ConfigError} When there is no configuration, a CEL rule of the operator is invalid, the
 * server serves a resource differently, or the operator has another version of the library with
 * `--leader-elect`.
 * @throws {MissingResourceError} When the server lacks a resource of the operator.
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
  const found = await runtimeOf(operator);
  if (!found.isOperatorsOwn) warnOfLibrary(operator, found.version);
  using stop = interruptible(context);
  await using embedded = given ? undefined : await startOwn(flags, context);
  const config: ClientConfig = given ?? { ...embedded!.config, ...namespaceOf(overrides) };
  const metrics = servedMetrics(flags);
  using client = found.runtime.createClient(config, {
    clock: context.clock,
    random: context.random,
    metrics: metrics?.client,
    ...(embedded && { fetch: embedded.fetch }),
  });
  const namespaces = watchedNamespaces(flags, config);
  try {
    if (embedded) logOwn(embedded);
    await checkKubernetes(client, stop.signal); // A running operator waits for the server instead.
    await using webhooks = await runWebhooks(
      operator,
      { client, flags, metrics, signal: stop.signal },
      context,
    );
    if (flags.installCrds || embedded) {
      await install(client, { ...operator, crds: webhooks.crds }, stop.signal, context);
    }
    await webhooks.configure();
    await embedded?.seed();
    const embeds = embedded !== undefined;
    const own = { client, found, metrics, namespaces, flags };
    const { manager, handle } = managerOf(operator, own, context);
    webhooks.addTo(manager);
    await checkResources(client, operator, { module, namespaces, embeds, signal: stop.signal });
    if (manager.elector) await checkLease(client, manager.elector.lease, stop.signal);
    const running = manager.start({ signal: stop.signal });
    await running.started;
    getLogger("xca").info("Running", {
      operator: operator.name,
      server: config.server,
      namespace: namespaces?.join(",") ?? "all namespaces",
      library: found.version,
    });
    if (flags.once) return await runOnce(running, handle, unheard, context);
    await running.done;
    return stop.code();
  } catch (error) {
    const stopped = stop.signal.aborted && isCausedBy(error, stop.signal.reason);
    // An interrupted pass did not succeed, even if SIGTERM ended it.
    if (stopped && (!flags.once || stop.code() !== ExitCode.ok)) return stop.code();
    throw managerError(error);
  } finally {
    await nextTurn(context);
  }
}

/**
 * Returns the namespaces that `kubectl xca run` watches: those of `-n`, or else that of the client
 * configuration, by default `default`; `undefined` for all, with `-A`.
 */
function watchedNamespaces(
  { allNamespaces, namespaces = [] }: RunFlags,
  config: ClientConfig,
): readonly string[] | undefined {
  if (allNamespaces) return undefined;
  const named = [...new Set(namespaces)].filter((each) => each !== "");
  return named.length > 0 ? named : [config.namespace ?? "default"];
}

function warnOfLibrary({ name }: Operator, version: string): void {
  getLogger("xca").warn(
    "Operator {name} does not bring the copy of @xca/operator that it was made with: {version}, the " +
      "plugin's own, runs it",
    { name, version },
  );
}

/**
 * Starts an API server in this process for `run --embedded`, which the operator calls without a
 * network, and which kubectl reaches by a kubeconfig file.
 */
async function startOwn(flags: RunFlags, context: CliContext): Promise<EmbeddedServer> {
  const { startEmbedded } = await import("../embedded/embedded_server.ts");
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

async function install(
  client: Client,
  operator: Operator,
  signal: AbortSignal,
  context: CliContext,
): Promise<void> {
  const policies = await checkedPolicies(operator);
  await installCrds(client, operator.crds, {
    clock: context.clock,
    signal,
    onInstalled: (name) => getLogger("xca").info("Installed", { crd: name }),
  });
  await installPolicies(client, policies, signal);
}
