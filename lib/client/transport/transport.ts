import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { getLogger } from "@logtape/logtape";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Host, systemHost } from "../../base/host.ts";
import type { AgentPair } from "./agent_pair.ts";
import { ChangingAgents } from "./changing_agents.ts";
import type { ClientConfig } from "../config/config.ts";
import { createCredentials } from "../credentials/create_credentials.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { Dial } from "./dial.ts";
import type { Fetch } from "./fetch.ts";
import { headerPairsOf } from "./header_pairs.ts";
import { arrivedResponse, toResponse } from "./node_response.ts";
import { isDistrust, withCertificate } from "./presented_certificate.ts";
import { Route } from "./route.ts";
import { createTlsSource } from "./tls_source.ts";
import { wsDial } from "./ws_dial.ts";

const logger = getLogger(["xca", "client", "transport"]);

/** Address, connection and TLS together may take so long; client-go gives them 30 and 10 s. */
const CONNECT_MS = 30_000;

/** The network, bound to one cluster. Disposing it closes its connections. */
export interface Transport extends Disposable {
  /** Sends requests to that cluster: its roots, its client certificate. */
  readonly fetch: Fetch;
  /** Opens WebSockets to that cluster, by the same rules, each on a connection of its own. */
  readonly dial: Dial;
  /** How many sockets are open, idle ones included. */
  readonly openSockets: number;
  /** Reads the configuration's certificate files at once, and tells whether they changed. */
  refresh(): Promise<boolean>;
}

/** Options of {@linkcode createTransport}. */
export interface TransportOptions {
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Reads certificate files. @default {systemHost} */
  readonly host?: Pick<Host, "readFile" | "run" | "isTerminal"> | undefined;
  /**
   * Where a client certificate may come from: those of the client, so that a credential plugin runs
   * once for both. @default {createCredentials(config)}
   */
  readonly credentials?: Credentials | undefined;
}

/**
 * Opens the way to a cluster: HTTP/1.1, the cluster's certificate authority as the only root
 * trusted, its client certificate shown, through the proxy that the configuration names. Calls share
 * a pool of connections; a watch gets a connection of its own, so that it never begins on one that
 * died in the pool.
 *
 * Reads are asked for compressed, and come decompressed, unless the configuration says otherwise.
 * Redirects are not followed, credentials not added: that is up to the caller.
 *
 * @throws {ConfigError} When the proxy's URL is none.
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
  options: TransportOptions = {},
): Transport {
  if (config.tls?.insecureSkipVerify) {
    logger.warn(
      "INSECURE: the certificate of {server} is not verified; whoever sits in between can read and " +
        "change everything, credentials included",
      { server: config.server },
    );
  }
  const { clock = systemClock, host = systemHost } = options;
  const credentials = options.credentials ??
    (config.credentials?.exec ? createCredentials(config, { clock, host }) : undefined);
  const route = new Route(config, { clock });
  const secure = new URL(config.server).protocol === "https:";
  const source = secure ? createTlsSource(config, { clock, host, credentials }) : undefined;
  return new NodeTransport(new ChangingAgents(route, source), {
    route,
    secure,
    clock,
    compresses: !config.disableCompression,
  });
}

class NodeTransport implements Transport {
  readonly #secure: boolean;
  readonly #compresses: boolean;
  readonly dial: Dial;
  readonly #agents: ChangingAgents;
  readonly #route: Route;
  readonly #clock: Clock;
  #closed = false;

  constructor(
    agents: ChangingAgents,
    { route, secure, clock, compresses }: {
      readonly route: Route;
      readonly secure: boolean;
      readonly clock: Clock;
      readonly compresses: boolean;
    },
  ) {
    this.#agents = agents;
    this.#route = route;
    this.#secure = secure;
    this.#compresses = compresses;
    this.#clock = clock;
    this.dial = wsDial(async () => (await agents.now()).sockets, { clock });
  }

  get openSockets(): number {
    return this.#agents.openSockets;
  }

  refresh(): Promise<boolean> {
    return this.#agents.refresh();
  }

  readonly fetch: Fetch = async (request) => {
    request.signal.throwIfAborted();
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    request.signal.throwIfAborted();
    const now = this.#agents.now();
    const agents = now instanceof Promise ? await now : now;
    request.signal.throwIfAborted();
    if (this.#closed) throw new TypeError("the client is closed");
    return await this.#send(request, body, agents);
  };

  #send(request: Request, body: Uint8Array | undefined, agents: AgentPair): Promise<Response> {
    const { signal } = request;
    const url = new URL(request.url);
    return new Promise((resolve, reject) => {
      const sent = this.#open(url, request, { body, agents });
      let message: IncomingMessage | undefined;
      const onAbort = (): void => {
        reject(signal.reason);
        // A call without an answer may have sat on a dead connection; then its neighbours are dead too.
        if (!message) this.#agents.dropIdle();
        (message ?? sent).destroy(asError(signal.reason));
      };
      const finish = (): void => signal.removeEventListener("abort", onAbort);
      signal.addEventListener("abort", onAbort);
      sent.on("socket", (socket) => this.#limitConnecting(socket));
      sent.on("error", (error) => {
        this.#agents.note(error);
        void this.#explained(error, url, agents).then(reject);
      });
      sent.on("close", finish);
      sent.on("response", (incoming) => {
        message = incoming;
        // After the bytes that came with the headers: then a small body is whole.
        queueMicrotask(() => {
          try {
            resolve(arrivedResponse(incoming) ?? toResponse(incoming));
          } catch (error) {
            reject(error);
          }
        });
      });
      sent.end(body);
    });
  }

  #open(
    url: URL,
    request: Request,
    { body, agents }: { readonly body: Uint8Array | undefined; readonly agents: AgentPair },
  ): ClientRequest {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of headerPairsOf(request)) (headers[name] ??= []).push(value);
    const watches = url.searchParams.has("watch");
    if (this.#compresses && request.method === "GET" && !watches) {
      headers["Accept-Encoding"] ??= ["gzip"];
    }
    if (body) headers["Content-Length"] = [String(body.byteLength)];
    const way = this.#route.requestOptions(url, request.signal);
    return (this.#secure ? https : http).request(url, {
      ...way,
      method: request.method,
      headers: { ...headers, ...way.headers },
      agent: watches ? agents.watches : agents.calls,
    });
  }

  /** An error that says of a certificate that was not trusted what it was. */
  async #explained(error: Error, url: URL, { tls }: AgentPair): Promise<Error> {
    if (!tls || !isDistrust(error) || this.#closed) return error;
    const certificate = await this.#route.certificateOf(url, tls);
    return certificate ? withCertificate(error, certificate, this.#clock.now()) : error;
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

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#agents[Symbol.dispose]();
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
