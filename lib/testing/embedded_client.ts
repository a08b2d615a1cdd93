import type { Clock, Random } from "@xca/apimachinery/base";
import type { Client } from "../client/typed/client.ts";
import { type ClientOptions, createClient } from "../client/create_client.ts";
import { ConfigError } from "../client/config/config.ts";
import type { Fetch } from "../client/transport/fetch.ts";

/** The interface of an API server in this process: an `ApiServer`, or a test's wrapper of one. */
export interface InProcessServer {
  /** The clock of the API server. @default {systemClock} */
  readonly clock?: Clock;
  /** The random number source of the API server. @default {systemRandom} */
  readonly random?: Random | undefined;
  /**
   * Returns the response of the API server to an HTTP request, which has the rights of an
   * administrator unless its headers have credentials or impersonate a user.
   */
  fetch(request: Request): Promise<Response>;
}

/** Options of {@linkcode clientOf}, which creates a client of an embedded API server. */
export interface ClientOfOptions extends Omit<ClientOptions, "fetch" | "dial"> {
  /** The user that the client impersonates. @default {the administrator} */
  readonly user?: string;
  /**
   * The groups of the user that the client impersonates, to which the server adds
   * `system:authenticated`; requires `user`.
   *
   * @default {[]}
   */
  readonly groups?: readonly string[];
  /**
   * The namespace in which the client creates and applies an object if neither the object nor the
   * call names one; other calls do not use it.
   *
   * @default {"default"}
   */
  readonly namespace?: string;
  /**
   * Returns the fetch function that the client uses, from the one that calls the server, for
   * instance with {@linkcode withFault}.
   *
   * @default {nothing}
   */
  readonly through?: (fetch: Fetch) => Fetch;
}

/**
 * Returns a client of an API server in this process, whose calls use no network. The caller closes
 * the client, which leaves the server running. Unless the options differ, the client uses the clock
 * and the random number source of the server.
 *
 * @throws {ConfigError} When `groups` is given without `user`, or another option is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
 * using jane = clientOf(server, { user: "jane" });
 * await assert.rejects(jane.get(ConfigMap, "default/a"), /User "jane" cannot get/);
 * ```
 */
export function clientOf(server: InProcessServer, options: ClientOfOptions = {}): Client {
  const { user, groups, namespace, through, ...rest } = options;
  if (groups !== undefined && user === undefined) {
    throw new ConfigError(
      `Cannot make a client with the groups ${JSON.stringify(groups)} without a user: ` +
        "the client would have the rights of an administrator; give user too",
    );
  }
  const { clock, random } = server;
  const fetch: Fetch = (request) => server.fetch(request);
  const config = {
    server: "https://embedded.invalid",
    source: "the API server of this process",
    ...(namespace !== undefined && { namespace }),
    ...(user !== undefined && { impersonate: { user, ...(groups && { groups }) } }),
  };
  const clocks = { ...(clock && { clock }), ...(random && { random }) };
  return createClient(config, { ...clocks, ...rest, fetch: through ? through(fetch) : fetch });
}
