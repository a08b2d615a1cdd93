import { ConfigError } from "./config.ts";
import { withoutBrackets } from "./ip_address.ts";

/** The protocol of the connection to a proxy. */
export type ProxyProtocol = "http" | "https" | "socks5";

const PROTOCOLS: Readonly<Record<string, ProxyProtocol>> = {
  "http:": "http",
  "https:": "https",
  "socks5:": "socks5",
  "socks5h:": "socks5",
};
const DEFAULT_PORTS: Readonly<Record<ProxyProtocol, number>> = {
  http: 80,
  https: 443,
  socks5: 1080,
};

/** The user name and password for a proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
}

/**
 * A parsed proxy URL. The user name and password are in private fields, so that they are not
 * printed.
 */
export class Proxy {
  /** The protocol of the connection to the proxy. */
  readonly protocol: ProxyProtocol;
  /** The host of the proxy; an IPv6 address without brackets. */
  readonly host: string;
  /**
   * The port that the proxy listens on; by default 80 for `http`, 443 for `https`, and 1080 for
   * `socks5`.
   */
  readonly port: number;
  /** The host and port of the proxy, `host:port`; an IPv6 address in brackets. */
  readonly authority: string;
  /** The URL of the proxy without user name and password, for error messages. */
  readonly shown: string;
  readonly #login: ProxyLogin | undefined;

  private constructor(protocol: ProxyProtocol, url: URL) {
    this.protocol = protocol;
    this.host = withoutBrackets(url.hostname);
    this.port = url.port === "" ? DEFAULT_PORTS[protocol] : Number(url.port);
    this.authority = `${url.hostname}:${this.port}`;
    this.shown = `${protocol}://${this.authority}`;
    this.#login = url.username === "" && url.password === ""
      ? undefined
      : { username: decoded(url.username), password: decoded(url.password) };
  }

  /**
   * Parses the URL of a proxy and returns the proxy. A URL without a scheme is an `http` URL, as in
   * Go; `socks5h` counts as `socks5`.
   *
   * @param place The field or variable that contains the URL, for messages.
   * @throws {ConfigError} When the text is not an `http`, `https` or `socks5` URL. The message does
   * not contain the text, which may contain a password.
   */
  static parse(text: string, place: string): Proxy {
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    const protocol = url ? PROTOCOLS[url.protocol] : undefined;
    if (url && protocol && url.hostname !== "") return new Proxy(protocol, url);
    throw new ConfigError(
      `Cannot use ${place}: it is not an http, https or socks5 URL; ` +
        "write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT",
    );
  }

  /** The user name and password of the proxy; `undefined` when its URL has neither. */
  get login(): ProxyLogin | undefined {
    return this.#login;
  }
}

/**
 * Decodes the percent-encoding of a user name or password in a proxy URL; returns a text that is
 * not percent-encoded unchanged.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
