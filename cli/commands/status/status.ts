import { Command } from "@commander-js/extra-typings";
import { OUTPUT_FORMATS, type OutputFormat } from "../../output/format.ts";
import { UsageError } from "../../usage_error.ts";
import type { GlobalFlags } from "../../global_flags.ts";

/** The flags of `kubectl xca status`. */
export interface StatusFlags extends GlobalFlags {
  readonly allNamespaces?: boolean | undefined;
  readonly selector?: string | undefined;
  readonly output?: OutputFormat | undefined;
  readonly watch?: boolean | undefined;
}

/**
 * Returns the definition of `kubectl xca status` for the command line parser, to which the caller
 * adds the action.
 */
export function statusCommand(): Command<[string[]]> {
  return new Command("status")
    .summary("show which Xca objects are active")
    .description(
      "Show which Xca objects are active: all of the namespace, or those that are named.\n\n" +
        "Exits with 0 when all are active, 1 when one is not or a name is missing,\n" +
        "2 when the command line or the configuration is wrong, 3 when the cluster does not answer.",
    )
    .argument("[names...]", "names of Xca objects")
    .option("-A, --all-namespaces", "look in all namespaces")
    .option("-l, --selector <selector>", "only objects with these labels, such as app=web,tier!=db")
    .option("-o, --output <format>", `output format: ${OUTPUT_FORMATS.join(", ")}`, parseFormat)
    .option("-w, --watch", "after the table, show each change as it comes, until Ctrl-C")
    .addHelpText("after", EXAMPLES) as unknown as Command<[string[]]>;
}

const EXAMPLES = `
Examples:
  # The Xca objects of the current namespace
  kubectl xca status

  # Two of them, as YAML
  kubectl xca status a b -o yaml

  # Everywhere, by label, and every change from now on
  kubectl xca status -A -l team=blue --watch`;

/**
 * Checks combinations of flags of `kubectl xca status`, as kubectl does.
 *
 * @throws {UsageError} When names are given with `-A` or with a selector.
 */
export function checkStatusFlags(names: readonly string[], flags: StatusFlags): void {
  if (names.length === 0) return;
  if (flags.allNamespaces) {
    throw new UsageError(
      "a name cannot be looked up across all namespaces: leave out -A or the name",
    );
  }
  if (flags.selector !== undefined) {
    throw new UsageError("names and a selector (-l) cannot go together: leave out one of them");
  }
}

function parseFormat(value: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((known) => known === value);
  if (format) return format;
  throw new UsageError(
    `unknown output format ${JSON.stringify(value)}: allowed are ${OUTPUT_FORMATS.join(", ")}`,
  );
}
