import type { KubeObject } from "@xca/apimachinery/meta";
import {
  type ClusterRun,
  type ClusterStep,
  deployObjects,
  installDefinitions,
  undeployObjects,
  uninstallDefinitions,
} from "../../../lib/project/mod.ts";
import { connect } from "../../connect.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { interruptible } from "../../interruptible.ts";
import type { DeployFlags } from "./deploy.ts";
import { type LoadedProject, loadProject } from "./load_project.ts";

/**
 * The default of `--timeout`: the time limit of each wait of a deployment command, in milliseconds.
 */
const TIMEOUT_MS = 120_000;

/**
 * Runs `kubectl xca install`: applies the CustomResourceDefinitions of a project, and waits until
 * the API server serves them.
 *
 * @throws {ClusterError} When other managers own fields, without `--force-conflicts`, or a
 * definition is not served in time.
 */
export function install(
  argument: string | undefined,
  flags: DeployFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { forceConflicts, timeout: timeoutMs = TIMEOUT_MS } = flags;
  return onCluster(
    argument,
    flags,
    context,
    (run, { objects }) => installDefinitions(run, objects, { forceConflicts, timeoutMs }),
  );
}

/**
 * Runs `kubectl xca deploy`: applies all manifests of a project, waits until the replicas are
 * available, unless `--no-wait` is given, and deletes the objects of earlier deployments that are
 * no longer among the manifests.
 *
 * @throws {ClusterError} When the cluster lacks a kind, other managers own fields, without
 * `--force-conflicts`, or a wait times out.
 */
export function deploy(
  argument: string | undefined,
  flags: DeployFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { forceConflicts, wait, timeout: timeoutMs = TIMEOUT_MS } = flags;
  return onCluster(
    argument,
    flags,
    context,
    (run, { objects, project }) =>
      deployObjects(run, objects, {
        operator: project.settings,
        forceConflicts,
        wait,
        timeoutMs,
      }),
  );
}

/**
 * Runs `kubectl xca uninstall`: deletes the objects of a project's kinds while its operator runs,
 * waits until none is left, and then deletes the CustomResourceDefinitions.
 *
 * @throws {ClusterError} When there are objects and no operator runs, without `--force` and
 * `--drain`, or objects or definitions remain at the end.
 */
export function uninstall(
  argument: string | undefined,
  flags: DeployFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { force, drain, timeout: timeoutMs = TIMEOUT_MS } = flags;
  return onCluster(
    argument,
    flags,
    context,
    (run, { objects, project }) =>
      uninstallDefinitions(run, objects, { operator: project.settings, force, drain, timeoutMs }),
  );
}

/**
 * Runs `kubectl xca undeploy`: deletes the objects of a project's kinds, and all objects that
 * `kubectl xca deploy` applies. With `--keep-crds`, the definitions and their objects are kept.
 *
 * @throws {ClusterError} When there are objects of the project's kinds and no operator runs,
 * without `--force`, `--drain` and `--keep-crds`, or objects remain at the end.
 */
export function undeploy(
  argument: string | undefined,
  flags: DeployFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { force, drain, keepCrds, timeout: timeoutMs = TIMEOUT_MS } = flags;
  return onCluster(
    argument,
    flags,
    context,
    (run, { objects, project }) =>
      undeployObjects(run, objects, {
        operator: project.settings,
        force,
        drain,
        keepCrds,
        timeoutMs,
      }),
  );
}

/**
 * The input of a deployment command: the project, and the objects of all its manifests, of which
 * `install` applies and `uninstall` deletes only the CustomResourceDefinitions.
 */
interface Work {
  readonly project: LoadedProject;
  readonly objects: readonly KubeObject[];
}

async function onCluster(
  argument: string | undefined,
  flags: DeployFlags,
  context: CliContext,
  work: (run: ClusterRun, work: Work) => Promise<void>,
): Promise<ExitCode> {
  const project = await loadProject(argument, flags, context);
  // The flag -n names the namespaces that the operator watches, not that of the connection.
  await using connection = await connect({ ...flags, namespace: undefined }, context);
  const { client, config } = connection;
  const { clock } = context;
  using stop = interruptible(context);
  context.err(`${project.settings.name} on ${config.server}\n`);
  const objects = project.manifests.map(({ object }) => object);
  const run: ClusterRun = {
    client,
    clock,
    signal: stop.signal,
    dryRun: flags.dryRun,
    onStep: (step) => context.out(`${stepText(step)}${flags.dryRun ? " (dry run)" : ""}\n`),
  };
  try {
    await work(run, { project, objects });
    return ExitCode.ok;
  } catch (error) {
    if (stop.signal.aborted) return stop.code() || ExitCode.notSo;
    throw error;
  }
}

/**
 * Returns the output line of a step of a deployment: `deployment.apps/shop -n shop-system created`.
 */
function stepText({ object, namespace, action, note }: ClusterStep): string {
  const where = namespace === undefined ? "" : ` -n ${namespace}`;
  return `${object}${where} ${action}${note === undefined ? "" : `: ${note}`}`;
}
