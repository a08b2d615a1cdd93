import { Command } from "@commander-js/extra-typings";
import {
  addEmbeddedFlags,
  checkNoOtherCluster,
  type EmbeddedFlags,
  ownServerFlag,
} from "../../embedded/embedded_flags.ts";
import { checkNamespace } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";
import { checkWebhookHost } from "../webhook_flags.ts";

/** The flags of `kubectl xca dev`. */
export interface DevFlags extends EmbeddedFlags {
  readonly embedded?: boolean | undefined;
  readonly webhookHost?: string | undefined;
}

/**
 * Returns the command `kubectl xca dev`, which runs the operator of a project and restarts it at
 * each save. The caller adds the action.
 */
export function devCommand(): Command {
  const command = new Command("dev")
    .summary("run the operator of a project, again at each save")
    .description(
      "Run the operator of the current folder's project from its sources on the current context, until\n" +
        "Ctrl-C, and again at each save. Its definitions are installed as they change, and its webhooks are\n" +
        "served on this machine. After a save that does not load, the operator of the last good one\n" +
        "continues. Definitions stay at the end, with their objects; everything else is removed.",
    )
    .option("--embedded", "bring the API server too, which outlives the restarts of the operator")
    .option(
      "--webhook-host <host>",
      "the name or address by which the API server calls this machine; 127.0.0.1 for a server on it",
    );
  addEmbeddedFlags(command as unknown as Command, "with --embedded: ");
  return command.addHelpText("after", EXAMPLES) as unknown as Command;
}

const EXAMPLES = `
Examples:
  # On an API server of its own, with objects to work on
  kubectl xca dev --embedded --seed samples.yaml

  # On a cluster in containers, which calls the webhooks by the address of the host
  kubectl xca dev --webhook-host 172.17.0.1`;

/**
 * Checks combinations of flags of `kubectl xca dev`.
 *
 * @throws {UsageError} When the value of a flag is invalid, when flags of the embedded server are
 * given without `--embedded`, or when flags that select a cluster are given with `--embedded`.
 */
export function checkDevFlags(flags: DevFlags): void {
  for (const namespace of flags.namespaces ?? []) if (namespace) checkNamespace(namespace);
  checkWebhookHost(flags.webhookHost);
  if (flags.embedded) return checkNoOtherCluster(flags, "dev --embedded");
  const own = ownServerFlag(flags);
  if (own) {
    throw new UsageError(`${own} is for a server of our own: add --embedded, or leave it out`);
  }
}
