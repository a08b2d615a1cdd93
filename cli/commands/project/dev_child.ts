import { Command } from "@commander-js/extra-typings";
import { spellArguments } from "../../arguments.ts";
import type { CliContext } from "../../context.ts";
import { type ChildFlags, runDevChild } from "../../dev/child.ts";
import type { ExitCode } from "../../exit_code.ts";
import { addGlobalFlags, flagsOf, GLOBAL_SWITCHES } from "../../global_flags.ts";

/**
 * Runs `kubectl xca __dev`, which `kubectl xca dev` starts for the operator of a project: a command for
 * that program alone.
 */
export async function devChild(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const command = new Command("__dev")
    .argument("<module>")
    .option("--webhook-host <host>") as unknown as Command;
  addGlobalFlags(command);
  command.exitOverride();
  command.parse([...spellArguments(args, new Set(GLOBAL_SWITCHES))], { from: "user" });
  return await runDevChild(command.args[0]!, flagsOf<ChildFlags>(command), context);
}
