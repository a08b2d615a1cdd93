import { Command } from "@commander-js/extra-typings";
import { parseGoDuration } from "../../duration.ts";
import { checkNamespace } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";
import { addDeploymentFlags, type DeploymentFlags, PROJECT_ARGUMENT } from "./manifests.ts";

/** The flags of `kubectl xca install`, `uninstall`, `deploy` and `undeploy`. */
export interface DeployFlags extends DeploymentFlags {
  readonly dryRun?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly drain?: boolean | undefined;
  readonly keepCrds?: boolean | undefined;
  /**
   * Sets whether the command waits until the operator's replicas are available; true unless
   * `--no-wait` is given.
   */
  readonly wait?: boolean | undefined;
  /** The time limit of each wait of the command, in milliseconds; `undefined` for two minutes. */
  readonly timeout?: number | undefined;
}

/**
 * The parser's type of commands whose only argument is an operator's project or module, which may
 * be left out.
 */
export type DeployCommand = Command<[string | undefined]>;

/**
 * Returns the command `kubectl xca install`, which applies a project's CustomResourceDefinitions.
 * The caller adds the action.
 */
export function installCommand(): DeployCommand {
  return withFlags(
    new Command("install")
      .summary("install the definitions of a project")
      .description(
        "Apply the CustomResourceDefinitions of a project, and wait until the API server serves them.",
      ),
  )
    .option("--force-conflicts", "take over fields that others own") as unknown as DeployCommand;
}

/**
 * Returns the command `kubectl xca uninstall`, which deletes a project's CustomResourceDefinitions
 * and their objects. The caller adds the action.
 */
export function uninstallCommand(): DeployCommand {
  return withDrainFlags(withFlags(
    new Command("uninstall")
      .summary("delete the definitions of a project and all their objects")
      .description(
        "Delete the objects of a project's kinds while its operator runs, wait until it has removed its\n" +
          "finalizers, and then delete the definitions. Where there are objects and no operator runs,\n" +
          "nothing is deleted.",
      ),
  )) as unknown as DeployCommand;
}

/**
 * Returns the command `kubectl xca deploy`, which applies all manifests of a project. The caller
 * adds the action.
 */
export function deployCommand(): DeployCommand {
  return withFlags(
    new Command("deploy")
      .summary("deploy the operator of a project to the current cluster")
      .description(
        "Apply all manifests of a project to the current cluster, and wait until its replicas are\n" +
          "available. Applying them again changes nothing.",
      ),
  )
    .option("--force-conflicts", "take over fields that others own")
    .option("--no-wait", "do not wait for the replicas") as unknown as DeployCommand;
}

/**
 * Returns the command `kubectl xca undeploy`, which deletes the objects of a project's kinds, and
 * all objects that `kubectl xca deploy` applies. The caller adds the action.
 */
export function undeployCommand(): DeployCommand {
  return withDrainFlags(withFlags(
    new Command("undeploy")
      .summary("remove the operator of a project from the current cluster")
      .description(
        "Delete the objects of a project's kinds while its operator runs, wait until it has removed its\n" +
          "finalizers, and then delete all that `kubectl xca deploy` applies. A namespace of others is\n" +
          "kept. Where there are objects and no operator runs, nothing is deleted.",
      ),
  ))
    .option(
      "--keep-crds",
      "keep the definitions, and with them all their objects",
    ) as unknown as DeployCommand;
}

function withFlags(command: Command): Command {
  return addDeploymentFlags(command.argument(...PROJECT_ARGUMENT) as unknown as Command)
    .option("--dry-run", "only print what would be done")
    .option(
      "--timeout <duration>",
      "the longest time of each wait, such as 90s or 5m (default: 2m)",
      parseTimeout,
    ) as unknown as Command;
}

function withDrainFlags(command: Command): Command {
  return command
    .option("--drain", "the operator runs, though neither its Deployment nor its Lease shows it")
    .option(
      "--force",
      "remove the finalizers that the operator does not remove; its clean-up is lost",
    ) as unknown as Command;
}

/**
 * Checks the flags of a command that deploys a project.
 *
 * @throws {UsageError} When the name of a namespace is invalid, or flags contradict each other.
 */
export function checkDeployFlags({ namespaces, keepCrds, force, drain }: DeployFlags): void {
  for (const namespace of namespaces ?? []) checkNamespace(namespace);
  if (!keepCrds || !(force || drain)) return;
  throw new UsageError(
    "--keep-crds keeps all objects: omit --force and --drain, which delete them",
  );
}

function parseTimeout(value: string): number {
  const timeoutMs = parseGoDuration(value);
  if (timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= 24 * 3_600_000) return timeoutMs;
  throw new UsageError(
    `--timeout must be a duration of at most 24h, such as 90s or 5m, is ${JSON.stringify(value)}`,
  );
}
