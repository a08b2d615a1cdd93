// Mirrors Go's `net/url`, as it reads and writes the URLs of redirects and of HTML pages.

/** A URL in the fields of Go's package `net/url`. The path is without escapes. */
export interface GoUrl {
  readonly scheme: string;
  /**
   * The text after the scheme of a URL such as `mailto:a@b.c`, whose path does not begin with a
   * slash.
   */
  readonly opaque: string;
  /** The user and password of the URL, with an at sign at the end; empty if there are none. */
  readonly user: string;
  readonly host: string;
  readonly path: string;
  /** The original escaped path of the URL; empty if it equals Go's default encoding of the path. */
  readonly rawPath: string;
  /** The query of the URL with its question mark; empty if there is none. */
  readonly query: string;
  /** The fragment of the URL with its number sign; empty if there is none. */
  readonly fragment: string;
  /** Reports whether the URL has no authority after its scheme, as in `file:/etc/hosts`. */
  readonly omitsHost: boolean;
}

/** A pattern of the characters that Go writes unescaped into a path. */
const PLAIN = /[A-Za-z0-9\-_.~$&+,/:;=@]/;
/** A pattern of the paths whose escapes Go leaves unchanged. */
const VALID_RAW_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/;
/**
 * A pattern of the hosts, each with an optional port, that Go accepts in a URL; addresses in
 * brackets are not included.
 */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=<>"]|[^\0-\x7f]|%[89A-Fa-f][0-9A-Fa-f]|%25)*(?::\d*)?$/;
/** A pattern of IPv6 addresses in brackets, each with an optional port. */
const IP_LITERAL = /^\[[0-9A-Fa-f:.]+(?:%25[^\]]*)?\](?::\d*)?$/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

/** Returns a path with the percent escapes that Go writes (`URL.EscapedPath`). */
export function escapedPath(path: string): string {
  return [...path].map((each) => PLAIN.test(each) ? each : escaped(each)).join("");
}

function escaped(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

/**
 * Parses a URL or a relative reference.
 *
 * @throws {Error} With Go's message, if Go could not parse it.
 */
export function parseGoUrl(text: string): GoUrl {
  const cut = text.indexOf("#");
  const before = cut < 0 ? text : text.slice(0, cut);
  const fail = (why: string): never => {
    throw new Error(`parse ${JSON.stringify(cut < 0 ? text : before)}: ${why}`);
  };
  // deno-lint-ignore no-control-regex -- Go refuses exactly these characters.
  if (/[\x00-\x1f\x7f]/.test(before)) fail("net/url: invalid control character in URL");
  if (before.startsWith(":")) fail("missing protocol scheme");
  const scheme = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(before)?.[1] ?? "";
  let rest = scheme === "" ? before : before.slice(scheme.length + 1);
  const at = rest.indexOf("?");
  const query = at < 0 ? "" : rest.slice(at);
  if (at >= 0) rest = rest.slice(0, at);
  const fragment = cut < 0 ? "" : fragmentOf(text, text.slice(cut + 1));
  const url = { scheme: scheme.toLowerCase(), opaque: "", user: "", host: "", query, fragment };
  if (!rest.startsWith("/") && scheme !== "") {
    return { ...url, opaque: rest, path: "", rawPath: "", omitsHost: false };
  }
  if (!rest.startsWith("/") && rest.split("/")[0]!.includes(":")) {
    fail("first path segment in URL cannot contain colon");
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"));
  const [, authority = "", path = ""] = hasAuthority
    ? /^\/\/([^/]*)(.*)$/s.exec(rest)!
    : ["", "", rest];
  const omitsHost = !hasAuthority && scheme !== "";
  const user = authority.slice(0, authority.lastIndexOf("@") + 1);
  const host = authority.slice(user.length);
  if (user !== "" && !USER.test(user)) fail("net/url: invalid userinfo");
  if (!IP_LITERAL.test(host) && !HOST.test(host)) fail(hostProblem(host));
  const wrong = wrongEscape(path);
  if (wrong !== undefined) fail(`invalid URL escape ${JSON.stringify(wrong)}`);
  const plain = unescaped(path);
  const rawPath = escapedPath(plain) === path ? "" : path;
  return { ...url, user, host, path: plain, rawPath, omitsHost };
}

function hostProblem(host: string): string {
  const bracket = host.lastIndexOf("[");
  if (bracket === 0 && !host.includes("]")) return "missing ']' in host";
  if (bracket > 0) return "invalid IP-literal";
  const port = /:.*$/s.exec(host)?.[0];
  if (port !== undefined && !/^:\d*$/.test(port)) {
    return `invalid port ${JSON.stringify(port)} after host`;
  }
  const wrong = [...host].find((each) => !HOST.test(each)) ?? "%";
  return `invalid character ${JSON.stringify(wrong)} in host name`;
}

/**
 * Returns the first invalid percent escape of a text, as Go quotes it; `undefined` if there is
 * none.
 */
function wrongEscape(text: string): string | undefined {
  return /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text)?.[0];
}

function fragmentOf(text: string, fragment: string): string {
  const wrong = wrongEscape(fragment);
  if (wrong === undefined) {
    const isPlain = /^[A-Za-z0-9\-_.~$&+,/:;=?@!'()*[\]%]*$/.test(fragment);
    return fragment === "" ? "" : `#${isPlain ? fragment : escapedFragment(unescaped(fragment))}`;
  }
  throw new Error(`parse ${JSON.stringify(text)}: invalid URL escape ${JSON.stringify(wrong)}`);
}

function escapedFragment(text: string): string {
  return [...text].map((each) => /[?!()*]/.test(each) ? each : escapedPath(each)).join("");
}

/** Decodes the percent escapes of a URL path; escapes that are not UTF-8 are left unchanged. */
function unescaped(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Formats a URL as Go does (`URL.String`). */
export function goUrlText(url: GoUrl): string {
  const { scheme, opaque, user, host, omitsHost } = url;
  let text = scheme === "" ? "" : `${scheme}:`;
  if (opaque !== "") text += opaque;
  else {
    const isBare = scheme === "" && host === "" && user === "" ||
      omitsHost && host === "" && user === "";
    if (!isBare && (host !== "" || url.path !== "" || user !== "")) text += `//${user}${host}`;
    const keepsRaw = url.rawPath !== "" && VALID_RAW_PATH.test(url.rawPath) &&
      unescaped(url.rawPath) === url.path;
    const path = keepsRaw ? url.rawPath : url.path === "*" ? "*" : escapedPath(url.path);
    if (path !== "" && !path.startsWith("/") && host !== "") text += "/";
    if (text === "" && path.split("/")[0]!.includes(":")) text += "./";
    text += path;
  }
  return text + url.query + url.fragment;
}
