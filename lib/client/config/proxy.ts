import { ConfigError } from "./config.ts";
import { withoutBrackets } from "./ip_address.ts";

/** How a proxy is spoken to. */
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

/** What proves us to a proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
}

/** A proxy, taken apart. Printing it shows no name and no password: they are in private fields. */
export class Proxy {
  /** How it is spoken to. */
  readonly protocol: ProxyProtocol;
  /** Its host; an IPv6 address without brackets. */
  readonly host: string;
  /** Its port. */
  readonly port: number;
  /** Its host and port. */
  readonly authority: string;
  /** Its address without a name and password, for messages. */
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
   * Reads a proxy's URL; without a scheme it is `http`, as in Go.
   *
   * @param place Where it was written, for the message.
   * @throws {ConfigError} When it is none. The message does not show it: it may hold a password.
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

  /** The name and password of the URL; `undefined` when it has neither. */
  get login(): ProxyLogin | undefined {
    return this.#login;
  }
}

/** What percent signs in a URL's name or password stand for; as it is when they stand for nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
