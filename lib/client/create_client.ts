import {
  type Clock,
  type Host,
  type Random,
  systemClock,
  systemHost,
} from "@xca/apimachinery/base";
import { TimeoutQueue } from "@xca/apimachinery/internal/base";
import type { Client } from "./typed/client.ts";
import type { ClientConfig } from "./config/config.ts";
import { checkServerUrl } from "./config/server_url.ts";
import type { ClientMetrics } from "./calls/client_metrics.ts";
import { createCredentials } from "./credentials/create_credentials.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { Dial } from "./transport/dial.ts";
import type { Fetch } from "./transport/fetch.ts";
import type { RateLimit } from "./calls/request_limiter.ts";
import { DEFAULT_DEADLINE_MS, HttpCalls } from "./calls/http_calls.ts";
import { openTransport, type Transport } from "./transport/transport.ts";
import { sendBy } from "./transport/send.ts";
import { TypedClient } from "./typed/typed_client.ts";
import type { OnWarning } from "./calls/warnings.ts";

/** Options of {@linkcode createClient}, which creates a client of an API server. */
export interface ClientOptions {
  /**
   * The fetch function that sends the client's HTTP requests. The function must connect to the
   * configured server, with TLS: the `tls` and `proxyUrl` of the configuration are not applied to
   * its connections. The requests that the function receives contain the credentials.
   *
   * @default {createTransport(config).fetch}, closed with the client
   */
  readonly fetch?: Fetch | undefined;
  /**
   * The function that opens the client's WebSockets (exec, attach, port-forward).
   * @default {createTransport(config).dial}; none when `fetch` is given: opening a WebSocket then
   * rejects with a TypeError
   */
  readonly dial?: Dial | undefined;
  /**
   * The rate limit of the client's requests, retries and starts of watches included. Servers
   * protect themselves by priority and fairness: the client retries a refused request after the
   * time that the server demands, and limits the rate of all its retries together. A limit is
   * useful for servers without priority and fairness, or to leave capacity for other clients.
   * @default no limit (kubectl: 50, burst 300; client-go: 5, burst 10)
   */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * The source of the credentials that the client sends. Credentials that the caller passes are not
   * disposed with the client.
   *
   * @default {createCredentials(config)}
   */
  readonly credentials?: Credentials | undefined;
  /**
   * The interface to the operating system, by which the client reads token and certificate files,
   * and runs credential plugins.
   *
   * @default {systemHost}
   */
  readonly host?: Pick<Host, "readFile" | "run" | "isTerminal"> | undefined;
  /** The clock for the client's deadlines and waits. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /**
   * The random number source for the jitter of the client's retries.
   *
   * @default {systemRandom}
   */
  readonly random?: Random | undefined;
  /**
   * The callback that receives the texts of the server's `Warning` headers, each text once per HTTP
   * method and resource.
   *
   * @default writes them to the log
   */
  readonly onWarning?: OnWarning | undefined;
  /**
   * Sets whether the client logs a warning that the server's certificate is not verified
   * (`ClientConfig.tls.insecureSkipVerify`). `false` is for a server that is reached through a
   * connection that is authenticated otherwise, such as a port-forward of the API server.
   *
   * @default {true}
   */
  readonly warnsOfInsecure?: boolean | undefined;
  /** The provider of the metrics of the client's requests. @default none */
  readonly metrics?: ClientMetrics | undefined;
}

/**
 * Creates a client of an API server. The client connects at the first call. The caller disposes the
 * client, which closes its connections and aborts calls in flight.
 *
 * @throws {ConfigError} When the URL of the server or of the proxy, the credentials or the
 * impersonation are invalid. Files are read, and certificates used, at the first call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient } from "@xca/operator/client";
 * import { Namespace } from "@xca/operator/meta";
 *
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: () => Promise.resolve(Response.json({ metadata: { name: "default" } })),
 * });
 * const namespace = await client.get(Namespace, "default");
 * assert(namespace.kind === "Namespace");
 * ```
 */
export function createClient(config: ClientConfig, options: ClientOptions = {}): Client {
  checkServerUrl(config);
  const { clock = systemClock, host = systemHost, random, onWarning, warnsOfInsecure } = options;
  const given = options.credentials ?? createCredentials(config, { clock, host });
  const transport = options.fetch
    ? undefined
    : openTransport(config, { clock, host, credentials: given, warnsOfInsecure });
  const send = transport ? transport.send : sendBy(options.fetch!);
  const credentials = transport ? withFiles(given, transport) : given;
  const dial = options.dial ?? transport?.dial;
  const { rateLimit } = options;
  // A client with the caller's `fetch` needs no disposal, and has no queue, whose timer would outlive
  // the request.
  const deadlines = transport && new TimeoutQueue(clock, DEFAULT_DEADLINE_MS);
  const rest = new HttpCalls(config, {
    send,
    dial,
    rateLimit,
    credentials,
    clock,
    random,
    onWarning,
    metrics: options.metrics,
    deadlines,
  });
  const network: Disposable = {
    [Symbol.dispose]() {
      if (!options.credentials) given[Symbol.dispose]?.();
      transport?.[Symbol.dispose]();
      deadlines?.[Symbol.dispose]();
    },
  };
  return new TypedClient(config, { rest, clock, network });
}

/**
 * Returns credentials that wrap the given credentials: when these have nothing newer after a 401
 * response, the transport reads the certificate files again, and a retry is due if the content of
 * any of them has changed.
 */
function withFiles(credentials: Credentials, transport: Transport): Credentials {
  return {
    headers: () => credentials.headers(),
    onUnauthorized: async (sent) =>
      await credentials.onUnauthorized(sent) || await transport.refresh(),
  };
}
