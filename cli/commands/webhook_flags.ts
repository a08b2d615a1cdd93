import type { Command } from "@commander-js/extra-typings";
import { flagWord } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The flags of `kubectl xca run` for the server of an operator's webhooks. */
export interface WebhookFlags {
  readonly embedded?: boolean | undefined;
  readonly installCrds?: boolean | undefined;
  readonly webhookPort?: number | undefined;
  readonly webhookCertPath?: string | undefined;
  readonly webhookCertName?: string | undefined;
  readonly webhookCertKey?: string | undefined;
  readonly webhookHost?: string | undefined;
}

/**
 * Adds the flags of the webhook server to a command. The flags of the certificate
 * (`--webhook-cert-path`, `-name`, `-key`) have kubebuilder's names.
 */
export function addWebhookFlags(command: Command): void {
  command
    .option(
      "--webhook-cert-path <folder>",
      "serve the operator's webhooks with the certificate in this folder, as cert-manager writes it",
    )
    .option("--webhook-cert-name <file>", "the certificate in that folder, instead of tls.crt")
    .option("--webhook-cert-key <file>", "the private key in that folder, instead of tls.key")
    .option(
      "--webhook-host <host>",
      "serve the webhooks without a folder, and configure the cluster to call this machine by this " +
        "name or address until the end; with --embedded 127.0.0.1",
    )
    .option(
      "--webhook-port <number>",
      "the port of the webhooks, instead of 9443; with --embedded any that is free",
      parsePort,
    );
}

/**
 * Checks the combination of the flags of the webhook server.
 *
 * @throws {UsageError} When a flag has no effect or is invalid, or two exclude each other.
 */
export function checkWebhookFlags(flags: WebhookFlags): void {
  const { webhookCertPath: path, webhookHost: host, embedded, webhookPort: port } = flags;
  for (const name of ["webhookCertName", "webhookCertKey"] as const) {
    if (flags[name] === undefined || path) continue;
    throw new UsageError(`${flagWord(name)} is a file of a folder: add --webhook-cert-path`);
  }
  if (path !== undefined && (host !== undefined || embedded)) {
    throw new UsageError(
      `--webhook-cert-path and ${embedded ? "--embedded" : "--webhook-host"} cannot go together: ` +
        "the first is for a pod that the cluster reaches by a Service",
    );
  }
  checkWebhookHost(host);
  if (port !== undefined && path === undefined && host === undefined && !embedded) {
    throw new UsageError(
      "--webhook-port is for a webhook server: add --webhook-cert-path or --webhook-host",
    );
  }
}

/**
 * Checks the value of the flag `--webhook-host`, from which the URL of the webhooks is made.
 *
 * @throws {UsageError} When the value is not the host of a URL.
 */
export function checkWebhookHost(host: string | undefined): void {
  if (host === undefined) return;
  if (/^([\w.-]+|\[[\da-f:.]+\])$/i.test(host) && URL.canParse(`https://${host}`)) return;
  throw new UsageError(
    "--webhook-host must be the name or address of this machine, as the cluster knows it, without " +
      `a port, and an IPv6 address in brackets, is ${JSON.stringify(host)}`,
  );
}

function parsePort(value: string): number {
  if (/^[1-9][0-9]{0,4}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(
    `--webhook-port must be a number from 1 to 65535, is ${JSON.stringify(value)}`,
  );
}
