import { type Clock, systemClock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import type { Client } from "./client.ts";
import type { ClientConfig } from "./config.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import type { Fetch } from "./fetch.ts";
import { RestClient } from "./rest_client.ts";
import { createTransport, type Transport } from "./transport.ts";
import { TypedClient } from "./typed_client.ts";
import type { OnWarning } from "./warnings.ts";

/** Options for {@linkcode createClient}. */
export interface ClientOptions {
  /**
   * The network. It must reach the configured server, and do the TLS of it; credentials are in the
   * requests that it gets. @default {createTransport(config).fetch}, closed with the client
   */
  readonly fetch?: Fetch | undefined;
  /** What proves us. @default {createCredentials(config)} */
  readonly credentials?: Credentials | undefined;
  /** Where time comes from: deadlines, waits between tries. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random | undefined;
  /** Who hears of the server's `Warning` headers, once of each text. @default a log record */
  readonly onWarning?: OnWarning | undefined;
}

/**
 * Makes a client of one API server. It connects at the first call.
 *
 * @throws {ConfigError} When the configuration cannot be used.
 *
 * @example
 * ```ts
 * import { createClient } from "@xca/operator/client";
 * import { Namespace } from "@xca/operator/meta";
 *
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: () => Promise.resolve(Response.json({ metadata: { name: "default" } })),
 * });
 * const namespace = await client.get(Namespace, "default");
 * console.assert(namespace.kind === "Namespace");
 * ```
 */
export function createClient(config: ClientConfig, options: ClientOptions = {}): Client {
  const { clock = systemClock, random, onWarning } = options;
  const credentials = options.credentials ?? createCredentials(config, { clock });
  const network: Transport | undefined = options.fetch
    ? undefined
    : createTransport(config, { clock });
  const fetch = options.fetch ?? network!.fetch;
  const rest = new RestClient(config, { fetch, credentials, clock, random, onWarning });
  return new TypedClient(config, { rest, clock, ...(network ? { network } : {}) });
}
