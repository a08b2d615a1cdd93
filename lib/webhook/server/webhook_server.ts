// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/server.go, DefaultServer.
import { connect } from "node:tls";
import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { beforeAbort, checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { CheckedCertificate, LIMIT_NAMES, listenFailure } from "@xca/apimachinery/internal/serving";
import type {
  CertificateMetrics,
  CertificateSource,
  HttpsServer,
  Peer,
  ServerCertificate,
  ServerLimits,
  ServingCertificate,
} from "@xca/apimachinery/serving";
import type { Client } from "../../client/typed/client.ts";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type { OperatorWebhook } from "../../controller/definition/operator_webhook.ts";
import type { ResourceUse } from "../../controller/definition/resource_use.ts";
import type { WebhookMetrics } from "../../controller/ports/webhook_metrics.ts";
import type { WebhookDefinition } from "../admission/webhook_definition.ts";
import type { OwnCertificates } from "../certificates/own_certificates.ts";
import type { Conversion } from "../conversion/conversion.ts";
import { conversionsOf } from "../conversion/conversions_of.ts";
import { CONVERT_PATH } from "../admission/paths.ts";
import { refusalResponse } from "./review_answer.ts";
import { webhookHandler } from "./webhook_handler.ts";

const logger = getLogger(["xca", "webhook"]);

/**
 * The default port of webhook servers, that of kubebuilder (pkg/webhook/server.go, DefaultPort).
 */
export const WEBHOOK_PORT = 9443;

/** The time that open reviews have to end when the server stops, in milliseconds. */
const STOP_GRACE_MS = 10_000;

/**
 * The limits of a webhook server. A review has at most two objects of 3 MiB
 * (pkg/webhook/admission/http.go, maxRequestSize).
 */
const LIMITS: ServerLimits = {
  headerBytes: 32 * 1024,
  bodyBytes: 7 * 1024 * 1024,
  handshakeTimeoutMs: 10_000,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 90_000,
  silenceTimeoutMs: 60_000,
};

/** The conditions for the client certificates that a webhook server accepts. */
export interface WebhookClients {
  /** The certificate authority of the API servers' client certificates, as PEM text. */
  readonly ca: string;
  /** The common names that client certificates may have. @default any */
  readonly names?: readonly string[] | undefined;
}

/** Options of {@linkcode webhookServer}, which runs admission and conversion webhooks. */
export interface WebhookServerOptions {
  /** The operators whose webhooks and conversions the server serves. @default none */
  readonly operators?: readonly Operator[] | undefined;
  /** The webhooks that the server provides in addition to those of the operators. @default none */
  readonly webhooks?: readonly OperatorWebhook[] | undefined;
  /**
   * The conversions that the server provides at `/convert` in addition to those of the operators.
   * @default none
   */
  readonly conversions?: readonly Conversion[] | undefined;
  /**
   * The certificate of the server: a source, such as `filesCertificate`, whose certificates the server
   * checks before it uses them, or a certificate that the caller has checked.
   */
  readonly certificate: CertificateSource | OwnCertificates | ServingCertificate;
  /** The network address that the webhook server listens on. @default {"": all addresses} */
  readonly hostname?: string | undefined;
  /** The port that the webhook server listens on; 0 for a free one. @default {9443} */
  readonly port?: number | undefined;
  /**
   * The clients that may call the webhooks. The API server sends a client certificate only if its
   * admission configuration has one for the host of the webhook.
   *
   * @default every client that reaches the port
   */
  readonly clients?: WebhookClients | undefined;
  /** The client that the webhooks' handlers use. @default none: a handler that uses it fails */
  readonly client?: Client | undefined;
  /** The receiver of the webhook metrics, such as `managerMetrics().webhooks`. @default none */
  readonly metrics?: WebhookMetrics | undefined;
  /**
   * The receiver of the certificate metrics, such as `managerMetrics().certificates`.
   *
   * @default none
   */
  readonly certificateMetrics?: CertificateMetrics | undefined;
  /**
   * The limits on the size of requests, their time and the connections; an absent limit keeps its
   * default.
   *
   * @default {7 MiB of body, 32 KiB of headers; ten seconds each for the TLS handshake and the
   * headers, 30 for the request, 60 of silence, 90 between requests; 1000 connections}
   */
  readonly limits?: ServerLimits | undefined;
  /** The clock of the webhook server. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/**
 * A webhook server as a runnable of a manager: `manager.add(webhookServer({ ... }))`. Each replica
 * runs the server, not only the leader. The server listens from its set-up. Disposal stops the
 * server without waiting for open reviews.
 */
export interface WebhookServer extends AsyncDisposable {
  /** The name of the webhook server as a runnable. */
  readonly name: "webhook server";
  /** The runnable group of the webhook server, which starts before the caches. */
  readonly group: "webhooks";
  /** The API calls that the server's certificate source makes. */
  readonly uses: readonly ResourceUse[];
  /**
   * The port that the webhook server listens on; `undefined` before its set-up, unchanged after its
   * end.
   */
  readonly port: number | undefined;
  /** The URL paths of the server's admission webhooks, and of its conversions if there are any. */
  readonly paths: readonly string[];
  /**
   * Loads the certificate of the webhook server and listens.
   *
   * @throws {Error} When the server was set up before or is disposed meanwhile, its certificate
   * cannot be used, or its address cannot be listened on.
   * @throws {unknown} The reason of `signal`.
   */
  setUp(signal: AbortSignal): Promise<void>;
  /**
   * Responds to reviews until the signal is aborted, then waits up to ten seconds for open ones.
   * Sets the server up first if {@linkcode WebhookServer.setUp} was not called.
   *
   * @throws {Error} When the set-up fails, or the server was stopped before.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Checks that the webhook server listens, that its certificate has no problem, and that a TLS
   * handshake with it succeeds. Returns the problem in one line; `undefined` for none.
   */
  check(signal: AbortSignal): Promise<string | undefined>;
}

/** The names of all options of {@linkcode webhookServer}. */
const SERVER_OPTIONS: OptionNames<WebhookServerOptions> = {
  operators: true,
  webhooks: true,
  conversions: true,
  certificate: true,
  hostname: true,
  port: true,
  clients: { ca: true, names: true },
  client: true,
  metrics: true,
  certificateMetrics: true,
  limits: LIMIT_NAMES,
  clock: true,
};

/**
 * Returns a server of webhooks: HTTPS with HTTP/1.1, TLS 1.2 or later, and a certificate that
 * changes while the server runs. Admission webhooks are at the paths of their registrations,
 * conversions at `/convert`.
 *
 * @throws {TypeError} When two webhooks have one path, a webhook has no functions, or an option is
 * unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { webhookFor, webhookServer } from "@xca/operator/webhook";
 * import { CertificateAuthority } from "@xca/apimachinery/pki";
 *
 * const authority = await CertificateAuthority.create("webhooks", new Date());
 * const pair = await authority.serving("localhost", ["localhost"], ["127.0.0.1"]);
 * await using server = webhookServer({
 *   webhooks: [webhookFor(ConfigMap).validator({ create: () => {} })],
 *   certificate: { load: () => Promise.resolve(pair), watch: () => ({ [Symbol.dispose]() {} }) },
 *   hostname: "127.0.0.1",
 *   port: 0,
 * });
 * await server.setUp(new AbortController().signal);
 * assert.equal(await server.check(new AbortController().signal), undefined);
 * assert.deepEqual(server.paths, ["/validate--v1-configmap"]);
 * ```
 */
export function webhookServer(options: WebhookServerOptions): WebhookServer {
  return new ListeningWebhooks(options);
}

/** The implementation of a webhook server, from its creation to its end. */
class ListeningWebhooks implements WebhookServer {
  readonly name = "webhook server";
  readonly group = "webhooks";
  readonly uses: readonly ResourceUse[];
  readonly paths: readonly string[];
  readonly #options: WebhookServerOptions;
  readonly #handler: ReturnType<typeof webhookHandler>;
  readonly #clock: Clock;
  readonly #certificate: ServingCertificate;
  #server: HttpsServer | undefined;
  #watch: Disposable | undefined;
  #stage: "new" | "setUp" | "stopped" = "new";

  constructor(options: WebhookServerOptions) {
    checkOptionNames("Cannot serve webhooks", options, SERVER_OPTIONS);
    const { operators = [], clients, clock = systemClock } = options;
    const conversions = [...operators.flatMap(conversionsOf), ...(options.conversions ?? [])];
    const webhooks = definitions([
      ...operators.flatMap((operator) => operator.webhooks),
      ...(options.webhooks ?? []),
    ]);
    const { names } = clients ?? {};
    this.#options = options;
    this.#clock = clock;
    this.uses = "uses" in options.certificate ? options.certificate.uses : [];
    this.#certificate = checked(options, clock);
    this.#handler = webhookHandler({
      webhooks,
      conversions,
      accepts: ({ certificate }: Peer) =>
        clients === undefined ||
        certificate !== undefined && (names?.includes(certificate.commonName) ?? true),
      client: options.client,
      metrics: options.metrics,
      clock,
    });
    const paths = webhooks.flatMap(({ registrations }) => registrations.map(({ path }) => path));
    this.paths = [...paths, ...(conversions.length > 0 ? [CONVERT_PATH] : [])];
  }

  get port(): number | undefined {
    return this.#server?.port;
  }

  async setUp(signal: AbortSignal): Promise<void> {
    if (this.#stage !== "new") throw new Error(`Cannot set up the ${this.name} twice`);
    this.#stage = "setUp";
    const pair = await this.#certificate.load(signal);
    signal.throwIfAborted();
    const server = await this.#listen(pair);
    if (signal.aborted || this.#stage !== "setUp") {
      await server.stop({ graceMs: 0 });
      signal.throwIfAborted();
      throw new Error(`The ${this.name} was disposed while it was set up`);
    }
    this.#server = server;
    this.#watch = this.#certificate.watch((next) => server.replaceCertificate(next));
    logger.info("The {name} listens on {url}", { name: this.name, url: server.url });
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#stage === "new") await this.setUp(signal);
    if (this.#stage !== "setUp") throw new Error(`Cannot run the ${this.name}: it was stopped`);
    await aborted(signal);
    await this.#stop(STOP_GRACE_MS);
  }

  async check(signal: AbortSignal): Promise<string | undefined> {
    const server = this.#server;
    if (!server || this.#stage !== "setUp") return "it does not listen";
    const problem = this.#certificate.problem?.();
    if (problem !== undefined) return problem;
    try {
      return void await handshake(server, signal);
    } catch (error) {
      return `a TLS handshake with it failed: ${errorText(error)}`;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop(0);
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stage = "stopped";
    this.#watch?.[Symbol.dispose]();
    await this.#server?.stop({ graceMs });
  }

  async #listen(certificate: ServerCertificate): Promise<HttpsServer> {
    const { hostname = "", port = WEBHOOK_PORT, clients, limits } = this.#options;
    // A program whose operator has no webhooks saves the memory of the modules that serve HTTP.
    const { HttpsServer, PlainHandler } = await import("@xca/apimachinery/serving");
    const open = (address: string): Promise<HttpsServer> =>
      HttpsServer.listen({
        handler: new PlainHandler(this.#handler),
        certificate,
        hostname: address,
        port,
        limits: { ...LIMITS, ...limits },
        ...(clients && { clientCa: clients.ca }),
        refuse: refusalResponse,
        clock: this.#clock,
        onError: (error) =>
          logger.error("The {name} cannot answer: {reason}", {
            name: this.name,
            reason: errorText(error),
            error,
          }),
      });
    try {
      if (hostname !== "") return await open(hostname);
      // A machine without IPv6 has no address `::`.
      return await open("::").catch((error) => {
        if (["EAFNOSUPPORT", "EADDRNOTAVAIL"].includes(codeOf(error))) return open("0.0.0.0");
        throw error;
      });
    } catch (error) {
      const address = `${hostname}:${port}`;
      const reason = listenFailure(error, "choose another hostname or port");
      throw new Error(`Cannot serve webhooks on ${address}: ${reason}`, { cause: error });
    }
  }
}

/**
 * Returns the certificate of a webhook server; the certificates of a source are checked before they
 * are used.
 */
function checked(
  { certificate, certificateMetrics: metrics }: WebhookServerOptions,
  clock: Clock,
): ServingCertificate {
  if (!("offers" in certificate)) return certificate;
  return new CheckedCertificate(certificate, { server: "webhooks", metrics, clock });
}

/**
 * Returns the webhooks of a server with their handler functions.
 *
 * @throws {TypeError} When a webhook has registrations and no functions, since `webhookFor` did not
 * create it.
 */
function definitions(webhooks: readonly OperatorWebhook[]): readonly WebhookDefinition[] {
  const all = webhooks as readonly WebhookDefinition[];
  for (const { type, registrations, defaulting, validating } of all) {
    if (defaulting || validating || registrations.length === 0) continue;
    throw new TypeError(
      `Cannot serve the webhooks for ${type.kind}: they have no functions; make them by webhookFor()`,
    );
  }
  return all;
}

/**
 * Makes a TLS handshake with a server of this process, and closes the connection.
 *
 * @throws {unknown} The error of the connection, or the reason of the signal when it is aborted
 * before.
 */
async function handshake(server: HttpsServer, signal: AbortSignal): Promise<void> {
  const { hostname } = new URL(server.url);
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const host = address === "::" ? "::1" : address === "0.0.0.0" ? "127.0.0.1" : address;
  // This check covers only that the server presents the certificate: clients decide on trust.
  const socket = connect({ host, port: server.port, rejectUnauthorized: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("secureConnect", () => resolve());
  socket.on("error", reject);
  try {
    await beforeAbort(promise, signal);
  } finally {
    socket.destroy();
  }
}

/** Returns a promise that resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
