import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { acceptConnections } from "@xca/apimachinery/internal/serving";
import { getLogger } from "@logtape/logtape";
import { listenOnFreePort } from "../free_port.ts";
import { FaultLink, type FaultMode } from "./fault_link.ts";

const logger = getLogger(["xca", "testing", "proxy"]);

/**
 * Options for {@linkcode FaultProxy.start}, which starts a proxy that simulates network failures.
 */
export interface FaultProxyOptions {
  /**
   * The target of the proxy: `host:port`, or a URL, of which host and port (443 by default for
   * `https:`) are used.
   */
  readonly target: string;
  /** The clock that measures the delays of {@linkcode FaultProxy.delay}. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** The connections of a fault proxy that a cut applies to. */
export type CutScope =
  /** The cut applies to every open connection of the proxy. */
  | "open"
  /** The cut applies to the next connection that the proxy accepts. */
  | "next"
  /**
   * The cut applies to every connection that the proxy accepts from now on, until {@linkcode
   * FaultProxy.resume}.
   */
  | "later";

/**
 * A TCP proxy on loopback with faults under a test's control: it cuts connections after a number of
 * bytes, stalls without closing (half-open), delays, or refuses connections.
 *
 * The proxy copies bytes without interpreting them, so TLS passes through: a server with a
 * certificate for 127.0.0.1 is reached through {@linkcode FaultProxy.urlOf} with the same
 * certificate authority.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { FaultProxy } from "@xca/operator/testing";
 *
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("hi"));
 * await using proxy = FaultProxy.start({ target: `127.0.0.1:${server.addr.port}` });
 * const response = await fetch(proxy.urlOf("http://127.0.0.1/"));
 * assert(await response.text() === "hi");
 * assert(proxy.accepted === 1);
 * await server.shutdown();
 * ```
 */
export class FaultProxy implements AsyncDisposable {
  /** The listening port of the proxy, constant for the life of the proxy. */
  readonly port: number;
  readonly #target: Deno.ConnectOptions;
  readonly #clock: Clock;
  readonly #links = new Set<FaultLink>();
  #listener: Deno.TcpListener | undefined;
  #stop = new AbortController();
  #accepting: Promise<void> = Promise.resolve();
  #mode: FaultMode = "pass";
  #delayMs = 0;
  #accepted = 0;
  #endedBytesToClient = 0;
  #endedBytesToServer = 0;
  #cutNextAfter: number | undefined;
  #cutLaterAfter: number | undefined;

  private constructor(target: Deno.ConnectOptions, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
    const listener = listenOnFreePort();
    this.port = listener.addr.port;
    this.#listen(listener);
  }

  /**
   * Returns a fault proxy that listens on a free port of 127.0.0.1 and connects to the target when
   * a client connects. The caller disposes the proxy.
   *
   * @throws {TypeError} When `target` has no host or no port.
   */
  static start(options: FaultProxyOptions): FaultProxy {
    return new FaultProxy(parseTarget(options.target), options.clock ?? systemClock);
  }

  /** The address of the proxy for clients, `127.0.0.1:<port>`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /**
   * Returns a URL with the host and port of the proxy in place of its own. A URL without a path and
   * query is returned without a trailing slash.
   */
  urlOf(url: string): string {
    const through = new URL(url);
    through.host = this.address;
    return through.pathname === "/" && !through.search ? through.origin : through.href;
  }

  /** The number of the proxy's open connections to clients, stalled ones included. */
  get connections(): number {
    return this.#links.size;
  }

  /** The number of connections that the proxy accepted since its start, also while stalled. */
  get accepted(): number {
    return this.#accepted;
  }

