import { Command } from "@commander-js/extra-typings";
import type { GlobalFlags } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";

/** The output formats of `kubectl xca crd diff` and `kubectl xca crd plan`. */
export const CRD_FORMATS = ["text", "json"] as const;

/** An output format of `kubectl xca crd diff` and `kubectl xca crd plan`. */
export type CrdFormat = typeof CRD_FORMATS[number];

/** The flags of `kubectl xca crd diff`. */
export interface CrdDiffFlags extends GlobalFlags {
  readonly format?: CrdFormat | undefined;
  readonly strict?: boolean | undefined;
}

/** The switches of `kubectl xca crd`: flags that take no value. */
export const CRD_SWITCHES: readonly string[] = ["--strict", "--dry-run"];

/** Returns the command `kubectl xca crd`, whose subcommands are about CustomResourceDefinitions. */
export function crdCommand(): Command {
  return new Command("crd")
    .summary("check and plan changes of CustomResourceDefinitions")
    .description(
      "Check changes of CustomResourceDefinitions, and move stored objects to a version.",
    )
    .usage("[command] [flags]");
}

/** Returns the command `kubectl xca crd diff`, which judges the changes of a definition. */
export function crdDiffCommand(): Command<[string, string]> {
  return new Command("diff")
    .summary("say which changes of a definition break objects or clients")
    .description(
      "Compare CustomResourceDefinitions with their next version, and say of each change whether it is\n" +
        "safe, may surprise clients (a warning), or breaks: objects are refused, fields are lost, or\n" +
        "requests fail. OLD and NEW are files of one or more definitions, - for standard input, or the\n" +
        "name of a definition in the cluster.\n\n" +
        "Exits with 0 when nothing breaks, 1 when something does, 2 when the command line or a\n" +
        "definition is wrong, 3 when the cluster does not answer.",
    )
    .argument("<old>", "the definitions in use: a file, -, or a name in the cluster")
    .argument("<new>", "the definitions to be installed: a file, or -")
    .option("--format <format>", `output format: ${CRD_FORMATS.join(", ")}`, parseFormat)
    .option("--strict", "exit with 1 on warnings too")
    .addHelpText("after", EXAMPLES) as unknown as Command<[string, string]>;
}

const EXAMPLES = `
Examples:
  # What would kubectl apply -f crd.yaml break?
  kubectl xca crd diff locks.example.org crd.yaml

  # In CI: compare with the last release
  git show v1.2.0:crd.yaml | kubectl xca crd diff - crd.yaml`;

/**
 * Returns the output format of a flag's value.
 *
 * @throws {UsageError} When there is no such format.
 */
export function parseFormat(value: string): CrdFormat {
  const format = CRD_FORMATS.find((known) => known === value);
  if (format !== undefined) return format;
  throw new UsageError(
    `unknown output format ${JSON.stringify(value)}: allowed are ${CRD_FORMATS.join(", ")}`,
  );
}
