import { getLogger } from "@logtape/logtape";
import { type Clock, type Host, systemClock, systemHost } from "@xca/apimachinery/base";
import { beforeAbort } from "@xca/apimachinery/internal/base";
import { type Answer, responseOf } from "./answer.ts";
import { asksToWatch } from "./asks_to_watch.ts";
import { ChangingConnections } from "./connect/changing_connections.ts";
import type { ClientConfig } from "../config/config.ts";
import { checkServerUrl } from "../config/server_url.ts";
import type { Connections } from "./connect/connections.ts";
import { createCredentials } from "../credentials/create_credentials.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { Dial } from "./dial.ts";
import type { Fetch } from "./fetch.ts";
import type { HeaderPair } from "./http1/header_pair.ts";
import { headerPairsOf } from "./header_pairs.ts";
import { BodyQueue } from "./http1/body_queue.ts";
import type { HttpAnswer, HttpRequest } from "./http1/connection.ts";
import { answerFrom } from "./http_answer.ts";
import { isDistrust, withCertificate } from "./connect/presented_certificate.ts";
import type { RequestUrl } from "./connect/request_url.ts";
import { Route } from "./connect/route.ts";
import type { Outgoing, Send } from "./send.ts";
import { createTlsSource } from "./connect/tls_source.ts";
import { wsDial } from "./ws_dial.ts";

const logger = getLogger(["xca", "client", "transport"]);
const encoder = new TextEncoder();

/**
 * The names, in lower case, of headers that the transport removes from requests. The transport sets
 * `Content-Length` and `Connection` itself.
 */
const OURS: ReadonlySet<string> = new Set([
  ...["content-length", "transfer-encoding", "connection", "expect"],
]);

/** The network connections of a client to one cluster. Disposing it closes its connections. */
export interface Transport extends Disposable {
  /** The function that sends HTTP requests with the TLS settings of the cluster. */
  readonly fetch: Fetch;
  /**
   * The function that opens WebSockets with the TLS settings of the cluster, each on a separate
   * connection.
   */
  readonly dial: Dial;
  /** The number of the transport's sockets, including idle ones and those being opened. */
  readonly openSockets: number;
  /**
   * Reads the certificate files of the client configuration without waiting for the next scheduled
   * read; reports whether the content of any of them changed since the last read. False for the
   * first read, and without such files.
   */
  refresh(): Promise<boolean>;
}

/** Options of {@linkcode createTransport}, which creates the network connections of a client. */
export type TransportOptions = NonNullable<Parameters<typeof createTransport>[1]>;

/**
 * Creates the transport of a cluster: HTTP/1.1, with the certificate authorities of the cluster as
 * the only trusted roots (if none are configured, the default roots of the runtime), its client
 * certificate, and the proxy of the configuration. Calls share a pool of connections; a watch (a
 * request whose query parameter `watch` is true for the API server: any value but `false` and `0`)
 * has a separate connection, so that it never begins on a broken connection of the pool.
 *
 * GET requests other than watches ask for gzip, unless the configuration disables that or the
 * request has an `Accept-Encoding` of its own; responses arrive decompressed. The caller follows
 * redirects and adds credentials.
 *
 * @throws {ConfigError} When the URL of the server or of the proxy is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, createTransport } from "@xca/operator/client";
 * import { Namespace } from "@xca/operator/meta";
 * import { ScriptedServer } from "@xca/operator/testing";
 *
 * await using server = ScriptedServer.start((exchange) =>
 *   exchange.reply(200, { "content-type": "application/json" }, '{"metadata":{"name":"default"}}')
 * );
 * const config = { server: server.url };
 * using transport = createTransport(config);
 * const asked: string[] = [];
 * using client = createClient(config, {
 *   fetch: (request) => {
 *     asked.push(`${request.method} ${new URL(request.url).pathname}`);
 *     return transport.fetch(request);
 *   },
 * });
 * await client.get(Namespace, "default");
 * assert.deepEqual(asked, ["GET /api/v1/namespaces/default"]);
 * ```
 */
export function createTransport(
  config: ClientConfig,
  options: {
    /** The clock for the transport's timers. @default {systemClock} */
    readonly clock?: Clock | undefined;
    /**
     * The interface to the operating system that reads certificate files, and runs a credential
     * plugin without given `credentials`.
     *
     * @default {systemHost}
     */
    readonly host?: Pick<Host, "readFile" | "run" | "isTerminal"> | undefined;
    /**
     * The credentials that may have a client certificate. A client passes its own credentials, so
     * that a credential plugin runs once for both.
     *
     * @default {createCredentials(config)}, if a credential plugin is configured
     */
    readonly credentials?: Credentials | undefined;
    /**
     * Sets whether the transport logs a warning that the server's certificate is not verified, when
     * the configuration says so.
     *
     * @default {true}
     */
    readonly warnsOfInsecure?: boolean | undefined;
  } = {},
): Transport {
  checkServerUrl(config);
  return openTransport(config, options);
}

/**
 * Creates the transport of a client, which sends requests without the classes `Request` and
 * `Response`. The caller has checked the URL of the server. Logs a warning when the server's
 * certificate is not verified, unless `warnsOfInsecure` is false.
 *
 * @throws {ConfigError} When the URL of the proxy is invalid.
 */
