import { getLogger } from "@logtape/logtape";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { Client } from "../../lib/client/mod.ts";
import type { Operator } from "../../lib/controller/mod.ts";
import type { Manager, ManagerMetrics } from "../../lib/manager/mod.ts";
import type { CertificateSource, WebhookServerOptions } from "../../lib/webhook/mod.ts";
import type { CliContext } from "../context.ts";
import type { WebhookFlags } from "./webhook_flags.ts";

/**
 * The validity in days of the certificate of a webhook server on this machine; the server stops
 * earlier.
 */
const CERTIFICATE_DAYS = 365;

/**
 * The webhooks of an operator that `kubectl xca run` or `kubectl xca dev` serves, if any. Disposal
 * removes the webhook configurations and stops the webhook server if the server runs on this
 * machine; otherwise the manager stops the server.
 */
export interface RunWebhooks extends AsyncDisposable {
  /**
   * The CustomResourceDefinitions of the operator; those with a converter have its address if the
   * webhook server runs on this machine.
   */
  readonly crds: readonly UnstructuredObject[];
  /**
   * Registers the operator's webhooks with the API server when the webhook server runs on this
   * machine; resolves when the configurations are written, and rejects when the API server refuses
   * one. Does nothing otherwise.
   */
  configure(): Promise<void>;
  /**
   * Adds the server of the operator's webhooks to a manager, if there is a server. A server on this
   * machine runs already, and is added for its health check alone.
   */
  addTo(manager: Manager): void;
}

/**
 * Options of {@linkcode runWebhooks}, which prepares the webhooks that `kubectl xca run` or
 * `kubectl xca dev` serves.
 */
export interface RunWebhooksOptions {
  /** The client that the webhooks' handlers use, and that writes the webhook configurations. */
  readonly client: Client;
  /** The webhook flags of the command, which are those of `kubectl xca run`. */
  readonly flags: WebhookFlags;
  /** The metrics of the process, to which the webhook server adds its own; `undefined` for none. */
  readonly metrics: ManagerMetrics | undefined;
  /** The signal that ends the command. */
  readonly signal: AbortSignal;
}

/**
 * Prepares the webhooks of an operator by the flags of `kubectl xca run`: if a flag names a folder
 * with a certificate, the manager starts the webhook server; with `--webhook-host` or `--embedded`,
 * the server starts at once on this machine. Otherwise the webhooks are not served, and a warning
 * is logged. An operator without webhooks and converters gets no server.
 *
 * @throws {Error} When the port cannot be listened on.
 */
export async function runWebhooks(
  operator: Operator,
  options: RunWebhooksOptions,
  context: CliContext,
): Promise<RunWebhooks> {
  const { flags } = options;
  const { webhooks = [], crds } = operator;
  const none = { crds, configure: () => Promise.resolve(), [Symbol.asyncDispose]: async () => {} };
  const given = Object.keys(flags).some((name) => name.startsWith("webhook"));
  const logger = getLogger(["xca", "webhook"]);
  const isRegistered = webhooks.some(({ registrations }) => registrations.length > 0);
  if (!isRegistered && !given && !crds.some(hasVersions)) return { ...none, addTo: () => {} };
  const { conversionsOf, filesCertificate, webhookServer } = await import(
    "../../lib/webhook/mod.ts"
  );
  const isServed = isRegistered || conversionsOf(operator).length > 0;
  if (!isServed) {
    if (given) logger.warn("Operator {name} has no webhooks to serve", { name: operator.name });
    return { ...none, addTo: () => {} };
  }
  const host = flags.webhookHost ?? (flags.embedded ? "127.0.0.1" : undefined);
  if (host !== undefined) return await onThisMachine(operator, host, options, context);
  const path = flags.webhookCertPath;
  if (path === undefined) {
    logger.warn(
      "The webhooks of operator {name} are not served: add --webhook-cert-path in a pod, or " +
        "--webhook-host for a cluster that reaches this machine",
      { name: operator.name },
    );
    return { ...none, addTo: () => {} };
  }
  const certificate = filesCertificate({
    path,
    certName: flags.webhookCertName,
    keyName: flags.webhookCertKey,
    host: context.host,
  });
  const server = webhookServer({
    ...serverOptions(operator, options, context),
    certificate,
    port: flags.webhookPort,
  });
  return { ...none, addTo: (manager) => manager.add(server) };
}

/**
 * Starts a webhook server on this machine, which the cluster calls by a host name or address, with
 * a certificate that is created for the host. The server listens on all addresses, or on 127.0.0.1
 * alone if that is the host.
 */
