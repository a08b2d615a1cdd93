import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { getLogger } from "@logtape/logtape";
import { type Clock, systemClock } from "../base/clock.ts";
import { type ClientConfig, ConfigError } from "./config.ts";
import type { Fetch } from "./fetch.ts";
import { headerPairsOf } from "./header_pairs.ts";
import { toResponse } from "./node_response.ts";
import { type TlsOptions, tlsOptions } from "./tls_options.ts";

const logger = getLogger(["xca", "client", "transport"]);

/** An idle connection is closed before the server (90 s) or a balancer (60 s and more) may do it. */
const KEEP_IDLE_MS = 30_000;
/** How many idle connections are kept. */
const MAX_IDLE = 16;
/** When TCP begins to ask a silent peer whether it lives. */
const KEEPALIVE_MS = 30_000;

/** Address, connection and TLS together may take so long; client-go gives them 30 and 10 s. */
const CONNECT_MS = 30_000;

/** The network, bound to one cluster. Disposing it closes its connections. */
export interface Transport extends Disposable {
  /** Sends requests to that cluster: its roots, its client certificate. */
  readonly fetch: Fetch;
  /** How many sockets are open, idle ones included. */
  readonly openSockets: number;
}

/**
 * Opens the way to a cluster: HTTP/1.1, the cluster's certificate authority as the only root
 * trusted, its client certificate shown. Calls share a pool of connections; a watch gets a
 * connection of its own, so that it never begins on one that died in the pool.
 *
 * Redirects are not followed, answers not decompressed, credentials not added: that is up to the
 * caller.
 *
 * @throws {ConfigError} When the configuration asks for what it cannot do yet (a proxy).
 *
 * @example
 * ```ts ignore
 * using transport = createTransport(config);
 * using client = createClient(config, {
 *   fetch: (request) => {
 *     console.log(request.method, request.url);
 *     return transport.fetch(request);
 *   },
 * });
 * ```
 */
export function createTransport(
  config: ClientConfig,
  options: { readonly clock?: Clock } = {},
): Transport {
  if (config.proxyUrl) {
    throw new ConfigError(
      `Cannot connect to ${config.server} through proxy-url ${config.proxyUrl}` +
        `${config.source ? ` (from ${config.source})` : ""}: proxies are not supported yet; ` +
        `remove proxy-url, or reach the server directly`,
    );
  }
  if (config.tls?.insecureSkipVerify) {
    logger.warn(
      "INSECURE: the certificate of {server} is not verified; whoever sits in between can read and " +
        "change everything, credentials included",
      { server: config.server },
    );
  }
  const { clock = systemClock } = options;
  return new NodeTransport(config.server, tlsOptions(config.tls ?? {}), clock);
}

class NodeTransport implements Transport {
  readonly #secure: boolean;
  readonly #calls: http.Agent;
  readonly #watches: http.Agent;
  readonly #clock: Clock;
  #closed = false;

  constructor(server: string, tls: TlsOptions, clock: Clock) {
    this.#clock = clock;
    this.#secure = new URL(server).protocol === "https:";
    const { Agent } = this.#secure ? https : http;
    const shared = { ...(this.#secure ? tls : {}), keepAliveMsecs: KEEPALIVE_MS };
    this.#calls = new Agent({
      ...shared,
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: KEEP_IDLE_MS,
      scheduling: "lifo",
    });
    this.#watches = new Agent({ ...shared, keepAlive: false });
  }

  get openSockets(): number {
    return [this.#calls, this.#watches].reduce(
      (sum, agent) => sum + count(agent.sockets) + count(agent.freeSockets),
      0,
    );
  }

  readonly fetch: Fetch = async (request) => {
    request.signal.throwIfAborted();
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    request.signal.throwIfAborted();
    if (this.#closed) throw new TypeError("the client is closed");
    return await this.#send(request, body);
  };

  #send(request: Request, body: Uint8Array | undefined): Promise<Response> {
    const { signal } = request;
    const url = new URL(request.url);
    return new Promise((resolve, reject) => {
      const sent = this.#open(url, request, body);
      let message: IncomingMessage | undefined;
      const onAbort = (): void => {
        reject(signal.reason);
        if (!message) this.#dropIdle();
        (message ?? sent).destroy(asError(signal.reason));
      };
      const finish = (): void => signal.removeEventListener("abort", onAbort);
      signal.addEventListener("abort", onAbort);
      sent.on("socket", (socket) => this.#limitConnecting(socket));
      sent.on("error", reject);
      sent.on("close", finish);
      sent.on("response", (incoming) => {
        message = incoming;
        try {
          resolve(toResponse(incoming));
        } catch (error) {
          reject(error);
        }
      });
      sent.end(body);
    });
  }

  #open(url: URL, request: Request, body: Uint8Array | undefined): ClientRequest {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of headerPairsOf(request)) (headers[name] ??= []).push(value);
    if (body) headers["Content-Length"] = [String(body.byteLength)];
    return (this.#secure ? https : http).request(url, {
      method: request.method,
      headers,
      agent: url.searchParams.has("watch") ? this.#watches : this.#calls,
    });
  }

  #limitConnecting(socket: Socket): void {
    if (!socket.connecting) return;
    const timer = this.#clock.after(CONNECT_MS, () => {
      const error = new Error(`no connection within ${CONNECT_MS} ms`);
      socket.destroy(Object.assign(error, { code: "ECONNTIMEOUT" }));
    });
    const stop = (): void => timer[Symbol.dispose]();
    socket.once(this.#secure ? "secureConnect" : "connect", stop);
    socket.once("close", stop);
  }

  /** A call without an answer may have sat on a dead connection; then its neighbours are dead too. */
  #dropIdle(): void {
    for (const sockets of Object.values(this.#calls.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#calls.destroy();
    this.#watches.destroy();
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function count(sockets: NodeJS.ReadOnlyDict<unknown[]>): number {
  return Object.values(sockets).reduce((sum, each) => sum + (each?.length ?? 0), 0);
}
