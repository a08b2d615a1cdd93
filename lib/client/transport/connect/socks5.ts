import type { Socket } from "node:net";
import { addressBytes } from "../../config/ip_address.ts";
import { type Proxy, type ProxyLogin } from "../../config/proxy.ts";
import { ProxyError } from "./proxy_error.ts";

const VERSION = 5;
const NO_LOGIN = 0;
const BY_PASSWORD = 2;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/**
 * The reply codes of a SOCKS5 proxy (RFC 1928, section 6) with their meaning, and whether each may
 * be temporary.
 */
const REPLIES: Readonly<Record<number, readonly [reason: string, mayPass: boolean]>> = {
  1: ["it failed", true],
  2: ["its rules do not allow it", false],
  3: ["the network is unreachable", true],
  4: ["the host is unreachable", true],
  5: ["the connection was refused", true],
  6: ["it took too long", true],
  7: ["it cannot do that", false],
  8: ["it does not know such addresses", false],
};

/** The host and port that a connection leads to, direct or through a proxy. */
export interface Target {
  /** The host name or address that the connection leads to; IPv6 without brackets. */
  readonly host: string;
  /** The port that the connection leads to. */
  readonly port: number;
}

/**
 * Requests a connection from a SOCKS5 proxy (RFC 1928; name and password by RFC 1929) over an open
 * and unused socket. The proxy resolves host names. Afterwards the socket is the tunnel to the
 * server, and no data of the server has been read from it.
 *
 * @throws {ProxyError} When the proxy refuses or closes the connection, or a name or password is
 * too long for the protocol; the caller then destroys the socket.
 */
export async function openSocks5Tunnel(
  socket: Socket,
  proxy: Proxy,
  target: Target,
): Promise<void> {
  const { login } = proxy;
  const methods = login ? [NO_LOGIN, BY_PASSWORD] : [NO_LOGIN];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await take(socket, 2, proxy);
  if (version !== VERSION) throw new ProxyError(proxy, "does not speak SOCKS5", { mayPass: false });
  if (method === BY_PASSWORD && login) await authenticate(socket, proxy, login);
  else if (method !== NO_LOGIN) {
    const why = login ? "accepts no name and password" : "asks for a name and password";
    throw new ProxyError(proxy, why, { mayPass: false });
  }
  const port = [target.port >> 8, target.port & 0xff];
  socket.write(Uint8Array.of(VERSION, CONNECT, 0, ...addressOf(target.host, proxy), ...port));
  const [, reply = 1, , kind] = await take(socket, 4, proxy);
  if (reply !== 0) {
    const [reason, mayPass] = REPLIES[reply] ?? [`it answered ${reply}`, false];
    throw new ProxyError(
      proxy,
      `refused a connection to ${target.host}:${target.port}: ${reason}`,
      {
        mayPass,
      },
    );
  }
  const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : (await take(socket, 1, proxy))[0]!;
  await take(socket, length + 2, proxy);
}

async function authenticate(
  socket: Socket,
  proxy: Proxy,
  { username, password }: ProxyLogin,
): Promise<void> {
  const [name, word] = [username, password].map((text) => new TextEncoder().encode(text));
  if (name!.length > 255 || word!.length > 255) {
    throw new ProxyError(proxy, "takes a name and a password of at most 255 bytes", {
      mayPass: false,
    });
  }
  socket.write(Uint8Array.of(1, name!.length, ...name!, word!.length, ...word!));
  const [, status] = await take(socket, 2, proxy);
  if (status === 0) return;
  throw new ProxyError(proxy, "does not accept the name and password", { mayPass: false });
}

function addressOf(host: string, proxy: Proxy): number[] {
  const address = addressBytes(host);
  if (address) return [address.length === 4 ? IPV4 : IPV6, ...address];
  const name = new TextEncoder().encode(host);
  if (name.length > 255) {
    throw new ProxyError(proxy, "takes a host name of at most 255 bytes", { mayPass: false });
  }
  return [NAME, name.length, ...name];
}

/**
 * Returns the next `length` bytes of a SOCKS5 proxy; later bytes stay in the socket. Rejects with a
 * ProxyError when the connection ends first.
 */
function take(socket: Socket, length: number, proxy: Proxy): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off("readable", onReadable).off("close", onClose).off("error", onError);
      act();
    };
    const onReadable = (): void => {
      const bytes = socket.read(length) as Uint8Array | null;
      if (bytes) settle(() => resolve(bytes));
    };
    const onError = (cause: Error): void => settle(() => reject(brokenOff(proxy, cause)));
    const onClose = (): void => settle(() => reject(brokenOff(proxy)));
    socket.on("readable", onReadable).on("close", onClose).on("error", onError);
    onReadable();
  });
}

function brokenOff(proxy: Proxy, cause?: Error): ProxyError {
  return new ProxyError(proxy, "closed the connection before it answered", {
    mayPass: true,
    ...(cause ? { cause } : {}),
  });
}
