// Mirrors `util/proxy/transport.go, Transport.rewriteURL`.
import { type GoUrl, goUrlText } from "./go_url.ts";

/** The page that contains a URL, and the proxy through which the page is requested. */
export interface ProxiedPage {
  /** The host of the server behind the proxy, with its port if one is known. */
  readonly host: string;
  /** The host in the client's request to the proxy, with its port unless that is the default. */
  readonly requestHost: string;
  /** The path of the proxy, which is prefixed to the paths of the server behind it. */
  readonly prefix: string;
}

/**
 * Returns the text of a URL in a page, rewritten to lead through the proxy. URLs of other hosts and
 * relative paths are left unchanged, as are paths that begin with the prefix of the proxy.
 */
export function rewrittenUrl(
  url: GoUrl,
  { host, requestHost, prefix }: ProxiedPage,
): string {
  const isOther = url.host !== "" && url.host !== host && url.host !== requestHost;
  if (isOther || !url.path.startsWith("/")) return goUrlText(url);
  const local = url.host === requestHost ? url : { ...url, scheme: "", host: "" };
  if (url.path.startsWith(prefix)) return goUrlText(local);
  const slash = url.path.endsWith("/") ? "/" : "";
  return goUrlText({ ...local, path: cleanPath(`${prefix}/${url.path}`) + slash, rawPath: "" });
}

/**
 * Returns a path without empty and dot segments, and without a slash at its end (Go's
 * `path.Clean`); the paths `/` and the empty one remain unchanged.
 */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `${path.startsWith("/") ? "/" : ""}${segments.join("/")}`;
}
