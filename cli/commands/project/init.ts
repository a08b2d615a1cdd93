import { Command } from "@commander-js/extra-typings";
import type { GlobalFlags } from "../../global_flags.ts";

/** The flags of `kubectl xca init`. */
export interface InitFlags extends GlobalFlags {
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly plural?: string | undefined;
  readonly image?: string | undefined;
  readonly library?: string | undefined;
  /** The API version of the project's first kind. */
  readonly apiVersion?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Returns the definition of `kubectl xca init` for the command line parser, to which the caller
 * adds the action.
 */
export function initCommand(): Command<[string | undefined]> {
  return new Command("init")
    .summary("make a project of an operator")
    .description(
      "Make a project: one kind, one controller with a test, the program, an image and a CI workflow.\n" +
        "Its tests pass at once, without a cluster. Files of another text are never overwritten without\n" +
        "--force; what cannot be written as a whole is not written at all.",
    )
    .argument("[folder]", "the folder of the project, which is made if needed", ".")
    .option("--name <name>", "the name of the operator, instead of the folder's")
    .option("--domain <domain>", "the domain of the API groups", "example.org")
    .option("--kind <kind>", "the first kind, instead of one of the project's name")
    .option(
      "--group <group>",
      "the first part of the first kind's group: trade is trade.example.org",
    )
    .option("--api-version <version>", "the version of the first kind", "v1alpha1")
    .option("--plural <plural>", "the plural name of the first kind, in lower case")
    .option("--image <image>", "the image of the operator, such as registry.example.org/shop:1.0.0")
    .option("--library <folder>", "a clone of @xca/operator, which deno.json links to")
    .option("--force", "replace files that exist already")
    .addHelpText("after", EXAMPLES) as unknown as Command<[string | undefined]>;
}

const EXAMPLES = `
Examples:
  # A project in the folder shop, whose kind Order is in the group trade.example.com
  kubectl xca init shop --domain example.com --group trade --kind Order
  cd shop && deno task test`;
