import { Command } from "@commander-js/extra-typings";
import type { GlobalFlags } from "../../global_flags.ts";

/** The flags of `kubectl xca create api`. */
export interface CreateApiFlags extends GlobalFlags {
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
  /** The API version of the kind to create. */
  readonly apiVersion?: string | undefined;
  readonly plural?: string | undefined;
  readonly resource?: boolean | undefined;
  readonly controller?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** The flags of `kubectl xca create webhook`. */
export interface CreateWebhookFlags extends GlobalFlags {
  readonly kind?: string | undefined;
  /** The API version of the kind that the webhooks are for. */
  readonly apiVersion?: string | undefined;
  readonly defaulting?: boolean | undefined;
  readonly validation?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Returns the command `kubectl xca create`, without its subcommands for kinds and webhooks, which
 * the caller adds.
 */
export function createCommand(): Command {
  return new Command("create")
    .summary("add a kind or webhooks to a project")
    .description("Add a kind, or the webhooks of a kind, to the project of the current folder.")
    .usage("[command] [flags]");
}

/**
 * Returns the command `kubectl xca create api`, which adds a kind and its controller. The caller
 * adds the action.
 */
export function createApiCommand(): Command {
  return new Command("api")
    .summary("add a kind with a controller and a test")
    .description(
      "Add a kind to the project of the current folder: its module, a controller with a test, and the\n" +
        "lines of operator.ts that use it, above the comments that begin with xca:.",
    )
    .option("--kind <kind>", "the kind, such as Order")
    .option("--group <group>", "the first part of the group, instead of the project's domain alone")
    .option("--api-version <version>", "the version", "v1alpha1")
    .option("--plural <plural>", "the plural name, in lower case")
    .option("--resource", "make the module of the kind (the default)")
    .option("--no-resource", "the kind is in the project already")
    .option("--controller", "make a controller (the default)")
    .option("--no-controller", "make no controller")
    .option("--force", "replace files that exist already")
    .addHelpText("after", API_EXAMPLES) as unknown as Command;
}

/**
 * Returns the command `kubectl xca create webhook`, which adds the webhooks of a kind. The caller
 * adds the action.
 */
export function createWebhookCommand(): Command {
  return new Command("webhook")
    .summary("add the admission webhooks of a kind")
    .description(
      "Add the admission webhooks of a kind of the project of the current folder, with a test, and the\n" +
        "lines of operator.ts that use them. Conversions need no file of their own: they are functions of\n" +
        "the versions of defineResource.",
    )
    .option("--kind <kind>", "the kind, such as Order")
    .option("--api-version <version>", "the version whose objects the webhooks get")
    .option("--defaulting", "a webhook that sets defaults")
    .option("--validation", "a webhook that validates requests")
    .option("--force", "replace files that exist already")
    .addHelpText("after", WEBHOOK_EXAMPLES) as unknown as Command;
}

const API_EXAMPLES = `
Examples:
  # A kind Order of trade.example.org, where example.org is the project's domain
  kubectl xca create api --group trade --kind Order`;

const WEBHOOK_EXAMPLES = `
Examples:
  # A defaulter and a validator of the kind Order
  kubectl xca create webhook --kind Order --defaulting --validation`;
