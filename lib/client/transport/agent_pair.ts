import type http from "node:http";
import type { Route } from "./route.ts";
import type { TlsOptions } from "./tls_options.ts";

/** An idle connection is closed before the server (90 s) or a balancer (60 s and more) may do it. */
const KEEP_IDLE_MS = 30_000;
/** How many idle connections are kept. */
const MAX_IDLE = 16;
/** When TCP begins to ask a silent peer whether it lives. */
const KEEPALIVE_MS = 30_000;

/** The connections made with one TLS material: a pool for calls, and one of its own for each watch. */
export class AgentPair implements Disposable {
  /** Keeps its connections for later calls. */
  readonly calls: http.Agent;
  /** Makes a connection for each request. */
  readonly watches: http.Agent;
  /** Makes a connection for each WebSocket. */
  readonly sockets: http.Agent;

  /** How they speak TLS. */
  readonly tls: TlsOptions | undefined;

  /** They take the given way. Without `tls` they speak plain HTTP. */
  constructor(route: Route, tls: TlsOptions | undefined) {
    this.tls = tls;
    this.calls = route.agent(tls, {
      keepAliveMsecs: KEEPALIVE_MS,
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: KEEP_IDLE_MS,
      scheduling: "lifo",
    });
    const single = { keepAliveMsecs: KEEPALIVE_MS, keepAlive: false };
    this.watches = route.agent(tls, single);
    this.sockets = route.agent(tls, single, { tunnel: true });
  }

  /** How many sockets are open, idle ones included. */
  get openSockets(): number {
    return [this.calls, this.watches, this.sockets].reduce(
      (sum, agent) => sum + count(agent.sockets) + count(agent.freeSockets),
      0,
    );
  }

  /** Closes the idle connections. */
  dropIdle(): void {
    for (const sockets of Object.values(this.calls.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Closes the idle connections now, and each other as soon as its call is over. */
  retire(): void {
    this.calls.maxFreeSockets = 0;
    this.dropIdle();
  }

  /** Closes all connections. */
  [Symbol.dispose](): void {
    this.calls.destroy();
    this.watches.destroy();
    this.sockets.destroy();
  }
}

function count(sockets: NodeJS.ReadOnlyDict<unknown[]>): number {
  return Object.values(sockets).reduce((sum, each) => sum + (each?.length ?? 0), 0);
}
