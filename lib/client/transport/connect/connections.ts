import type { Agent } from "node:http";
import type { Clock } from "@xca/apimachinery/base";
import { ConnectionPool } from "../http1/connection_pool.ts";
import type { Route } from "./route.ts";
import type { TlsOptions } from "./tls_options.ts";

/** The connections to a cluster with one set of TLS options. */
export class Connections implements Disposable {
  /** The pool of HTTP connections to the cluster. */
  readonly http: ConnectionPool;
  /** The TLS options of the connections; `undefined` for plain HTTP. */
  readonly tls: TlsOptions | undefined;
  readonly #route: Route;
  #sockets: Promise<Agent> | undefined;
  #agent: Agent | undefined;

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
    return Object.values(this.#agent?.sockets ?? {}).reduce(
      (sum, sockets) => sum + (sockets?.length ?? 0),
      this.http.open,
    );
  }

  /** Returns the agent of `node:http` that opens a connection for each WebSocket. */
  sockets(): Promise<Agent> {
    return this.#sockets ??= this.#route.agent(this.tls).then((agent) => this.#agent = agent);
  }

  /** Closes all connections to the cluster. */
  [Symbol.dispose](): void {
    this.http[Symbol.dispose]();
    this.#agent?.destroy();
  }
}