async function onThisMachine(
  operator: Operator,
  host: string,
  options: RunWebhooksOptions,
  context: CliContext,
): Promise<RunWebhooks> {
  const { keepConfigurations, webhookConfigurationsOf, webhookServer } = await import(
    "../../lib/webhook/mod.ts"
  );
  const { client, flags, signal } = options;
  const { clock, random } = context;
  const { ca, certificate } = await certificateFor(host, context);
  await using stack = new AsyncDisposableStack();
  const server = stack.use(webhookServer({
    ...serverOptions(operator, options, context),
    certificate,
    hostname: host === "127.0.0.1" ? host : undefined,
    port: flags.webhookPort ?? (flags.embedded ? 0 : undefined),
  }));
  await server.setUp(signal);
  const address = { url: `https://${host}:${server.port}`, caBundle: ca };
  getLogger(["xca", "webhook"]).info("Serving webhooks", {
    url: address.url,
    paths: server.paths.join(" "),
  });
  const stop = new AbortController();
  const kept = keepConfigurations({
    client,
    // The name differs from that of a deployment in the same cluster, which keeps its
    // configurations.
    configurations: webhookConfigurationsOf(operator, {
      ...address,
      name: `${operator.name}-local`,
    }),
    removeAtEnd: true,
    clock,
    random,
  });
  const crds = await withConverters(operator, address);
  const names = crds.filter((crd) => !operator.crds.includes(crd)).map(({ metadata }) =>
    metadata.name
  );
  let keeping: Promise<void> | undefined;
  // The configurations are removed before the server ends, so that none names a server that is
  // gone.
  stack.defer(async () => {
    stop.abort();
    await keeping;
    if (flags.embedded || !flags.installCrds || keeping === undefined || names.length === 0) return;
    // The converter stays in the definitions: without one, a write in another version would lose
    // fields.
    getLogger(["xca", "webhook"]).warn(
      "The definitions {names} still name {url}/convert as their converter, which ends now: requests " +
        "in other versions than the stored one fail until this command runs again, or kubectl xca " +
        "deploy names another converter",
      { names: names.join(", "), url: address.url },
    );
  });
  const owned = stack.move();
  return {
    crds,
    configure: async () => {
      keeping = kept.run(stop.signal);
      await Promise.race([kept.ready, keeping]);
    },
    addTo: (manager) =>
      manager.add({
        name: server.name,
        group: server.group,
        run: aborted,
        check: (signal) => server.check(signal),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Returns the CustomResourceDefinitions of an operator, with the address of the conversion webhook
 * in those that have a converter.
 */
async function withConverters(
  operator: Operator,
  address: { readonly url: string; readonly caBundle: string },
): Promise<UnstructuredObject[]> {
  const { conversionsOf, withConversionWebhook } = await import("../../lib/webhook/mod.ts");
  const converted = conversionsOf(operator);
  return operator.crds.map((crd) => {
    const definition = crd as unknown as V1CustomResourceDefinition;
    const { group, names } = definition.spec;
    const hasConverter = converted.some((each) => each.group === group && each.kind === names.kind);
    if (!hasConverter) return crd;
    return withConversionWebhook(definition, address) as unknown as UnstructuredObject;
  });
}

/** Returns a promise that resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function serverOptions(
  operator: Operator,
  { client, metrics }: RunWebhooksOptions,
  { clock }: CliContext,
): Omit<WebhookServerOptions, "certificate"> {
  return {
    operators: [operator],
    client,
    metrics: metrics?.webhooks,
    certificateMetrics: metrics?.certificates,
    clock,
  };
}

/**
 * Returns a serving certificate for a host, and the certificate of the authority that signed it;
 * both are created in memory.
 */
async function certificateFor(
  host: string,
  { clock }: CliContext,
): Promise<{ readonly ca: string; readonly certificate: CertificateSource }> {
  const now = clock.now();
  const validity = { now, days: CERTIFICATE_DAYS };
  const authority = await CertificateAuthority.create("xca-webhooks", now, validity);
  const name = host.replace(/^\[(.*)\]$/, "$1");
  const isAddress = /^[\d.]+$|:/.test(name);
  const pair = await authority.serving(
    name,
    isAddress ? [] : [name],
    isAddress ? [name] : [],
    validity,
  );
  return {
    ca: authority.cert,
    certificate: {
      name: "in memory",
      offers: async function* () {
        yield { pair, ca: authority.cert };
      },
    },
  };
}

/**
 * Reports whether a CustomResourceDefinition has several versions, between which objects may need
 * conversion.
 */
function hasVersions({ spec }: UnstructuredObject): boolean {
  const { versions = [] } = (spec ?? {}) as { readonly versions?: readonly unknown[] };
  return versions.length > 1;
}