  /** The number of bytes that the proxy passed from the server to clients so far. */
  get bytesToClient(): number {
    let sum = this.#endedBytesToClient;
    for (const link of this.#links) sum += link.bytesToClient;
    return sum;
  }

  /** The number of bytes that the proxy passed from clients to the server so far. */
  get bytesToServer(): number {
    let sum = this.#endedBytesToServer;
    for (const link of this.#links) sum += link.bytesToServer;
    return sum;
  }

  /**
   * Cuts connections of the proxy after exactly `bytes` bytes from the server, counted from the
   * call for open connections, and from the start of the connection for later ones; with 0, at the
   * server's next byte.
   */
  cutAfter(bytes: number, scope: CutScope = "open"): void {
    if (scope === "next") this.#cutNextAfter = bytes;
    else if (scope === "later") this.#cutLaterAfter = bytes;
    else for (const link of this.#links) link.cutAfter(bytes);
  }

  /**
   * Closes every open connection of the proxy in both directions at once. New connections are
   * accepted.
   */
  cutAll(): void {
    for (const link of this.#links) link.cut();
  }

  /**
   * Stalls all connections of the proxy: no byte and no close passes in either direction, and new
   * connections are accepted without an answer. Bytes that arrive meanwhile are kept for {@linkcode
   * FaultProxy.resume}.
   */
  stall(): void {
    this.#setMode("stall");
  }

  /**
   * Drops the state of the proxy's open connections, as a load balancer does: no byte and no close
   * of them passes until {@linkcode FaultProxy.resume}. New connections pass.
   */
  forget(): void {
    for (const link of this.#links) link.setMode("stall");
  }

  /**
   * Refuses new connections to the proxy, as a port without a listener does; open ones continue
   * (see {@linkcode FaultProxy.cutAll}). Resolves when the system refuses connections.
   */
  async refuse(): Promise<void> {
    this.#stop.abort();
    this.#listener?.close();
    this.#listener = undefined;
    await this.#accepting;
  }

  /**
   * Delays all bytes through the proxy by `ms` milliseconds in each direction, on open and on new
   * connections. A connection passes at most 64 KiB per delay. 0 ends the delay.
   *
   * @throws {RangeError} When `ms` is negative or not finite.
   */
  delay(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) {
      throw new RangeError(
        `Cannot delay connections by ${ms} ms: the delay must be a finite number of at least 0`,
      );
    }
    this.#delayMs = ms;
    for (const link of this.#links) link.delay(ms);
  }

  /**
   * Ends all faults of the proxy: `stall`, `forget`, `delay`, `refuse` and all pending cuts. Bytes
   * that were held back pass. Resolves when the proxy listens on its port again; rejects if the
   * port was taken meanwhile.
   */
  async resume(): Promise<void> {
    this.delay(0);
    this.#cutNextAfter = undefined;
    this.#cutLaterAfter = undefined;
    for (const link of this.#links) link.cutAfter(Infinity);
    this.#setMode("pass");
    if (this.#listener) return;
    await this.#accepting;
    if (this.#listener) return;
    this.#listen(Deno.listen({ hostname: "127.0.0.1", port: this.port }));
  }

  /**
   * Stops the proxy: closes its listening port and all connections, and waits until no work is
   * left.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse();
    this.cutAll();
    await Promise.all([...this.#links].map((link) => link.ended));
  }

  #setMode(mode: FaultMode): void {
    this.#mode = mode;
    for (const link of this.#links) link.setMode(mode);
  }

  #listen(listener: Deno.TcpListener): void {
    this.#listener = listener;
    this.#stop = new AbortController();
    this.#accepting = acceptConnections(listener, {
      take: (client) => this.#link(client),
      onError: (error) =>
        logger.warn(`The fault proxy cannot accept a connection: ${errorText(error)}`),
      signal: this.#stop.signal,
    });
  }

  #link(client: Deno.TcpConn): void {
    this.#accepted++;
    const link = new FaultLink(client, {
      target: this.#target,
      mode: this.#mode,
      clock: this.#clock,
    });
    link.delay(this.#delayMs);
    link.cutAfter(this.#cutNextAfter ?? this.#cutLaterAfter ?? Infinity);
    this.#cutNextAfter = undefined;
    this.#links.add(link);
    link.ended.then(() => {
      this.#links.delete(link);
      this.#endedBytesToClient += link.bytesToClient;
      this.#endedBytesToServer += link.bytesToServer;
    });
  }
}

function parseTarget(target: string): Deno.ConnectOptions {
  const url = URL.parse(target.includes("://") ? target : `tcp://${target}`);
  const port = Number(url?.port || (url?.protocol === "https:" ? 443 : 0));
  if (!url?.hostname || !port) {
    throw new TypeError(`Cannot proxy to "${target}": it must be host:port or a URL with a port`);
  }
  return { hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"), port };
}
