// Mirrors `cel/library/urls.go, URLs`.
import { decodePercent } from "../../values/percent_encoding.ts";
import { goQuote } from "../../values/go_text.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { CelError, CelObject, type CelValue, ValueList, ValueMap } from "../values/value.ts";
import { BAD_ESCAPE, parseAuthority } from "./url_host.ts";

/**
 * The components of a URL, split as by Go's `net/url`. The host is unescaped and includes the port;
 * the path and the query are as written, with the fragment.
 */
interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

class Url extends CelObject {
  override readonly type: CelType = namedType("kubernetes.URL");

  constructor(readonly text: string, readonly parts: UrlParts) {
    super();
  }

  override equals(other: CelObject): boolean {
    return this.text === (other as Url).text;
  }
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
// deno-lint-ignore no-control-regex -- it finds control characters
const CONTROL = /[\x00-\x1f\x7f]/;

/**
 * Parses an absolute URL, an absolute path or `*`. Returns its components, or the error message for
 * any other text.
 */
function parse(text: string): UrlParts | string {
  const fail = (why: string): string => `parse ${goQuote(text)}: ${why}`;
  if (CONTROL.test(text)) return fail("net/url: invalid control character in URL");
  if (text === "") return fail("empty url");
  if (text === "*") return { scheme: "", host: "", path: "*", query: "" };
  if (text.startsWith(":")) return fail("missing protocol scheme");
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase() ?? "";
  let rest = scheme === "" ? text : text.slice(scheme.length + 1);
  const mark = rest.indexOf("?");
  const query = mark < 0 ? "" : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (!rest.startsWith("/")) {
    if (scheme === "") return fail("invalid URI for request");
    return { scheme, host: "", path: "", query };
  }
  let host = "";
  if (rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"))) {
    const slash = rest.indexOf("/", 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? "" : rest.slice(slash);
    const parsed = parseAuthority(scheme, authority);
    if ("problem" in parsed) return fail(parsed.problem);
    host = parsed.host;
  }
  const escape = BAD_ESCAPE.exec(rest)?.[0];
  if (escape !== undefined) return fail(`invalid URL escape ${goQuote(escape)}`);
  return { scheme, host, path: rest, query };
}

function hostname(host: string): string {
  const bare = host.replace(/:\d*$/, "");
  return bare.startsWith("[") && bare.endsWith("]") ? bare.slice(1, -1) : bare;
}

/**
 * Returns the path of a URL without the fragment: unchanged if all its characters are valid,
 * otherwise unescaped and escaped again.
 */
function escapedPath(path: string): string {
  const clean = path.split("#", 1)[0]!;
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/.test(clean)) return clean;
  return encodeURI(decodePercent(clean)).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function queryMap(query: string): ValueMap {
  const lists = new Map<string, CelValue[]>();
  for (const pair of query.split("#", 1)[0]!.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const [key = "", ...value] = pair.split("=");
    const decode = (text: string): string => decodePercent(text.replaceAll("+", " "));
    const list = lists.get(decode(key)) ?? [];
    list.push(decode(value.join("=")));
    lists.set(decode(key), list);
  }
  return new ValueMap([...lists].map(([key, values]) => [key, new ValueList(values)]));
}

function toUrl(text: string): CelValue {
  const parts = parse(text);
  return typeof parts === "string"
    ? new CelError(`URL parse error during conversion from string: ${parts}`)
    : new Url(text, parts);
}

function partsOf(url: CelValue | undefined): UrlParts {
  return (url as Url).parts;
}

/** The CEL library of functions for URLs. */
export const URLS: Library = {
  signatures: `
    url string_to_url(string) kubernetes.URL
    getScheme url_get_scheme.(kubernetes.URL) string
    getHost url_get_host.(kubernetes.URL) string
    getHostname url_get_hostname.(kubernetes.URL) string
    getPort url_get_port.(kubernetes.URL) string
    getEscapedPath url_get_escaped_path.(kubernetes.URL) string
    getQuery url_get_query.(kubernetes.URL) map(string, list(string))
    isURL is_url_string(string) bool`,
  implementations: {
    string_to_url: (text) => toUrl(text as string),
    url_get_scheme: (url) => partsOf(url).scheme,
    url_get_host: (url) => partsOf(url).host,
    url_get_hostname: (url) => hostname(partsOf(url).host),
    url_get_port: (url) => /:(\d*)$/.exec(partsOf(url).host)?.[1] ?? "",
    url_get_escaped_path: (url) => escapedPath(partsOf(url).path),
    url_get_query: (url) => queryMap(partsOf(url).query),
    is_url_string: (text) => typeof parse(text as string) !== "string",
  },
};
