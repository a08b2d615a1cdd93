// Mirrors `util/proxy/upgradeaware.go, UpgradeAwareHandler.ServeHTTP`.
import type { Duplex } from "node:stream";
import { errorText, systemClock } from "@xca/apimachinery/base";
import { tunnelResponse } from "@xca/apimachinery/internal/serving";
import { internalError, StatusError } from "@xca/apimachinery/internal/errors";
import { isTokenProtocol } from "../../access/tokens/web_socket_token.ts";
import { dialled, type DialTarget, type Handshake, handshake, hostPortOf } from "./dial.ts";
import {
  exchangeOn,
  firstText,
  type HeaderList,
  receivedOn,
  type ReceivedResponse,
} from "./http_exchange.ts";

/**
 * The number of bytes that are read of an error response's body, which a `Status` then quotes
 * (`registry/generic/rest/response_checker.go`, `maxReadLength`).
 */
const MAX_ERROR_BYTES = 50_000;
/**
 * The time in milliseconds for which the body of a refused upgrade is passed on, as in
 * kube-apiserver.
 */
const REFUSAL_TIMEOUT_MS = 10_000;

/** The server and path to which a request is forwarded. */
export interface ForwardTarget extends DialTarget {
  /** The path of the forwarded request, with its query. */
  readonly path: string;
}

/** The names of headers that concern a single connection and are not forwarded. */
const HOP_HEADERS = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/**
 * The names of headers, in addition to those about the connection, that are not forwarded to
 * kubelets and extension API servers.
 */
const OWN_HEADERS = new Set([
  "accept-encoding",
  "authorization",
  "content-length",
  "cookie",
  "host",
]);

/**
 * Forwards a request to a kubelet or an extension API server; returns the response, whose body is a
 * stream. Headers with the user's credentials are not forwarded; the headers `extra` are added.
 *
 * @throws {StatusError} 500 if the target cannot be reached, or sends no valid HTTP response.
 */
export async function forwarded(
  target: ForwardTarget,
  request: Request,
  extra: HeaderList = [],
): Promise<Response> {
  const { method } = request;
  const headers: HeaderList = [
    ["Host", hostPortOf(target)],
    ...forwardedHeaders(request).filter(([name]) => !OWN_HEADERS.has(name)),
    ...extra,
  ];
  try {
    const answer = await exchanged(target, request, headers);
    return responseOf(answer, responseHeaders(answer));
  } catch (error) {
    throw internalError(`${titled(method)} "${urlOf(target)}": ${errorText(error)}`);
  }
}

/**
 * Sends a request with the given headers to a target; returns the response with an unread body.
 *
 * @throws {Error} With Go's message, if the target cannot be reached, or sends no valid HTTP
 * response.
 */
export async function exchanged(
  target: ForwardTarget,
  request: Request,
  headers: HeaderList,
): Promise<ReceivedResponse> {
  const { method, signal } = request;
  const body = request.body ? await request.bytes() : undefined;
  const connection = await dialled(target, signal);
  const abort = (): void => void connection.destroy();
  signal.addEventListener("abort", abort, { once: true });
  connection.on("close", () => signal.removeEventListener("abort", abort));
  if (signal.aborted) abort();
  return await exchangeOn(connection, { method, path: target.path, headers, body });
}

/** Returns the headers of a response without those that belong to its connection. */
export function responseHeaders({ headers: received }: ReceivedResponse): Headers {
  const headers = new Headers();
  const connection = received.filter(([name]) => name.toLowerCase() === "connection");
  const hops = connection.flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  for (const [name, value] of received) {
    const lower = name.toLowerCase();
    if (!HOP_HEADERS.has(lower) && !hops.includes(lower)) headers.append(name, value);
  }
  return headers;
}

/**
 * Converts the response that another server sent to a `Response` with the given headers. Its body,
 * if it has one, is the unread stream of the received one. A status code outside of 200 to 599
 * becomes 502.
 */
export function responseOf({ status, body }: ReceivedResponse, headers: Headers): Response {
  return new Response(body, {
    status: status < 200 || status > 599 ? 502 : status,
    headers,
  });
}

/**
 * Forwards a request that upgrades its connection to another protocol. Returns the response that
 * upgrades the client's connection, whose data are then passed on in both directions, or the
 * server's response if the server refuses the handshake.
 *
 * @param headers The headers of the forwarded request; by default those of the client's request
 * without credentials, with the target as `Host`.
 *
 * @throws {StatusError} 500 if the target cannot be reached, or sends no valid response to the
 * handshake.
 */
