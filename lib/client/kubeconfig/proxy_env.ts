import { addressBytes, isLoopback, samePrefix, withoutBrackets } from "../config/ip_address.ts";
import { Proxy } from "../config/proxy.ts";

/** An environment variable by its name. */
type Variables = (name: string) => string | undefined;

/**
 * The proxy that the environment asks for, by the rules of Go's programs: `HTTPS_PROXY` for an
 * `https` server, `HTTP_PROXY` for an `http` one, each also in lower case; never for `localhost` and
 * loopback addresses, nor for what `NO_PROXY` lists: addresses, networks (`10.0.0.0/8`), names
 * (`example.com`, its subdomains too; `.example.com`, those alone), each with or without a port, or
 * `*`.
 *
 * @returns Its URL, which may hold a password; `undefined` for none.
 * @throws {ConfigError} When the variable that counts is no proxy's URL.
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
  // A CGI program's HTTP_PROXY may come from the visitor, as the header `Proxy`.
  return env("REQUEST_METHOD") ? [] : ["HTTP_PROXY", "http_proxy"];
}

/** Where a connection goes, as the rules of `NO_PROXY` see it. */
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
  // An address has no domain: `.2.3` is none of 10.1.2.3.
  if (address) return false;
  const suffix = inAscii(ruleHost.replace(/^\*\./, "."));
  return suffix.startsWith(".")
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
}

/** As Go, which takes brackets for an address with a port alone. */
function splitPort(rule: string): [host: string, port: string | undefined] {
  if (addressBytes(rule)) return [rule, undefined];
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\](?=:)|([^:]*))(?::(\d+))?$/.exec(rule) ?? [];
  return [bracketed ?? plain ?? "", port];
}

/** A domain as the host of a URL has it: `xn--bcher-kva.example` for `bücher.example`. */
function inAscii(domain: string): string {
  // deno-lint-ignore no-control-regex -- what is not ASCII
  if (/^[\u0000-\u007f]*$/.test(domain)) return domain;
  const [, dot = "", name = ""] = /^(\.?)(.*)$/.exec(domain) ?? [];
  return dot + (URL.parse(`http://${name}`)?.hostname ?? name);
}
