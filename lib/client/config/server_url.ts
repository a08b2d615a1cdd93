import { described } from "@xca/apimachinery/internal/base";
import type { ClientConfig } from "./config.ts";
import { quoted, refused, type Sourced } from "./config_place.ts";

/** The remedy for an impossible address of an API server, in error messages. */
const ADVICE = "write https://HOST:PORT";
const MAX_LENGTH = 2_048;
const HOST = String.raw`(?:\[[0-9a-f:.]+(?:%[^\]\s/?#\\]*)?\]|[^/?#\\\s@:[\]]+)(?::[0-9]+)?`;
const SHAPE = new RegExp(String.raw`^(?:([a-z][a-z0-9+.-]*)://)?(${HOST})(/[^?#\\\s]*)?$`, "i");

/**
 * Returns the address of an API server in canonical form: `https://host:port/path` without a
 * trailing slash, and without a port that is the default of the scheme. An address without a scheme
 * is `http`, as in kubectl.
 *
 * @throws {ConfigError} When the scheme is neither `http` nor `https`, the address has a user, a
 * query, a fragment or an IPv6 zone, is longer than 2048 characters, or is not a URL.
 */
export function parseServerUrl({ value, place }: Sourced<string>): string {
  const text = value.trim();
  const advice = ADVICE;
  if (text.length > MAX_LENGTH) throw refused(place, "it is too long for an address", advice);
  if (text.includes("@")) {
    throw refused(place, "it holds a user name or password", `${advice}, and set a token instead`);
  }
  if (/[?#]/.test(text)) throw refused(place, `${quoted(text)} has a query or fragment`, advice);
  const [, scheme = "http", host, path = ""] = SHAPE.exec(text) ?? [];
  if (host === undefined) throw refused(place, `${quoted(text)} is not a URL`, advice);
  if (!/^https?$/i.test(scheme)) {
    throw refused(place, `${quoted(text)} is neither https nor http`, advice);
  }
  if (host.includes("%") && host.startsWith("[")) {
    throw refused(
      place,
      `${quoted(text)} has an IPv6 zone, and no URL of this runtime carries one`,
      `${advice} with a name for that address, and set tls-server-name if the certificate has another`,
    );
  }
  let url: URL;
  try {
    url = new URL(`${scheme}://${host}${path}`);
  } catch {
    throw refused(place, `${quoted(text)} is not a URL`, advice);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/**
 * Checks the URL of the API server in the configuration of a client, which a program may have
 * written itself.
 *
 * @throws {ConfigError} When the URL has no scheme, or {@linkcode parseServerUrl} refuses it.
 */
export function checkServerUrl({ server, source }: Pick<ClientConfig, "server" | "source">): void {
  const place = `the server of a client's configuration${source ? ` (${source})` : ""}`;
  const text: unknown = server;
  if (typeof text !== "string") {
    throw refused(place, `it must be a URL, is ${described(text)}`, ADVICE);
  }
  if (!text.includes("@") && !text.includes("://")) {
    throw refused(place, `${quoted(text)} does not begin with https:// or http://`, ADVICE);
  }
  parseServerUrl({ value: text, place, folder: undefined });
}

/**
 * Returns the configured URL of a proxy unchanged, after a check; `undefined` for an empty text.
 *
 * @throws {ConfigError} When the text is not an `http`, `https` or `socks5` URL. The message does
 * not contain the text, which may contain a password.
 */
export function parseProxyUrl({ value, place }: Sourced<string>): string | undefined {
  if (value === "") return undefined;
  const advice = "write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT";
  if (!/^(https?|socks5):\/\/\S+$/i.test(value) || !URL.canParse(value)) {
    throw refused(place, "it is not an http, https or socks5 URL", advice);
  }
  return value;
}