export async function tunnelled(
  target: ForwardTarget,
  request: Request,
  headers?: HeaderList,
): Promise<Response> {
  const { signal } = request;
  const upstream = await dialled(target, signal).catch((error) => {
    throw unknownError(`error dialing backend: ${errorText(error)}`);
  });
  upstream.on("error", () => {}); // The closed connection ends the other one too.
  const sent = headers ?? [
    ["Host", hostPortOf(target)],
    ...forwardedHeaders(request).filter(([name]) => !OWN_HEADERS.has(name)),
  ];
  const lines = [
    `${request.method} ${target.path} HTTP/1.1`,
    "Connection: Upgrade",
    `Upgrade: ${request.headers.get("upgrade") ?? ""}`,
    ...sent.map(([name, value]) => `${name}: ${value}`),
  ];
  upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
  const answer = await handshake(upstream, signal).catch((error) => {
    upstream.destroy();
    throw unknownError(errorText(error));
  });
  if (answer.status === 101) {
    return tunnelResponse(({ socket, head }) => joined(socket, upstream, { head, ...answer }));
  }
  if (answer.status >= 400) return await refusedUpgrade(upstream, answer);
  upstream.destroy();
  throw unknownError(`invalid upgrade response: status code ${answer.status}`);
}

/**
 * Returns the response of a server that refused a handshake, as the client receives it: without
 * hop-by-hop headers and chunked encoding. The body is a stream, which ends at the latest
 * {@linkcode REFUSAL_TIMEOUT_MS} after the head.
 *
 * @throws {StatusError} 500 if the head of the response is invalid.
 */
async function refusedUpgrade(upstream: Duplex, { received }: Handshake): Promise<Response> {
  const timer = systemClock.after(REFUSAL_TIMEOUT_MS, () => void upstream.destroy());
  upstream.on("close", () => timer[Symbol.dispose]());
  const answer = await receivedOn(upstream, "GET", received).catch((error) => {
    throw unknownError(errorText(error));
  });
  return responseOf(answer, responseHeaders(answer));
}

/** Returns the 500 error into which kube-apiserver converts an error without a status code. */
function unknownError(message: string): StatusError {
  return new StatusError(500, "", message);
}

/**
 * Returns the error into which kube-apiserver converts a kubelet's refusal
 * (`registry/generic/rest/response_checker.go`, `GenericHttpResponseChecker.Check`); `undefined`
 * for a successful response, whose body is left unread. `name` is the name of the pod, which some
 * messages contain.
 */
export async function refusalOf(
  response: Response,
  name: string,
): Promise<StatusError | undefined> {
  if (response.ok) return undefined;
  const text = await firstText(response.body, MAX_ERROR_BYTES);
  if (response.status === 500) return internalError(text);
  if (response.status === 400) return new StatusError(400, "BadRequest", text);
  const { status } = response;
  const message = `the server responded with the status code ${status} but did not return more ` +
    `information (get pods ${name}): ${text}`;
  return new StatusError(status, status === 404 ? "NotFound" : "InternalError", message);
}

/**
 * Returns the headers of a request without those of its connection and those for impersonation. A
 * bearer token among the WebSocket protocols is removed.
 */
export function forwardedHeaders({ headers }: Request): [string, string][] {
  const hops = new Set((headers.get("connection") ?? "").toLowerCase().split(/\s*,\s*/));
  return [...headers].flatMap(([name, value]): [string, string][] => {
    if (HOP_HEADERS.has(name) || hops.has(name) || name.startsWith("impersonate-")) return [];
    if (name !== "sec-websocket-protocol") return [[name, value]];
    const offered = value.split(",").map((each) => each.trim());
    return [[name, offered.filter((each) => !isTokenProtocol(each)).join(", ")]];
  });
}

/**
 * Sends the handshake response to the client, then copies the bytes of both connections to each
 * other until either ends.
 */
function joined(
  client: Duplex,
  upstream: Duplex,
  { head, received }: { readonly head: Uint8Array } & Pick<Handshake, "received">,
): void {
  client.on("error", () => {});
  client.on("close", () => void upstream.destroy());
  upstream.on("close", () => {
    // Node.js does not notice the end of a connection that is not read.
    client.resume();
    client.end(() => void client.destroy());
  });
  client.write(received);
  if (head.byteLength > 0) upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
}

function urlOf({ scheme = "https", path, ...target }: ForwardTarget): string {
  return `${scheme}://${hostPortOf(target)}${path}`;
}

function titled(method: string): string {
  return method.slice(0, 1) + method.slice(1).toLowerCase();
}
