import { addressBytes, isLoopback, samePrefix, withoutBrackets } from "../config/ip_address.ts";
import { Proxy } from "../config/proxy.ts";

/** A function that returns the value of an environment variable by its name. */
type Variables = (name: string) => string | undefined;

/**
 * Returns the URL of the proxy that environment variables set for a server, by the rules of Go
 * (`golang.org/x/net/http/httpproxy`): `HTTPS_PROXY` for an `https` server, `HTTP_PROXY` (not in a
 * CGI program) for an `http` server, both also in lower case. `localhost`, loopback addresses and
 * the entries of `NO_PROXY` have no proxy. An entry is a network (`10.0.0.0/8`), `*`, or, with or
 * without a port, an address, a name with its subdomains (`example.com`), or the subdomains alone
 * (`.example.com`).
 *
 * @returns The URL, with `http://` before it if the variable has no scheme, which may contain a
 * password; `undefined` for none.
 * @throws {ConfigError} When the variable is not the URL of a proxy.
 */
export function proxyFromEnvironment(server: string, env: Variables): string | undefined {
  const url = new URL(server);
  const name = variablesFor(url.protocol, env).find((each) => env(each));
  const value = name && env(name);
  if (!name || !value || isExcepted(url, env)) return undefined;
  Proxy.parse(value, name);
  return value.includes("://") ? value : `http://${value}`;
}

function variablesFor(protocol: string, env: Variables): string[] {
  if (protocol === "https:") return ["HTTPS_PROXY", "https_proxy"];
  // In a CGI program HTTP_PROXY may be the header `Proxy` of a client's request.
  return env("REQUEST_METHOD") ? [] : ["HTTP_PROXY", "http_proxy"];
}

/** The destination of a connection, which is matched with the entries of `NO_PROXY`. */
interface Destination {
  readonly host: string;
  readonly address: Uint8Array | undefined;
  readonly port: string;
}

function isExcepted(url: URL, env: Variables): boolean {
  const host = withoutBrackets(url.hostname).toLowerCase();
  const address = addressBytes(host);
  if (host === "localhost" || (address && isLoopback(address))) return true;
  const port = url.port === "" ? url.protocol === "https:" ? "443" : "80" : url.port;
  return (env("NO_PROXY") || env("no_proxy") || "")
    .split(",")
    .some((rule) => matches(rule.trim().toLowerCase(), { host, address, port }));
}

function matches(rule: string, { host, address, port }: Destination): boolean {
  if (rule === "*") return true;
  const [, network, length] = /^([^/]+)\/(\d{1,3})$/.exec(rule) ?? [];
  const prefix = network === undefined ? undefined : addressBytes(network);
  if (prefix) return address !== undefined && samePrefix(address, prefix, Number(length));
  const [ruleHost, rulePort = port] = splitPort(rule);
  if (ruleHost === "" || rulePort !== port) return false;
  const ruleAddress = addressBytes(ruleHost);
  if (ruleAddress) {
    return address !== undefined && samePrefix(address, ruleAddress, 8 * address.length);
  }
  // An address has no subdomains: `.2.3` does not match 10.1.2.3.
  if (address) return false;
  const suffix = inAscii(ruleHost.replace(/^\*\./, "."));
  return suffix.startsWith(".")
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
}

/**
 * Returns the host and the port of an entry of `NO_PROXY`; the port is `undefined` when there is
 * none, and the host empty when the entry is invalid. As in Go, brackets are only allowed around an
 * address with a port.
 */
function splitPort(rule: string): [host: string, port: string | undefined] {
  if (addressBytes(rule)) return [rule, undefined];
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\](?=:)|([^:]*))(?::(\d+))?$/.exec(rule) ?? [];
  return [bracketed ?? plain ?? "", port];
}

/**
 * Returns a domain name in ASCII, as the host of a URL has it: `xn--bcher-kva.example` for
 * `bücher.example`.
 */
function inAscii(domain: string): string {
  // deno-lint-ignore no-control-regex -- matches ASCII
  if (/^[\u0000-\u007f]*$/.test(domain)) return domain;
  const [, dot = "", name = ""] = /^(\.?)(.*)$/.exec(domain) ?? [];
  return dot + (URL.parse(`http://${name}`)?.hostname ?? name);
}
