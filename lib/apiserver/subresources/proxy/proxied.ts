// Mirrors `util/proxy/upgradeaware.go, UpgradeAwareHandler` and `util/proxy/transport.go, Transport`.
import { errorText } from "@xca/apimachinery/base";
import { internalError, StatusError } from "@xca/apimachinery/internal/errors";
import { decodePercent } from "@xca/apimachinery/internal/values";
import {
  exchanged,
  forwardedHeaders,
  responseHeaders,
  responseOf,
  tunnelled,
} from "../connection/kubelet_connection.ts";
import type { DialTarget } from "../connection/dial.ts";
import type { HeaderList, ReceivedResponse } from "../connection/http_exchange.ts";
import { escapedPath, parseGoUrl } from "./go_url.ts";
import type { ProxyLocation } from "./proxy_location.ts";
import { cleanPath, type ProxiedPage, rewrittenUrl } from "./rewrite_url.ts";

/**
 * The CORS response headers, with which a server behind the proxy would allow pages of other hosts
 * to read its responses.
 */
const CORS_HEADERS = [
  "Access-Control-Allow-Credentials",
  "Access-Control-Allow-Headers",
  "Access-Control-Allow-Methods",
  "Access-Control-Allow-Origin",
];

/** The header with which kube-apiserver prevents caching of a response. */
const UNCACHED = { "Cache-Control": "no-cache, private" };

/** The content encodings of pages whose URLs are rewritten, with their compression formats. */
const ENCODINGS: Readonly<Record<string, CompressionFormat>> = {
  gzip: "gzip",
  deflate: "deflate-raw",
};

/**
 * Forwards a proxy request to a location, including protocol upgrades; returns the response.
 * Redirects and the URLs in HTML pages are rewritten to lead through the proxy. A GET or HEAD of an
 * empty path is redirected to the path `/`.
 *
 * @param path The path behind the proxy, without escapes.
 * @throws {StatusError} 503, or 500 for a protocol upgrade, if the location cannot be reached or
 * sends no valid HTTP response; 500 for an invalid redirect or an HTML page that cannot be decoded.
 */
export async function proxied(
  location: ProxyLocation,
  path: string,
  request: Request,
): Promise<Response> {
  const { method, headers } = request;
  const url = new URL(request.url);
  const asked = decodePercent(url.pathname);
  if (/\bupgrade\b/i.test(headers.get("connection") ?? "")) {
    const target = { ...targetOf(location), path: `${escapedPath(path) || "/"}${url.search}` };
    return await tunnelled(target, request, forwardedTo(request));
  }
  if (path === "" && (method === "GET" || method === "HEAD")) {
    // A relative URL of the page would otherwise not lead through the proxy.
    const to = `${asked}/${url.search}`;
    return new Response(null, { status: 301, headers: { Location: to, ...UNCACHED } });
  }
  const prefix = asked.endsWith(path) ? asked.slice(0, asked.length - path.length) : asked;
  const page = { host: location.host, requestHost: url.host, prefix };
  const inner = escapedPath(path === "" ? "/" : path);
  const uri = cleanPath(`${prefix}/${inner}`) + (inner.endsWith("/") ? "/" : "");
  const sent: HeaderList = [...forwardedTo(request), ["X-Forwarded-Uri", uri]];
  return await answered(location, { path: `${inner}${url.search}`, page }, request, sent);
}

async function answered(
  location: ProxyLocation,
  { path, page }: { readonly path: string; readonly page: ProxiedPage },
  request: Request,
  sent: HeaderList,
): Promise<Response> {
  const target = { ...targetOf(location), path };
  const asksNone = ["accept-encoding", "range"].every((name) => !request.headers.has(name));
  const unzips = asksNone && request.method !== "HEAD";
  const zipped: HeaderList = unzips ? [...sent, ["Accept-Encoding", "gzip"]] : sent;
  const received = await exchanged(target, request, zipped).catch((error) => {
    throw unreachable(errorText(error));
  });
  const answer = unzips ? unzipped(received) : received;
  const headers = responseHeaders(answer);
  for (const name of CORS_HEADERS) headers.delete(name);
  for (const [name, value] of Object.entries(UNCACHED)) headers.append(name, value);
  const redirect = headers.get("location") ?? "";
  const type = (headers.get("content-type") ?? "").split(";")[0]!.trim();
  if (redirect !== "") {
    try {
      headers.set("Location", redirectUrl(redirect, page));
    } catch (error) {
      await answer.body?.cancel();
      throw error;
    }
  } else if (type === "text/html" && request.method !== "HEAD") {
    return await rewritten(responseOf(answer, headers), page);
  }
  return responseOf(answer, headers);
}

/**
 * Decompresses a response that is compressed by gzip, as Go's HTTP client does; other responses are
 * returned unchanged.
 */
function unzipped(response: ReceivedResponse): ReceivedResponse {
  const { headers, body } = response;
  const is = (wanted: string) => ([name]: readonly [string, string]): boolean =>
    name.toLowerCase() === wanted;
  if (!body || headers.find(is("content-encoding"))?.[1].toLowerCase() !== "gzip") return response;
  const left = headers.filter((each) =>
    !is("content-encoding")(each) && !is("content-length")(each)
  );
  return { ...response, headers: left, body: body.pipeThrough(new DecompressionStream("gzip")) };
}

/**
 * Returns the address of the server to which a proxy request is forwarded.
 *
 * @throws {StatusError} 503 if the port is greater than 65,535.
 */
function targetOf({ target }: ProxyLocation): DialTarget {
  try {
    return target();
  } catch (error) {
    throw error instanceof StatusError ? error : unreachable(errorText(error));
  }
}

/**
 * Returns the headers with which a client's request is forwarded: the client's headers with the
 * `Host`, without `Authorization` and those of the connection.
 */
function forwardedTo(request: Request): [string, string][] {
  const headers = forwardedHeaders(request)
    .filter(([name]) => !["authorization", "content-length", "host"].includes(name));
  return [["Host", request.headers.get("host") ?? new URL(request.url).host], ...headers];
}

function unreachable(why: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", `error trying to reach service: ${why}`);
}

/**
 * Rewrites the URL of a redirect to lead through the proxy.
 *
 * @throws {StatusError} 500 if the URL is invalid.
 */
function redirectUrl(text: string, page: ProxiedPage): string {
  try {
    return rewrittenUrl(parseGoUrl(text), page);
  } catch (error) {
    throw internalError(`error trying to parse Location header: ${errorText(error)}`);
  }
}

/**
 * Returns a response with an HTML page whose URLs are rewritten to lead through the proxy. A
 * response without a body or in an unknown content encoding is returned unchanged.
 *
 * @throws {StatusError} 500 if the page cannot be decoded.
 */
async function rewritten(response: Response, page: ProxiedPage): Promise<Response> {
  const { status, headers, body } = response;
  const encoding = headers.get("content-encoding") ?? "";
  if (!body || encoding !== "" && !Object.hasOwn(ENCODINGS, encoding)) return response;
  const format = ENCODINGS[encoding];
  const { rewrittenHtml } = await import("./rewrite_html.ts");
  try {
    const plain = format ? body.pipeThrough(new DecompressionStream(format)) : body;
    const html = rewrittenHtml(await new Response(plain).bytes(), page);
    const changed = new Headers(headers);
    changed.delete("content-length");
    const stream = new Blob([html]).stream();
    const packed = format ? stream.pipeThrough(new CompressionStream(format)) : html;
    return new Response(packed, { status, headers: changed });
  } catch (error) {
    throw new StatusError(500, "", errorText(error));
  }
}
