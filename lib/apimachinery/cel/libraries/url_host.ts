import { goQuote } from "../../values/go_text.ts";
import { decodePercent } from "../../values/percent_encoding.ts";
import { isIpv6, parseIp } from "../../validation/ip_address.ts";

/**
 * A regular expression for an invalid percent escape in a URL: a percent sign without two
 * hexadecimal digits. A match includes up to two following characters.
 */
export const BAD_ESCAPE: RegExp = /%(?![0-9A-Fa-f]{2}).{0,2}/;
/**
 * A regular expression for a percent escape that Go rejects in a URL's host, where only non-ASCII
 * bytes and `%` may be escaped. A match includes up to two characters after the percent sign.
 */
const HOST_ESCAPE = /%(?![89A-Fa-f][0-9A-Fa-f]|25).{0,2}/;
const HOST_ODD = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\x80-\u{10ffff}]/u;
const ZONE = "%25";

/**
 * Returns the unescaped host with the port of a URL's authority, or the reason why the authority is
 * invalid, in the words of Go's `net/url`.
 */
export function parseAuthority(
  scheme: string,
  authority: string,
): { readonly host: string } | { readonly problem: string } {
  const at = authority.lastIndexOf("@");
  const problem = (at < 0 ? undefined : userProblem(authority.slice(0, at))) ??
    hostProblem(scheme, authority.slice(at + 1));
  return problem === undefined ? { host: decodePercent(authority.slice(at + 1)) } : { problem };
}

function userProblem(user: string): string | undefined {
  if (/[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/.test(user)) return "net/url: invalid userinfo";
  return badEscape(BAD_ESCAPE, user);
}

function hostProblem(scheme: string, host: string): string | undefined {
  const open = host.lastIndexOf("[");
  if (open > 0) return "invalid IP-literal";
  if (open === 0) return literalProblem(host);
  // URLs of other schemes may have several hosts, each with a port.
  const isHttp = scheme === "http" || scheme === "https";
  const colon = isHttp ? host.indexOf(":") : host.lastIndexOf(":");
  return (colon < 0 ? undefined : portProblem(host.slice(colon))) ?? textProblem(host);
}

function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (close < 0) return "missing ']' in host";
  const text = host.slice(1, close);
  const zone = text.indexOf(ZONE);
  const address = zone < 0 ? text : text.slice(0, zone);
  const problem = portProblem(host.slice(close + 1)) ?? textProblem(address) ??
    badEscape(BAD_ESCAPE, text);
  if (problem !== undefined) return problem;
  const parsed = parseIp(decodePercent(address));
  if (!parsed) return `invalid host: ParseAddr(${goQuote(address)}): unable to parse IP`;
  return isIpv6(parsed) || address.includes(":") ? undefined : "invalid IP-literal";
}

function textProblem(host: string): string | undefined {
  const odd = HOST_ODD.exec(host)?.[0];
  return badEscape(HOST_ESCAPE, host) ??
    (odd === undefined ? undefined : `invalid character ${goQuote(odd)} in host name`);
}

function badEscape(bad: RegExp, text: string): string | undefined {
  const escape = bad.exec(text)?.[0];
  return escape === undefined ? undefined : `invalid URL escape ${goQuote(escape)}`;
}

function portProblem(port: string): string | undefined {
  return port === "" || /^:\d*$/.test(port)
    ? undefined
    : `invalid port ${goQuote(port)} after host`;
}
