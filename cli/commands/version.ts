import { Command } from "@commander-js/extra-typings";
import manifest from "../../deno.json" with { type: "json" };
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";

/** Declares `version`. */
export function versionCommand(): Command {
  return new Command("version").summary("print the version")
    .description("Print the version of this plugin and of its runtime.");
}

/** Prints what this is. */
export function version(context: CliContext): ExitCode {
  const { deno, v8, typescript } = Deno.version;
  context.out(
    `kubectl-xca ${manifest.version} (deno ${deno}, v8 ${v8}, typescript ${typescript})\n`,
  );
  return ExitCode.ok;
}