export function openTransport(
  config: ClientConfig,
  options: TransportOptions = {},
): ClusterTransport {
  if (config.tls?.insecureSkipVerify && options.warnsOfInsecure !== false) {
    const { server, source } = config;
    const asked = `insecure-skip-tls-verify${source ? `; ${source}` : ""}`;
    logger.warn(
      "INSECURE: the certificate of {server} is not verified ({asked}); anyone on the network " +
        "path can read and change all data, credentials included",
      { server, asked },
    );
  }
  const { clock = systemClock, host = systemHost } = options;
  const credentials = options.credentials ??
    (config.credentials?.exec ? createCredentials(config, { clock, host }) : undefined);
  const route = new Route(config, { clock });
  const source = route.usesTls ? createTlsSource(config, { clock, host, credentials }) : undefined;
  return new ClusterTransport(new ChangingConnections(route, { source, clock }), {
    route,
    clock,
    compresses: !config.disableCompression,
  });
}

/**
 * The implementation of {@linkcode Transport}, with a method that sends the client's requests
 * without the `Request` class.
 */
export class ClusterTransport implements Transport {
  readonly #compresses: boolean;
  /** The function that opens a WebSocket to the cluster; see {@linkcode Transport.dial}. */
  readonly dial: Dial;
  readonly #connections: ChangingConnections;
  readonly #route: Route;
  readonly #clock: Clock;
  #closed = false;

  constructor(
    connections: ChangingConnections,
    { route, clock, compresses }: {
      readonly route: Route;
      readonly clock: Clock;
      readonly compresses: boolean;
    },
  ) {
    this.#connections = connections;
    this.#route = route;
    this.#compresses = compresses;
    this.#clock = clock;
    this.dial = wsDial(async () => await (await connections.now()).sockets(), { clock });
  }

  /** The number of the transport's open sockets; see {@linkcode Transport.openSockets}. */
  get openSockets(): number {
    return this.#connections.openSockets;
  }

  /**
   * Reads the certificate files again now; reports whether the content of any of them changed. See
   * {@linkcode Transport.refresh}.
   */
  refresh(): Promise<boolean> {
    return this.#connections.refresh();
  }

  /**
   * Sends an HTTP request to the cluster and returns the response, also one of an error status; see
   * {@linkcode Transport.fetch}.
   */
  readonly fetch: Fetch = async (request) => {
    const { method, url, signal } = request;
    signal.throwIfAborted();
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const headers = headerPairsOf(request);
    return responseOf(await this.send({ method, url, headers, body, signal }));
  };

  /** Sends an HTTP request of the client, without `Request` and `Response`. */
  readonly send: Send = (request) => this.#exchange(request);

  async #exchange(request: Outgoing): Promise<Answer> {
    const { signal } = request;
    signal.throwIfAborted();
    const now = this.#connections.now();
    const connections = now instanceof Promise ? await beforeAbort(now, signal) : now;
    signal.throwIfAborted();
    if (this.#closed) throw new TypeError("the client is closed");
    const url = this.#route.urlOf(request.url);
    const isWatch = url.query !== "" && asksToWatch(new URLSearchParams(url.query));
    try {
      const message = this.#message(request, url, isWatch);
      const { admit } = request;
      const { http } = connections;
      const answer = answerFrom(await this.#send(message, { signal, admit, http, isWatch }));
      return answer instanceof Promise ? await answer : answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof Error)) throw error;
      this.#connections.note(error);
      throw await beforeAbort(this.#explained(error, request.url, connections), signal);
    }
  }

  async #send(
    message: HttpRequest,
    { signal, admit, http, isWatch }: Pick<Outgoing, "signal" | "admit"> & {
      readonly http: Connections["http"];
      readonly isWatch: boolean;
    },
  ): Promise<HttpAnswer> {
    const taken = isWatch ? http.single(signal) : http.take(signal);
    const connection = taken instanceof Promise ? await taken : taken;
    let answer: HttpAnswer | undefined;
    const onAbort = (): void => {
      if (answer?.body instanceof BodyQueue) return answer.body.cancel(signal.reason);
      // A call without an answer may have used a dead connection; idle ones are then probably dead
      // too.
      if (!answer) this.#connections.dropIdle();
      connection.destroy(signal.reason);
    };
    const finish = (): void => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    try {
      admit?.();
      answer = await connection.send(message, admit);
      if (answer.body instanceof BodyQueue) answer.body.whenSettled(finish);
      else finish();
      return answer;
    } catch (error) {
      finish();
      connection.destroy();
      throw error;
    }
  }

  #message(
    { method, headers: own, body: text }: Outgoing,
    url: RequestUrl,
    isWatch: boolean,
  ): HttpRequest {
    const body = typeof text === "string" ? encoder.encode(text) : text;
    const { target, headers: forwarding } = this.#route.forwarding(url);
    const headers: HeaderPair[] = [];
    let hasHost = false;
    let hasEncoding = false;
    for (const pair of own) {
      const name = pair[0].toLowerCase();
      if (OURS.has(name)) continue;
      hasHost ||= name === "host";
      hasEncoding ||= name === "accept-encoding";
      headers.push(pair);
    }
    if (forwarding.length > 0) headers.push(...forwarding);
    if (!hasHost) headers.unshift(["Host", url.host]);
    if (this.#compresses && method === "GET" && !isWatch && !hasEncoding) {
      headers.push(["Accept-Encoding", "gzip"]);
    }
    if (body || method === "POST" || method === "PUT" || method === "PATCH") {
      headers.push(["Content-Length", String(body?.byteLength ?? 0)]);
    }
    headers.push(["Connection", isWatch ? "close" : "keep-alive"]);
    return { method, target, headers, body };
  }

  /**
   * Returns the error of a failed call. If it is a TLS error that says only that the certificate is
   * untrusted, the result is a new error with the details of the presented certificate.
   */
  async #explained(error: Error, url: string, { tls }: Connections): Promise<Error> {
    if (!tls || !isDistrust(error) || this.#closed) return error;
    const certificate = await this.#route.certificateOf(new URL(url), tls);
    return certificate ? withCertificate(error, certificate, this.#clock.now()) : error;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#connections[Symbol.dispose]();
  }
}
