import type http from "node:http";
import net, { type Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { type Clock, linkedAbort, systemClock } from "@xca/apimachinery/base";
import type { ClientConfig } from "../../config/config.ts";
import { StreamBelowTls } from "./below_tls.ts";
import { type ConnectionOptions, connectTcp, startTls } from "./connect.ts";
import { type RequestUrl, requestUrl } from "./request_url.ts";
import type { Wire } from "../http1/wire.ts";
import type { HeaderPair } from "../http1/header_pair.ts";
import { KeepAlive } from "./keep_alive.ts";
import { withoutBrackets } from "../../config/ip_address.ts";
import { Proxy } from "../../config/proxy.ts";
import { ProxyError } from "./proxy_error.ts";
import { ReadBuffer } from "./read_buffer.ts";
import type { Target } from "./socks5.ts";
import type { TlsOptions } from "./tls_options.ts";
import { connectThroughProxy, connectToProxy, proxyAuthorization } from "./tunnel.ts";

/** The deadline of opening a connection, including proxy and TLS handshakes, in milliseconds. */
const CONNECT_MS = 30_000;
/** The socket option that disables Nagle's algorithm. */
const AT_ONCE = { noDelay: true } as const;

/**
 * The network route to a server: direct, or through a proxy. Disposing it aborts the connections
 * that are being opened.
 */
export class Route implements Disposable {
  /** Reports whether the route uses TLS, to the server or to the proxy. */
  readonly usesTls: boolean;
  readonly #secure: boolean;
  readonly #proxy: Proxy | undefined;
  readonly #forwards: boolean;
  readonly #clock: Clock;
  readonly #target: Target;
  readonly #server: URL;
  readonly #keepAlive: KeepAlive;
  readonly #closing = new AbortController();

  /**
   * Creates the network route that a client configuration describes.
   *
   * @throws {ConfigError} When the URL of the proxy is invalid.
   */
  constructor(
    { server, proxyUrl }: Pick<ClientConfig, "server" | "proxyUrl">,
    { clock = systemClock }: { readonly clock?: Clock } = {},
  ) {
    this.#proxy = proxyUrl ? Proxy.parse(proxyUrl, "proxy-url") : undefined;
    this.#clock = clock;
    this.#keepAlive = new KeepAlive({ clock });
    const url = this.#server = new URL(server);
    this.#secure = url.protocol === "https:";
    this.usesTls = this.#secure || this.#proxy?.protocol === "https";
    this.#target = targetOf(url);
    this.#forwards = !this.#secure && this.#proxy !== undefined &&
      this.#proxy.protocol !== "socks5";
  }

  /**
   * Opens a connection for HTTP by this route, with the given TLS options where the route uses TLS,
   * and returns it. Rejects with the reason of `signal` when that aborts, and after 30 seconds.
   *
   * @throws {ProxyError} When the proxy refuses or fails.
   * @throws {Error} When the connection fails.
   */
  async connect(tls: TlsOptions | undefined, signal: AbortSignal): Promise<Wire> {
    const wanted: ConnectionOptions = { ...this.#target, ...tls, ...AT_ONCE, giveUp: signal };
    const secure = this.#secure;
    return await this.#connect(wanted, { secure, tunnel: !this.#forwards, releases: true });
  }

  /**
   * Returns an agent of `node:http` that opens a connection by this route for each WebSocket, and
   * passes the promise of the connection to `opening` when it begins to open the connection. The
   * agent forgets a connection that has become a WebSocket.
   */
  async agent(
    tls: TlsOptions | undefined,
    opening: (connection: Promise<Wire>) => void,
  ): Promise<http.Agent> {
    const secure = this.#secure;
    const { default: { Agent } } = await (secure ? import("node:https") : import("node:http"));
    const agent = new Agent({ ...tls, keepAlive: false });
    const createConnection = (wanted: ConnectionOptions, done: OnConnection): void => {
      const connection = this.#connect({ ...wanted, ...AT_ONCE }, { secure, tunnel: true });
      opening(connection);
      connection.then(({ stream }) => {
        try {
          wanted.admit?.();
        } catch (error) {
          stream.destroy();
          throw error;
        }
        done(null, stream as Socket);
      }).catch((error) => done(error));
    };
    return Object.assign(agent, { createConnection });
  }

  /**
   * Returns the certificate that the server presents, trusted or not; `undefined` when there is
   * none, or the connection fails. Sends only a handshake, without a client certificate.
   */
  async certificateOf(
    url: URL,
    { servername }: Pick<TlsOptions, "servername">,
  ): Promise<PeerCertificate | undefined> {
    const { host, port } = targetOf(url);
    const wanted: ConnectionOptions = {
      ...{ host, port, rejectUnauthorized: false, ca: [], ALPNProtocols: ["http/1.1"] },
      servername: servername ?? (net.isIP(host) === 0 ? host : ""),
    };
    try {
      const { stream } = await this.#connect(wanted, { secure: true, tunnel: true });
      using socket = disposable(stream as TLSSocket);
      const certificate = socket.it.getPeerCertificate();
      return certificate?.valid_to ? certificate : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the request target and the additional headers of a request: the whole URL and the
   * proxy's credentials for a proxy that forwards plain HTTP, otherwise the path and no headers.
   */
  forwarding(
    { origin, target }: RequestUrl,
  ): { readonly target: string; readonly headers: readonly HeaderPair[] } {
    const proxy = this.#proxy;
    if (!proxy || !this.#forwards) return { target, headers: [] };
    return { target: origin + target, headers: proxyAuthorization(proxy) };
  }

  /**
   * Returns the parts of a request's URL.
   *
   * @throws {TypeError} When the text is not a URL.
   */
  urlOf(text: string): RequestUrl {
    return requestUrl(text, this.#server);
  }

  /**
   * The request target of the liveness probe: the path `/version` below that of the server, or a
   * whole URL for a proxy that forwards plain HTTP. The server answers such a request at once.
   */
  get livenessTarget(): string {
    const { origin, pathname } = this.#server;
    return this.forwarding(this.urlOf(`${origin}${pathname.replace(/\/+$/, "")}/version`)).target;
  }

  async #connect(
    wanted: ConnectionOptions,
    how: {
      readonly secure: boolean;
      readonly tunnel: boolean;
      /**
       * Sets whether the stream of the connection releases the memory of chunks that were read; the
       * stream is then not a socket.
       *
       * @default {false}
       */
      readonly releases?: boolean;
    },
  ): Promise<Wire> {
    const proxy = this.#proxy;
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
    const { signal } = link;
    const reads = how.secure && how.releases && !proxy ? new ReadBuffer() : undefined;
    const below = proxy
      ? await throughProxy(proxy, wanted, { signal, tunnel: how.tunnel })
      : await connectTcp(wanted, signal, reads);
    this.#keepAlive.add(below);
    if (!how.secure) return { stream: below, below };
    if (!how.releases) return { stream: await startTls(below, wanted, signal), below };
    const base = new StreamBelowTls(below, reads);
    const stream = await startTls(base, wanted, signal);
    return { stream, below, checkLeaving: (check) => base.check = check };
  }

  /**
   * Aborts the connections of the route that are being opened, and stops the TCP keep-alive timer.
   */
  [Symbol.dispose](): void {
    this.#keepAlive[Symbol.dispose]();
    this.#closing.abort(Object.assign(new Error("the client is closed"), { code: "ECLOSED" }));
  }
}

async function throughProxy(
  proxy: Proxy,
  wanted: ConnectionOptions,
  { signal, tunnel }: { readonly signal: AbortSignal; readonly tunnel: boolean },
): Promise<Socket> {
  const options = { tls: wanted, signal };
  if (!tunnel) return await connectToProxy(proxy, options);
  const target = { host: wanted.host ?? "", port: Number(wanted.port) };
  return await connectThroughProxy(proxy, target, options);
}

function targetOf({ hostname, port, protocol }: URL): Target {
  return {
    host: withoutBrackets(hostname),
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
  };
}

/** The callback by which an agent of `node:http` receives its connection. */
type OnConnection = (error: unknown, socket?: Socket) => void;

/**
 * Returns a disposable object with a socket as its field `it`; disposing the object destroys the
 * socket.
 */
function disposable<S extends Socket>(socket: S): Disposable & { readonly it: S } {
  return { it: socket, [Symbol.dispose]: () => void socket.on("error", () => {}).destroy() };
}
