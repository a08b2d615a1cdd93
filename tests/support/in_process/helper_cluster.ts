/**
 * An embedded API server for tests of the functions that reconcilers call, with the requests that a
 * client sends to it.
 *
 * @module
 */
import { ApiServer, clientOf } from "../../../lib/testing/mod.ts";
import type { Client } from "../../../lib/client/typed/client.ts";

export type { Client };

/** An API server, and a client whose requests are recorded. */
export interface HelperCluster {
  /** The server. */
  readonly server: ApiServer;
  /** The client. */
  readonly client: Client;
  /** The requests of the client, as method and path. */
  readonly requests: string[];
}

/** Registers a test that gets a server of its own. */
export async function withCluster(
  test: (cluster: HelperCluster) => Promise<void>,
): Promise<void> {
  using server = await ApiServer.start();
  const requests: string[] = [];
  using client = clientOfCluster(server, ({ method, url }) => {
    requests.push(`${method} ${new URL(url).pathname}`);
    return undefined;
  });
  await test({ server, client, requests });
}

/**
 * Returns a client whose requests pass through a function, which may respond in the server's place.
 */
export function clientOfCluster(
  server: ApiServer,
  intercept: (request: Request) => Response | undefined | Promise<Response | undefined>,
): Client {
  return clientOf(server, {
    through: (fetch) => async (request) => await intercept(request) ?? await fetch(request),
  });
}
