import { Command } from "@commander-js/extra-typings";
import manifest from "../../deno.json" with { type: "json" };

/**
 * Returns the definition of `kubectl xca version` for the command line parser, to which the caller
 * adds the action.
 */
export function versionCommand(): Command {
  return new Command("version").summary("print the version")
    .description("Print the version of this plugin and of its runtime.");
}

/** Returns the name and version of the plugin, and the versions of its runtime, as one line. */
export function versionText(): string {
  const { deno, v8, typescript } = Deno.version;
  return `kubectl-xca ${manifest.version} (deno ${deno}, v8 ${v8}, typescript ${typescript})`;
}
