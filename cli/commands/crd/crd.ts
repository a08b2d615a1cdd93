import { Command } from "@commander-js/extra-typings";
import type { StorageStepName } from "../../../lib/resource/evolution/mod.ts";
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

/** The flags of `kubectl xca crd plan`. */
export interface CrdPlanFlags extends GlobalFlags {
  readonly format?: CrdFormat | undefined;
  readonly print?: StorageStepName | undefined;
}

/** The flags of `kubectl xca crd migrate`. */
export interface CrdMigrateFlags extends GlobalFlags {
  readonly dryRun?: boolean | undefined;
}

/** Returns the command `kubectl xca crd`, without its subcommands, which the caller adds. */
export function crdCommand(): Command {
  return new Command("crd")
    .summary("check and plan changes of CustomResourceDefinitions")
    .description(
      "Check changes of CustomResourceDefinitions, and move stored objects to a version.",
    )
    .usage("[command] [flags]");
}

/**
 * Returns the command `kubectl xca crd diff`, which grades the changes of CustomResourceDefinitions
 * by their effect. The caller adds the action.
 */
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
 * Returns the command `kubectl xca crd plan`, which lists the steps to another storage version. The
 * caller adds the action.
 */
export function crdPlanCommand(): Command<[string, string]> {
  return new Command("plan")
    .summary("list the steps by which stored objects move to another version")
    .description(
      "List the steps by which a definition becomes its next version without loss of stored objects, with\n" +
        "the command for each, and say which step is the next: serve both versions, store in the new\n" +
        "one, write every object once, remove the old version from status.storedVersions, stop to\n" +
        "serve it, remove it. OLD is best the name of the definition in the cluster, whose status says\n" +
        "in which versions objects are stored.\n\n" +
        "Exits with 0 when the plan was printed, 2 when the command line or a definition is wrong, 3 when\n" +
        "the cluster does not answer.",
    )
    .argument("<old>", "the definition in use: a name in the cluster, a file, or -")
    .argument("<new>", "the definition to arrive at: a file, or -")
    .option("--format <format>", `output format: ${CRD_FORMATS.join(", ")}`, parseFormat)
    .option(
      "--print <step>",
      `print the definition of a step as YAML: ${PRINTABLE_STEPS.join(", ")}`,
      parseStep,
    )
    .addHelpText("after", PLAN_EXAMPLES) as unknown as Command<[string, string]>;
}

/**
 * The steps of a storage migration whose CustomResourceDefinition `kubectl xca crd plan` can print.
 */
export const PRINTABLE_STEPS: readonly StorageStepName[] = ["serve", "store", "unserve", "remove"];

const PLAN_EXAMPLES = `
Examples:
  # Which step towards crd.yaml is the next?
  kubectl xca crd plan locks.example.org crd.yaml

  # Take the first one
  kubectl xca crd plan locks.example.org crd.yaml --print serve | kubectl apply -f -`;

function parseStep(value: string): StorageStepName {
  const step = PRINTABLE_STEPS.find((known) => known === value);
  if (step !== undefined) return step;
  throw new UsageError(
    `${JSON.stringify(value)} is not a step that installs a definition: allowed are ${
      PRINTABLE_STEPS.join(", ")
    }`,
  );
}

/**
 * Returns the command `kubectl xca crd migrate`, which rewrites the objects of a
 * CustomResourceDefinition. The caller adds the action.
 */
export function crdMigrateCommand(): Command<[string]> {
  return new Command("migrate")
    .summary("write every object once, so that it is stored in the storage version")
    .description(
      "Write every object of a CustomResourceDefinition once, without a change, so that it is stored in\n" +
        "the storage version, and remove the other versions from status.storedVersions. Run it some\n" +
        "seconds after the storage version changed, when every API server knows of it. It can be\n" +
        "interrupted and run again.\n\n" +
        "Exits with 0 when every object is stored in the storage version, 1 when the API server refused to\n" +
        "write some, 2 when the command line is wrong, 3 when the cluster does not answer.",
    )
    .argument("<name>", "the name of the definition, such as locks.example.org")
    .option("--dry-run", "have each write checked by the API server, and write nothing")
    .addHelpText("after", MIGRATE_EXAMPLES) as unknown as Command<[string]>;
}

const MIGRATE_EXAMPLES = `
Examples:
  kubectl xca crd migrate locks.example.org`;

/**
 * Returns the output format of `kubectl xca crd` that the value of the flag `--format` names.
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
