import http, { type AgentOptions } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { linkedAbort } from "../../base/abort.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { ClientConfig } from "../config/config.ts";
import { type ConnectionOptions, connectTcp, startTls } from "./connect.ts";
import { Proxy, ProxyError } from "./proxy.ts";
import type { TlsOptions } from "./tls_options.ts";
import { connectThroughProxy, connectToProxy, proxyAuthorization } from "./tunnel.ts";

/** Proxy, connection and TLS together may take so long; a direct connection has as long. */
const CONNECT_MS = 30_000;

/**
 * The way to a server: straight, or through a proxy. Disposing it gives up the connections that are
 * being made.
 */
export class Route implements Disposable {
  readonly #proxy: Proxy | undefined;
  readonly #forwards: boolean;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  /**
   * Plans the way that a configuration says.
   *
   * @throws {ConfigError} When its proxy's URL is none.
   */
  constructor(
    { server, proxyUrl }: Pick<ClientConfig, "server" | "proxyUrl">,
    { clock = systemClock }: { readonly clock?: Clock } = {},
  ) {
    this.#proxy = proxyUrl ? Proxy.parse(proxyUrl, "proxy-url") : undefined;
    this.#clock = clock;
    this.#forwards = this.#proxy !== undefined && this.#proxy.protocol !== "socks5" &&
      new URL(server).protocol === "http:";
  }

  /** An agent whose connections take this way. With `tls` they speak it to the server. */
  agent(
    tlsOptions: TlsOptions | undefined,
    options: AgentOptions = {},
    { tunnel = !this.#forwards }: { readonly tunnel?: boolean } = {},
  ): http.Agent {
    const agent = new (tlsOptions ? https : http).Agent({ ...tlsOptions, ...options });
    const proxy = this.#proxy;
    if (proxy || tlsOptions) {
      const createConnection = (wanted: ConnectionOptions, done: OnConnection): void => {
        this.#connect(proxy, wanted, { secure: tlsOptions !== undefined, tunnel }).then(
          (socket) => done(null, socket),
          (error) => done(error),
        );
      };
      Object.assign(agent, { createConnection });
    }
    return agent;
  }

  /**
   * The certificate that the server shows, trusted or not; `undefined` when it shows none. Nothing is
   * sent but a handshake, without a client certificate.
   */
  async certificateOf(
    url: URL,
    { servername }: Pick<TlsOptions, "servername">,
  ): Promise<PeerCertificate | undefined> {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const wanted: ConnectionOptions = {
      host,
      port: Number(url.port) || 443,
      servername: servername ?? (net.isIP(host) === 0 ? host : ""),
      rejectUnauthorized: false,
      ca: [],
      ALPNProtocols: ["http/1.1"],
    };
    try {
      const secure = { secure: true, tunnel: true };
      using socket = disposable(await this.#connect(this.#proxy, wanted, secure));
      const certificate = (socket.it as TLSSocket).getPeerCertificate();
      return certificate?.valid_to ? certificate : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * What a request says beside itself: when a connection for it is not wanted any more; and to a proxy
   * that passes plain HTTP on, where to, and who asks.
   */
  requestOptions(
    url: URL,
    giveUp: AbortSignal,
  ): { giveUp: AbortSignal; path?: string; headers?: Record<string, string> } {
    if (!this.#proxy || !this.#forwards) return { giveUp };
    return { giveUp, path: url.href, headers: proxyAuthorization(this.#proxy) };
  }

  async #connect(
    proxy: Proxy | undefined,
    wanted: ConnectionOptions,
    { secure, tunnel }: { readonly secure: boolean; readonly tunnel: boolean },
  ): Promise<Socket> {
    using link = linkedAbort({
      signals: [this.#closing.signal, wanted.giveUp],
      timeoutMs: CONNECT_MS,
      timeoutReason: () =>
        proxy
          ? new ProxyError(proxy, `made no connection within ${CONNECT_MS} ms`, { mayPass: true })
          : Object.assign(new Error(`no connection within ${CONNECT_MS} ms`), {
            code: "ECONNTIMEOUT",
          }),
      clock: this.#clock,
    });
    if (!proxy) return await startTls(await connectTcp(wanted, link.signal), wanted, link.signal);
    const options = { tls: wanted, signal: link.signal };
    if (!tunnel) return await connectToProxy(proxy, options);
    const target = { host: wanted.host ?? "", port: Number(wanted.port) };
    const socket = await connectThroughProxy(proxy, target, options);
    return secure ? await startTls(socket, wanted, link.signal) : socket;
  }

  /** Gives up the connections that are being made. */
  [Symbol.dispose](): void {
    this.#closing.abort(Object.assign(new Error("the client is closed"), { code: "ECLOSED" }));
  }
}

/** How an agent is handed its connection. */
type OnConnection = (error: unknown, socket?: Socket) => void;

/** Destroys a socket when it is done with. */
function disposable(socket: Socket): Disposable & { readonly it: Socket } {
  return { it: socket, [Symbol.dispose]: () => void socket.on("error", () => {}).destroy() };
}
