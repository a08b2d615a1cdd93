import manifest from "../../deno.json" with { type: "json" };
import { getLogger } from "@logtape/logtape";
import { type Client, ConfigError } from "../../lib/client/mod.ts";
import {
  type FoundRuntime,
  type Operator,
  type OperatorHandle,
  ResourceMismatchError,
} from "../../lib/controller/mod.ts";
import {
  type AddOperatorOptions,
  createManager,
  type Manager,
  type ManagerMetrics,
  RunnableError,
} from "../../lib/manager/mod.ts";
import type { CliContext } from "../context.ts";
import type { RunFlags } from "./run.ts";
import { serverOptions } from "./run_servers.ts";

/** The version of the kubectl plugin and of the library that it contains. */
const VERSION: string = manifest.version;

/** The manager with the operator that a command line names. */
export interface OperatorInManager {
  /** The manager that runs the operator. */
  readonly manager: Manager;
  /** The handle of the operator that the manager runs. */
  readonly handle: OperatorHandle;
}

/**
 * Options of {@linkcode managerOf}, which creates the manager of `kubectl xca run` and `kubectl xca
 * dev`.
 */
export interface ManagerOfOptions {
  /** The client through which the manager and its operator reach the API server. */
  readonly client: Client;
  /**
   * The copy of the library that runs the operator: the one with which the operator was defined, or
   * the plugin's own for an operator that does not name its copy.
   */
  readonly found: FoundRuntime;
  /** The metrics that the manager's server exposes; `undefined` when no server is wanted. */
  readonly metrics: ManagerMetrics | undefined;
  /** The namespaces that the operator watches; `undefined` for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The flags of the command `kubectl xca run`; empty for `kubectl xca dev`. */
  readonly flags: RunFlags;
}

/**
 * Creates a manager from the flags of `kubectl xca run`, and adds an operator to it.
 *
 * @throws {ConfigError} When the flags enable the election for an operator with another version of
 * the library.
 */
export function managerOf(
  operator: Operator,
  { client, found: { runtime, version }, metrics, namespaces, flags }: ManagerOfOptions,
  context: CliContext,
): OperatorInManager {
  const isSameVersion = version === VERSION;
  if (flags.leaderElect && !isSameVersion) throw otherVersion(version);
  const manager: Manager = createManager({
    client,
    name: operator.name,
    namespaces,
    gracePeriodMs: flags.gracefulShutdownTimeout,
    leaderElection: flags.leaderElect
      ? {
        name: flags.leaderElectionId,
        namespace: flags.leaderElectionNamespace,
        identity: identityOf(context),
        onNewLeader: (leader) =>
          getLogger("xca").info("Leader", { lease: manager.elector?.lease, leader }),
      }
      : undefined,
    ...serverOptions(flags, metrics, context),
    clock: context.clock,
    random: context.random,
  });
  const run: AddOperatorOptions["run"] = isSameVersion
    ? runtime.runOperator
    // Another version of the library may not know these options.
    : (added, { gate: _, informers: __, startWhen: ___, missingResources: ____, ...own }) =>
      runtime.runOperator(added, own);
  const workers = flags.workers;
  return { manager, handle: manager.add(operator, { run, workers }) };
}

/**
 * Returns the identity of this process in an election: the variable `HOSTNAME`, which is the name
 * of the pod, and a random UUID, as in client-go; `undefined` without the variable.
 */
function identityOf({ host, random }: CliContext): string | undefined {
  const hostname = host.env("HOSTNAME");
  return hostname ? `${hostname}_${random.uuid()}` : undefined;
}

/**
 * Returns the error that `kubectl xca run` reports for an error of its manager: a `ConfigError` if
 * the operator's module is wrong, otherwise the given error.
 */
export function managerError(error: unknown): unknown {
  if (!(error instanceof RunnableError)) return error;
  const isOfModule = error.cause instanceof ConfigError ||
    error.cause instanceof ResourceMismatchError;
  return isOfModule ? new ConfigError(error.message, { cause: error.cause }) : error;
}

/**
 * Returns the error about an operator with another version of the library, which may not know the
 * write gate of an election.
 */
function otherVersion(version: string): ConfigError {
  return new ConfigError(
    `Cannot elect a leader: the operator brings @xca/operator ${version}, and this plugin is ` +
      `${VERSION}: bring both to one version, or leave out --leader-elect`,
  );
}
