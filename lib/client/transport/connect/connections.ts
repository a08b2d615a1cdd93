import type { Agent } from "node:http";
import type { Clock } from "@xca/apimachinery/base";
import { ConnectionPool } from "../http1/connection_pool.ts";
import type { Wire } from "../http1/wire.ts";
import type { Route } from "./route.ts";
import type { TlsOptions } from "./tls_options.ts";

/** The connections to a cluster with one set of TLS options. */
export class Connections implements Disposable {
  /** The pool of HTTP connections to the cluster. */
  readonly http: ConnectionPool;
  /** The TLS options of the connections; `undefined` for a route without TLS. */
  readonly tls: TlsOptions | undefined;
  readonly #route: Route;
  #agent: Promise<Agent> | undefined;
  /** The number of connections for WebSockets that are being opened. */
  #opening = 0;
  /** The open connections of WebSockets. */
  readonly #open = new Set<Wire["stream"]>();
  #isClosed = false;

  constructor(
    route: Route,
    { tls, clock }: { readonly tls: TlsOptions | undefined; readonly clock: Clock },
  ) {
    this.#route = route;
    this.tls = tls;
    this.http = new ConnectionPool({
      connect: (signal) => route.connect(tls, signal),
      clock,
      livenessTarget: route.livenessTarget,
    });
  }

  /** The number of sockets to the cluster, including idle ones and those being opened. */
  get openSockets(): number {
    return this.http.open + this.#opening + this.#open.size;
  }

  /** Returns the agent of `node:http` that opens a connection for each WebSocket. */
  sockets(): Promise<Agent> {
    return this.#agent ??= this.#route.agent(this.tls, (connection) => void this.#keep(connection));
  }

  /** Keeps the connection of a WebSocket, which the agent forgets, until the connection closes. */
  async #keep(connection: Promise<Wire>): Promise<void> {
    this.#opening++;
    try {
      const { stream } = await connection;
      if (this.#isClosed) return void stream.destroy();
      this.#open.add(stream);
      stream.once("close", () => this.#open.delete(stream));
    } catch {
      // The agent reports the failure to the caller.
    } finally {
      this.#opening--;
    }
  }

  /** Closes all connections to the cluster, including those of open WebSockets. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.http[Symbol.dispose]();
    for (const stream of this.#open) stream.destroy();
  }
}
