import { listenOnFreePort } from "./free_port.ts";
import { FaultLink, type FaultMode } from "./fault_link.ts";

/** Options for {@linkcode FaultProxy.start}. */
export interface FaultProxyOptions {
  /** Where connections go: `host:port`, or a URL, of which host and port count. */
  readonly target: string;
}

/** Which connections a cut is for. */
export type CutScope =
  /** Each connection that is open now. */
  | "open"
  /** The next connection that is accepted, alone. */
  | "next"
  /** Each connection that is accepted from now on, until {@linkcode FaultProxy.resume}. */
  | "later";

/**
 * A TCP proxy on loopback that a test makes fail: it cuts connections after so many bytes, goes
 * silent without closing (half-open), or refuses connections.
 *
 * It copies bytes and looks at none, so TLS passes through: a server whose certificate is for
 * 127.0.0.1 is reached through {@linkcode FaultProxy.urlOf} with the same certificate authority.
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
  /** The port it listens on; the same for its whole life. */
  readonly port: number;
  readonly #target: Deno.ConnectOptions;
  readonly #links = new Set<FaultLink>();
  #listener: Deno.TcpListener | undefined;
  #accepting: Promise<void> = Promise.resolve();
  #mode: FaultMode = "pass";
  #accepted = 0;
  #endedBytesToClient = 0;
  #endedBytesToServer = 0;
  #cutNextAfter: number | undefined;
  #cutLaterAfter: number | undefined;

  private constructor(target: Deno.ConnectOptions) {
    this.#target = target;
    const listener = listenOnFreePort();
    this.port = listener.addr.port;
    this.#listen(listener);
  }

  /**
   * Starts a proxy on a free port of 127.0.0.1. The target is first called when a client connects.
   *
   * @throws {TypeError} When `target` has no host or no port.
   */
  static start(options: FaultProxyOptions): FaultProxy {
    return new FaultProxy(parseTarget(options.target));
  }

  /** The proxy's `host:port`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The given URL with the proxy's host and port in place of its own, without a trailing slash. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.host = this.address;
    return through.pathname === "/" && !through.search ? through.origin : through.href;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#links.size;
  }

  /** How many connections were accepted so far, also while stalled. */
  get accepted(): number {
    return this.#accepted;
  }

  /** How many bytes went from the server to clients so far. */
  get bytesToClient(): number {
    let sum = this.#endedBytesToClient;
    for (const link of this.#links) sum += link.bytesToClient;
    return sum;
  }

  /** How many bytes went from clients to the server so far. */
  get bytesToServer(): number {
    let sum = this.#endedBytesToServer;
    for (const link of this.#links) sum += link.bytesToServer;
    return sum;
  }

  /**
   * Cuts connections once `bytes` more bytes of the server have reached the client: exactly so many
   * arrive. With 0, the first byte that would come cuts.
   */
  cutAfter(bytes: number, scope: CutScope = "open"): void {
    if (scope === "next") this.#cutNextAfter = bytes;
    else if (scope === "later") this.#cutLaterAfter = bytes;
    else for (const link of this.#links) link.cutAfter(bytes);
  }

  /** Closes every open connection now, in both directions; new ones are accepted. */
  cutAll(): void {
    for (const link of this.#links) link.cut();
  }

  /**
   * Goes silent: no byte and no end of connection passes in either direction. Connections stay open
   * and new ones are accepted, but nobody answers. What arrives meanwhile waits for
   * {@linkcode FaultProxy.resume}.
   */
  stall(): void {
    this.#setMode("stall");
  }

  /**
   * Forgets the connections that are open now, as a balancer does: no byte and no end of them passes
   * any more, and nobody is told. New ones pass.
   */
  forget(): void {
    for (const link of this.#links) link.setMode("stall");
  }

  /**
   * Refuses new connections, as a port that nobody listens on; open ones go on (see
   * {@linkcode FaultProxy.cutAll}). Settles when the system refuses them.
   */
  async refuse(): Promise<void> {
    this.#listener?.close();
    this.#listener = undefined;
    await this.#accepting;
  }

  /** Passes everything again: ends `stall`, `forget`, `refuse` and the cuts that are still to come. */
  async resume(): Promise<void> {
    this.#cutNextAfter = undefined;
    this.#cutLaterAfter = undefined;
    for (const link of this.#links) link.cutAfter(Infinity);
    this.#setMode("pass");
    if (this.#listener) return;
    await this.#accepting;
    if (this.#listener) return;
    this.#listen(Deno.listen({ hostname: "127.0.0.1", port: this.port }));
  }

  /** Closes everything and settles when nothing is left. */
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
    this.#accepting = this.#accept(listener);
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    for await (const client of listener) this.#link(client);
  }

  #link(client: Deno.TcpConn): void {
    this.#accepted++;
    const link = new FaultLink(client, this.#target, this.#mode);
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
