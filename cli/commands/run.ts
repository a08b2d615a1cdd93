import { Command } from "@commander-js/extra-typings";
import { UsageError } from "../usage_error.ts";
import type { GlobalFlags } from "../global_flags.ts";

/** The flags of `run`. */
export interface RunFlags extends GlobalFlags {
  readonly allNamespaces?: boolean | undefined;
  readonly installCrds?: boolean | undefined;
  readonly workers?: number | undefined;
  readonly once?: boolean | undefined;
}

/** The switches of `run`: flags that take no value. */
export const RUN_SWITCHES: readonly string[] = [
  "-A",
  "--all-namespaces",
  "--install-crds",
  "--once",
];

/** Declares `run`. */
export function runCommand(): Command<[string | undefined]> {
  return new Command("run")
    .summary("run an operator on the current context")
    .description(
      "Run an operator on the current context, until Ctrl-C: the one that MODULE exports,\n" +
        "or, without MODULE, the Xca operator.\n\n" +
        "MODULE is a local TypeScript or JavaScript file whose default export (or export named\n" +
        "`operator`) comes from defineOperator(). It watches the namespace of the context, of -n,\n" +
        "or all of them with -A.",
    )
    .argument("[module]", "path of a module that exports an operator")
    .option("-A, --all-namespaces", "watch all namespaces")
    .option("--install-crds", "first install the operator's CustomResourceDefinitions")
    .option(
      "--workers <count>",
      "how many objects each controller reconciles at once",
      parseWorkers,
    )
    .option(
      "--once",
      "end when every object there was at the start had a run and nothing waits; " +
        "1 when one still fails",
    )
    .addHelpText("after", EXAMPLES) as unknown as Command<[string | undefined]>;
}

const EXAMPLES = `
Examples:
  # Reconcile the Xca objects of all namespaces; make the resource known to the cluster first
  kubectl xca run --install-crds -A

  # Run the operator of a local module, one pass
  kubectl xca run ./operator.ts --once`;

/**
 * Refuses what cannot go together.
 *
 * @throws {UsageError} When `-n` comes with `-A`.
 */
export function checkRunFlags(flags: RunFlags): void {
  if (flags.allNamespaces && flags.namespace !== undefined) {
    throw new UsageError("-n and -A cannot go together: leave out one of them");
  }
}

function parseWorkers(value: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(value)) return Number(value);
  throw new UsageError(`--workers must be a number from 1 to 9999, is ${JSON.stringify(value)}`);
}
