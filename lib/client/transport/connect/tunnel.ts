import net, { type Socket } from "node:net";
import { errorText } from "@xca/apimachinery/base";
import { shown } from "../../config/config_place.ts";
import { base64Text } from "../../config/header_value.ts";
import { connectTcp, startTls } from "./connect.ts";
import type { HeaderPair } from "../http1/header_pair.ts";
import { connectionReset } from "../http1/protocol_error.ts";
import { requestHeadText } from "../http1/request_head.ts";
import { type ResponseHead, ResponseHeadReader } from "../http1/response_head.ts";
import { type Proxy } from "../../config/proxy.ts";
import { ProxyError } from "./proxy_error.ts";
import { openSocks5Tunnel, type Target } from "./socks5.ts";
import type { TlsOptions } from "./tls_options.ts";

/** Options of {@linkcode connectThroughProxy}, which opens a connection through a proxy. */
export interface TunnelOptions {
  /**
   * The TLS options of an `https` proxy: the certificate authorities of the cluster are trusted for
   * the proxy too, as in kubectl.
   */
  readonly tls: Partial<TlsOptions>;
  /** The signal that aborts the attempt to connect through the proxy. */
  readonly signal: AbortSignal;
}

/**
 * Opens a connection to `target` through a proxy, which passes all data on unchanged, and returns
 * the socket of the connection.
 *
 * @throws {ProxyError} When the proxy cannot be reached, or refuses.
 * @throws {unknown} The reason of the signal.
 */
export async function connectThroughProxy(
  proxy: Proxy,
  target: Target,
  options: TunnelOptions,
): Promise<Socket> {
  options.signal.throwIfAborted();
  return proxy.protocol === "socks5"
    ? await throughSocks(proxy, target, options)
    : await throughConnect(proxy, target, options);
}

/**
 * Returns the `Proxy-Authorization` header for an `http` or `https` proxy; no header for a proxy
 * URL without a user name and password.
 */
export function proxyAuthorization({ login }: Proxy): readonly HeaderPair[] {
  if (!login) return [];
  const basic = base64Text(`${login.username}:${login.password}`);
  return [["Proxy-Authorization", `Basic ${basic}`]];
}

/**
 * Opens a connection to a proxy itself, with TLS for an `https` proxy, and returns the socket.
 *
 * @throws {ProxyError} When the proxy cannot be reached.
 * @throws {unknown} The reason of the signal.
 */
export async function connectToProxy(
  proxy: Proxy,
  { tls: options, signal }: TunnelOptions,
): Promise<Socket> {
  const { host, port } = proxy;
  try {
    const socket = await connectTcp({ host, port }, signal);
    if (proxy.protocol !== "https") return socket;
    const servername = net.isIP(host) === 0 ? host : "";
    return await startTls(socket, { ...options, host, port, servername }, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : unreachableProxy(proxy, error as Error);
  }
}

async function throughSocks(
  proxy: Proxy,
  target: Target,
  options: TunnelOptions,
): Promise<Socket> {
  const { signal } = options;
  const socket = await connectToProxy(proxy, options);
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await openSocks5Tunnel(socket, proxy, target);
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function throughConnect(
  proxy: Proxy,
  { host, port }: Target,
  options: TunnelOptions,
): Promise<Socket> {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { signal } = options;
  const connection = await connectToProxy(proxy, options);
  try {
    connection.write(
      requestHeadText({
        method: "CONNECT",
        target: authority,
        headers: [["Host", authority], ...proxyAuthorization(proxy)],
      }),
      "latin1",
    );
    const head = await answerOf(connection, proxy, signal);
    if (head.status === 200) return connection;
    throw refusal(proxy, authority, head);
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * Returns the head of a proxy's HTTP response, and leaves the remaining bytes in the connection.
 * Rejects with a ProxyError when the connection ends first or the response is not HTTP, and with
 * the reason of the signal.
 */
function answerOf(
  connection: Socket,
  proxy: Proxy,
  signal: AbortSignal,
): Promise<ResponseHead> {
  const reader = new ResponseHeadReader();
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", onAbort);
      connection.off("data", onData).off("error", fail).off("close", onClose).pause();
      act();
    };
    const onAbort = (): void => settle(() => reject(signal.reason));
    const fail = (cause: Error): void => settle(() => reject(unreachableProxy(proxy, cause)));
    const onClose = (): void => fail(connectionReset("socket hang up"));
    const onData = (chunk: Uint8Array): void => {
      try {
        const found = reader.push(chunk);
        if (!found) return;
        settle(() => {
          const rest = chunk.subarray(found.rest);
          if (rest.length > 0) connection.unshift(rest);
          resolve(found.head);
        });
      } catch (error) {
        fail(error as Error);
      }
    };
    signal.addEventListener("abort", onAbort, { once: true });
    connection.on("data", onData).on("error", fail).on("close", onClose);
  });
}

function unreachableProxy(proxy: Proxy, cause: Error): ProxyError {
  const code = "code" in cause ? String(cause.code) : "";
  const text = errorText(cause);
  const why = code && !text.includes(code) ? `${text} (${code})` : text;
  const isTls = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_|ERR_SSL|EPROTO/.test(`${code} ${text}`);
  return new ProxyError(proxy, `cannot be reached: ${why}`, {
    mayPass: !isTls,
    cause,
  });
}

/**
 * Creates the ProxyError of a proxy's refusal from the status line of its response, without the
 * page in the body.
 */
function refusal(
  proxy: Proxy,
  authority: string,
  { status, reason }: ResponseHead,
): ProxyError {
  const why = shown(`${status} ${reason}`.trim());
  const advice = status !== 407
    ? ""
    : proxy.login
    ? ": it does not accept the name and password of its URL"
    : ": its URL needs a name and password, such as http://NAME:PASSWORD@HOST:PORT";
  return new ProxyError(proxy, `refused a connection to ${authority}: ${why}${advice}`, {
    mayPass: status === 429 || status >= 500,
  });
}
