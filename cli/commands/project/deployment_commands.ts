import type { Command } from "@commander-js/extra-typings";
import type { CliContext } from "../../context.ts";
import type { ExitCode } from "../../exit_code.ts";
import { flagsOf } from "../../global_flags.ts";
import {
  checkDeployFlags,
  type DeployCommand,
  deployCommand,
  installCommand,
  undeployCommand,
  uninstallCommand,
} from "./deploy.ts";
import {
  buildInstallerCommand,
  bundleCommand,
  checkManifestsFlags,
  manifestsCommand,
  type ManifestsFlags,
} from "./manifests.ts";

/**
 * A function that runs a deployment command with the argument and the flags that the parser found.
 */
type Action<Flags> = (
  argument: string | undefined,
  flags: Flags,
  context: CliContext,
) => Promise<ExitCode>;

/**
 * Returns the commands that generate the manifests of projects, and that deploy projects. The
 * action of the command that the parser finds passes the function that runs the command to `start`.
 */
export function deploymentCommands(
  context: CliContext,
  start: (run: () => Promise<ExitCode>) => void,
): readonly Command[] {
  const on = <Flags>(
    made: DeployCommand,
    check: (flags: Flags) => void,
    action: () => Promise<Action<Flags>>,
  ): Command =>
    made.action((argument, _, command) => {
      const flags = flagsOf(command as unknown as Command) as Flags;
      check(flags);
      start(async () => await (await action())(argument, flags, context));
    }) as unknown as Command;
  const manifests = () => import("./manifests_action.ts");
  const deploy = () => import("./deploy_action.ts");
  const checkFile = ({ namespaces }: ManifestsFlags): void => checkDeployFlags({ namespaces });
  return [
    on(manifestsCommand(), checkManifestsFlags, async () => (await manifests()).manifests),
    on(installCommand(), checkDeployFlags, async () => (await deploy()).install),
    on(uninstallCommand(), checkDeployFlags, async () => (await deploy()).uninstall),
    on(deployCommand(), checkDeployFlags, async () => (await deploy()).deploy),
    on(undeployCommand(), checkDeployFlags, async () => (await deploy()).undeploy),
    on(buildInstallerCommand(), checkFile, async () => (await manifests()).buildInstaller),
    on(bundleCommand(), checkFile, async () => (await manifests()).bundle),
  ] satisfies readonly Command[];
}
