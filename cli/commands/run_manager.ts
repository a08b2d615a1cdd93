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

/** The version of this plugin and its copy of the library. */
const VERSION: string = manifest.version;

/** A manager that has the operator of a command line. */
export interface OperatorInManager {
  /** The manager. */
  readonly manager: Manager;
  /** The operator in the manager. */
  readonly handle: OperatorHandle;
}

/** Options of {@linkcode managerOf}. */
export interface ManagerOfOptions {
  /** The client of the manager. */
  readonly client: Client;
  /** The copy of the library that runs the operator. */
  readonly found: FoundRuntime;
  /** The metrics of the process; `undefined` when they are not served. */
  readonly metrics: ManagerMetrics | undefined;
  /** The namespaces to watch; `undefined` for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The flags of the command line. */
  readonly flags: RunFlags;
}

/**
 * Makes a manager for an operator from the flags of `run`.
 *
 * @throws {ConfigError} When an election is wanted of an operator with another version of the library.
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
    // Another version may know neither the gate nor the caches of this one.
    : (added, { gate: _, informers: __, startWhen: ___, missingResources: ____, ...own }) =>
      runtime.runOperator(added, own);
  const workers = flags.workers;
  return { manager, handle: manager.add(operator, { run, workers }) };
}

/**
 * Returns the identity of this process in an election: the host name, which is the name of the pod, and a
 * random part, as in client-go; `undefined` without a host name.
 */
function identityOf({ host, random }: CliContext): string | undefined {
  const hostname = host.env("HOSTNAME");
  return hostname ? `${hostname}_${random.uuid()}` : undefined;
}

/** Returns an error of a manager as the command line reports it. */
export function managerError(error: unknown): unknown {
  if (!(error instanceof RunnableError)) return error;
  const isOfModule = error.cause instanceof ConfigError ||
    error.cause instanceof ResourceMismatchError;
  return isOfModule ? new ConfigError(error.message, { cause: error.cause }) : error;
}

/** The error of a copy of the library that may not know of the gate that a lease opens. */
function otherVersion(version: string): ConfigError {
  return new ConfigError(
    `Cannot elect a leader: the operator brings @xca/operator ${version}, and this plugin is ` +
      `${VERSION}: bring both to one version, or leave out --leader-elect`,
  );
}
