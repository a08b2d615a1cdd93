import type { Clock } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { Client } from "../../lib/client/mod.ts";
import type { Operator } from "../../lib/controller/mod.ts";
import type { Runnable } from "../../lib/manager/mod.ts";
import {
  type CertificateSource,
  type Conversion,
  keepConfigurations,
  type WebhookAddress,
  webhookConfigurationsOf,
  type WebhookServer,
  webhookServer,
} from "../../lib/webhook/mod.ts";

/** The validity of the certificates of a development session, in days. */
const CERTIFICATE_DAYS = 30;

/** The webhooks of an operator that runs on a developer's machine. */
export interface DevWebhooks extends AsyncDisposable {
  /** The address by which the API server calls the webhooks. */
  readonly address: WebhookAddress;
  /** The work of the webhooks: it serves them, and keeps their configurations until it ends. */
  readonly runnable: Runnable;
  /** Resolves when the API server has the configurations. */
  readonly ready: Promise<void>;
}

/** Options of {@linkcode startWebhooks}. */
export interface StartWebhooksOptions {
  /** The client that writes the configurations. */
  readonly client: Client;
  /** The name or IP address of this machine by which the API server reaches it. */
  readonly host: string;
  /** The clock of certificates and configurations. */
  readonly clock: Clock;
  /** The conversions of the operator's kinds. */
  readonly conversions: readonly Conversion[];
}

/**
 * Starts the server of an operator's webhooks on a free port, with a certificate of its own.
 *
 * @throws {Error} When no address can be listened on.
 */
export async function startWebhooks(
  operator: Operator,
  { client, host, clock, conversions }: StartWebhooksOptions,
): Promise<DevWebhooks> {
  const authority = await CertificateAuthority.create("xca-dev", clock.now(), {
    days: CERTIFICATE_DAYS,
  });
  const isAddress = /^[\d.]+$|:/.test(host);
  const pair = await authority.serving(host, isAddress ? [] : [host], isAddress ? [host] : [], {
    days: CERTIFICATE_DAYS,
  });
  const certificate: CertificateSource = {
    name: "the certificate of kubectl xca dev",
    async *offers(signal) {
      yield { pair, ca: authority.cert };
      await aborted(signal);
    },
  };
  const isLocal = /^(127\.|localhost$|::1$)/.test(host);
  const server: WebhookServer = webhookServer({
    operators: [operator],
    conversions,
    certificate,
    hostname: isLocal ? host : "",
    port: 0,
    client,
    clock,
  });
  await server.setUp(new AbortController().signal);
  const authorityHost = host.includes(":") ? `[${host}]` : host;
  const address = { url: `https://${authorityHost}:${server.port}`, caBundle: authority.cert };
  const configurations = webhookConfigurationsOf(operator, {
    ...address,
    name: `${operator.name}-dev`,
  });
  const kept = keepConfigurations({ client, configurations, removeAtEnd: true, clock });
  const runnable: Runnable = {
    name: "webhooks",
    group: "webhooks",
    run: async (signal) => {
      // The server goes last: until the configurations are gone, the API server calls it.
      const serving = new AbortController();
      const served = server.run(serving.signal);
      await Promise.race([kept.run(signal), served]).finally(() => serving.abort());
      await served;
    },
  };
  return {
    address,
    runnable,
    ready: kept.ready,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the conversions of the kinds of an operator that `defineResource` made. */
export function conversionsOf({ controllers }: Operator): readonly Conversion[] {
  const types = controllers.map(({ type }) => type as { readonly conversion?: Conversion });
  return [...new Set(types.flatMap(({ conversion }) => conversion ?? []))];
}

/** Reports whether the objects of a definition are converted by one of the conversions. */
export function isConverted(
  { spec }: V1CustomResourceDefinition,
  conversions: readonly Conversion[],
): boolean {
  return conversions.some(({ group, kind }) => group === spec.group && kind === spec.names.kind);
}

/** Resolves when a signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
