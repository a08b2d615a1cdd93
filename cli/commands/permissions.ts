import { Command } from "@commander-js/extra-typings";
import type { GlobalFlags } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The output formats of `kubectl xca permissions -o`. */
export const PERMISSIONS_FORMATS = ["flags", "json"] as const;

/** An output format of `kubectl xca permissions`. */
export type PermissionsFormat = typeof PERMISSIONS_FORMATS[number];

/** The flags of `kubectl xca permissions`. */
export interface PermissionsFlags extends GlobalFlags {
  readonly output?: PermissionsFormat | undefined;
  readonly streams?: boolean | undefined;
}

/**
 * Returns the definition of `kubectl xca permissions` for the command line parser, to which the
 * caller adds the action.
 */
export function permissionsCommand(): Command {
  return new Command("permissions")
    .summary("print the Deno permissions that a kubeconfig needs")
    .description(
      "Print the smallest set of Deno flags with which a program can load this kubeconfig and reach\n" +
        "its cluster. Neither the cluster nor a credential plugin is asked.",
    )
    .option(
      "-o, --output <format>",
      `output format: ${PERMISSIONS_FORMATS.join(", ")}; json is for permissions in deno.json`,
      parseFormat,
    )
    .option("--streams", "with what exec, attach and port-forward need on top")
    .addHelpText("after", EXAMPLES) as unknown as Command;
}

const EXAMPLES = `
Examples:
  # Run a program of your own, as one that calls runOperator(), with no more than it needs to reach the
  # cluster of the current context; a module that only exports an operator is for kubectl xca run
  deno run --no-prompt $(kubectl xca permissions) main.ts

  # The same of another context, for deno.json
  kubectl xca permissions --context production -o json`;

function parseFormat(value: string): PermissionsFormat {
  const format = PERMISSIONS_FORMATS.find((known) => known === value);
  if (format) return format;
  throw new UsageError(
    `unknown output format ${JSON.stringify(value)}: allowed are ${PERMISSIONS_FORMATS.join(", ")}`,
  );
}
