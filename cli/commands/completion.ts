import { Argument, Command } from "@commander-js/extra-typings";
import { type Shell, SHELLS } from "../completion/scripts.ts";
import { UsageError } from "../usage_error.ts";

/**
 * Returns the definition of `kubectl xca completion` for the command line parser, to which the
 * caller adds the action.
 */
export function completionCommand(): Command<[Shell]> {
  return new Command("completion")
    .summary("print a script that completes this plugin in a shell")
    .description(
      "Print a script that makes a shell complete `kubectl-xca`.\n\n" +
        "For `kubectl xca` no script is needed: with kubectl's own completion on, it asks\n" +
        "`kubectl_complete-xca`, which stands beside the plugin. Put both on PATH.",
    )
    .addArgument(new Argument("<shell>", SHELLS.join(", ")).argParser(parseShell))
    .addHelpText(
      "after",
      "\nExamples:\n  source <(kubectl-xca completion bash)",
    ) as unknown as Command<[Shell]>;
}

function parseShell(value: string): Shell {
  const shell = SHELLS.find((known) => known === value);
  if (shell) return shell;
  throw new UsageError(`no completion for ${JSON.stringify(value)}: there is ${SHELLS.join(", ")}`);
}
