import { Command } from "@commander-js/extra-typings";
import { spellArguments, switchesOf } from "../../arguments.ts";
import type { CliContext } from "../../context.ts";
import { type ChildFlags, runDevChild } from "../../dev/child.ts";
import type { ExitCode } from "../../exit_code.ts";
import { addGlobalFlags, flagsOf } from "../../global_flags.ts";

/**
 * Runs the internal command `kubectl xca __dev`: runs the operator of a project in the process that
 * `kubectl xca dev` started.
 */
export async function devChild(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const command = new Command("__dev")
    .argument("<module>")
    .option("--webhook-host <host>") as unknown as Command;
  addGlobalFlags(command);
  command.exitOverride();
  command.parse([...spellArguments(args, switchesOf([command]))], { from: "user" });
  return await runDevChild(command.args[0]!, flagsOf<ChildFlags>(command), context);
}
