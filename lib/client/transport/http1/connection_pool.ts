import type { Clock } from "@xca/apimachinery/base";
import { TimeoutQueue } from "@xca/apimachinery/internal/base";
import { abortSignalOf, type CallSignal } from "./call_abort.ts";
import { type ConnectionOwner, HttpConnection } from "./connection.ts";
import { Liveness } from "./liveness.ts";
import type { Wire } from "./wire.ts";

/**
 * The time after which the pool closes an idle HTTP connection, in milliseconds: before the server
 * (90 s) or a load balancer (60 s and more) closes it.
 */
const KEEP_IDLE_MS = 30_000;
/** The largest number of idle HTTP connections in a pool, which closes further ones. */
const MAX_IDLE = 16;

/** Options of the class {@linkcode ConnectionPool}, the HTTP connections to one server. */
export interface ConnectionPoolOptions {
  /** The function that opens a network connection to the server. */
  readonly connect: (signal: AbortSignal) => Promise<Wire>;
  /** The clock for the timers of idle connections and of the liveness checks. */
  readonly clock: Clock;
  /**
   * The request target of the liveness probe: a path, or a whole URL for a proxy.
   *
   * @default {"/version"}
   */
  readonly livenessTarget?: string;
}

/** The pool of HTTP connections to one server, in use or idle. */
export class ConnectionPool implements Disposable {
  readonly #connect: (signal: AbortSignal) => Promise<Wire>;
  readonly #idleTimeouts: TimeoutQueue;
  readonly #open = new Set<HttpConnection>();
  /**
   * The pool's idle connections in the order in which they became free, each with the timeout that
   * closes it.
   */
  readonly #idle = new Map<HttpConnection, Disposable>();
  readonly #liveness: Liveness;
  #keeps = MAX_IDLE;
  #making = 0;
  #closed = false;

  constructor({ connect, clock, livenessTarget = "/version" }: ConnectionPoolOptions) {
    this.#connect = connect;
    this.#idleTimeouts = new TimeoutQueue(clock, KEEP_IDLE_MS);
    this.#liveness = new Liveness({
      connect: (signal) => this.#make(signal, () => {}),
      target: livenessTarget,
      clock,
    });
  }

  /**
   * The number of connections of the pool that are open or being opened, idle ones and that of the
   * liveness probes included.
   */
  get open(): number {
    return this.#open.size + this.#making;
  }

  /**
   * Returns the idle connection of the pool that became free last, or a new connection when none is
   * idle. The connection returns to the pool after its request, unless the pool has enough idle
   * ones or is retired, or the response does not allow another request. Rejects when the connection
   * fails or the pool was closed.
   */
  take(signal: CallSignal): HttpConnection | Promise<HttpConnection> {
    let last: HttpConnection | undefined;
    for (const connection of this.#idle.keys()) last = connection;
    if (!last) return this.#first(signal);
    this.#forget(last);
    last.hold(true);
    this.#liveness.add(last, { stream: false });
    return last;
  }

  /**
   * Returns a new connection for a single request, after which the pool closes the connection.
   * Rejects as {@linkcode ConnectionPool.take} does.
   */
  async single(signal: CallSignal): Promise<HttpConnection> {
    const connection = await this.#make(signal, (connection) => connection.destroy());
    this.#liveness.add(connection, { stream: true });
    return connection;
  }

  async #first(signal: CallSignal): Promise<HttpConnection> {
    const connection = await this.#make(signal, (connection) => this.#keep(connection));
    this.#liveness.add(connection, { stream: false });
    return connection;
  }

  /** Closes the idle connections of the pool. */
  dropIdle(): void {
    for (const connection of [...this.#idle.keys()]) connection.destroy();
  }

  /** Closes the pool's idle connections now, and the others after their requests. */
  retire(): void {
    this.#keeps = 0;
    this.dropIdle();
  }

  async #make(
    signal: CallSignal,
    onFree: (connection: HttpConnection) => void,
  ): Promise<HttpConnection> {
    this.#making++;
    const wire = await this.#connect(abortSignalOf(signal)).finally(() => this.#making--);
    if (this.#closed) {
      wire.stream.destroy();
      throw Object.assign(new Error("the client is closed"), { code: "ECLOSED" });
    }
    const owner: ConnectionOwner = { onFree, onGone: (gone) => this.#gone(gone) };
    const connection = new HttpConnection(wire, owner);
    this.#open.add(connection);
    return connection;
  }

  #keep(connection: HttpConnection): void {
    if (this.#idle.size >= this.#keeps) return connection.destroy();
    this.#idle.set(connection, this.#idleTimeouts.start(() => connection.destroy()));
    connection.hold(false);
  }

  #forget(connection: HttpConnection): void {
    this.#idle.get(connection)?.[Symbol.dispose]();
    this.#idle.delete(connection);
  }

  #gone(connection: HttpConnection): void {
    this.#forget(connection);
    this.#open.delete(connection);
    this.#liveness.remove(connection);
  }

  /** Closes all connections of the pool; later requests for a connection reject. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.retire();
    this.#liveness[Symbol.dispose]();
    this.#idleTimeouts[Symbol.dispose]();
    for (const connection of [...this.#open]) connection.destroy();
  }
}
