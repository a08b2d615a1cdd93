// Mirrors `util/proxy/upgradeaware.go, UpgradeAwareHandler.ServeHTTP`.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { errorText, systemClock } from "@xca/apimachinery/base";
import { tunnelResponse } from "@xca/apimachinery/internal/serving";
import { internalError, StatusError } from "@xca/apimachinery/internal/errors";
import { isTokenProtocol } from "../access/tokens/web_socket_token.ts";

/** The time that a connection to a kubelet or an extension API server may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The largest head of a handshake's response, in bytes. */
const MAX_HEAD_BYTES = 65_536;
/** The number of bytes of an error's body that a `Status` quotes (`GenericHttpResponseChecker`). */
const MAX_ERROR_BYTES = 16_384;

/** The URL that a request is forwarded to over TLS, without a check of the certificate. */
export interface ForwardTarget {
  readonly host: string;
  readonly port: number;
  /** The path of the forwarded request, with its query. */
  readonly path: string;
}

/** The headers that are about one connection, or about the user of the API server. */
const OWN_HEADERS = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Forwards a request over TLS, and returns the response, whose body is a stream. Headers by which
 * the user authenticated are left out.
 *
 * @throws {StatusError} 500 when the target cannot be reached.
 */
export async function forwarded(
  target: ForwardTarget,
  request: Request,
  extra: readonly (readonly [string, string])[] = [],
): Promise<Response> {
  const { Agent, request: httpsRequest } = await import("node:https");
  const { method, signal } = request;
  const body = method === "GET" || method === "HEAD" ? undefined : await request.bytes();
  const socket = await connected(target).catch((error) => {
    throw internalError(`${titled(method)} "${urlOf(target)}": ${dialProblem(target, error)}`);
  });
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => socket;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { host, port, path } = target;
    const headers = [
      ...forwardedHeaders(request),
      ...extra,
      ...(body ? [["Content-Length", String(body.byteLength)] as const] : []),
    ];
    const sent = httpsRequest({ host, port, path, method, agent, headers: grouped(headers) });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end(body);
  }).catch((error) => {
    throw internalError(`${titled(method)} "${urlOf(target)}": ${errorText(error)}`);
  });
  const abort = (): void => void socket.destroy();
  signal.addEventListener("abort", abort, { once: true });
  socket.on("close", () => signal.removeEventListener("abort", abort));
  const { statusCode = 502, rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!OWN_HEADERS.has(name.toLowerCase()) || name.toLowerCase() === "content-length") {
      headers.append(name, rawHeaders[at + 1]!);
    }
  }
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) {
    answer.resume();
    return new Response(null, { status: statusCode, headers });
  }
  const { Readable } = await import("node:stream");
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(stream, { status: statusCode, headers });
}

/**
 * Forwards a request for another protocol over TLS, with its connection: what follows the handshake
 * passes through in both directions. Returns the response of a refused handshake.
 *
 * @throws {StatusError} 500 when the target cannot be reached.
 */
export async function tunnelled(target: ForwardTarget, request: Request): Promise<Response> {
  const upstream = await connected(target).catch((error) => {
    throw internalError(`error dialing backend: ${dialProblem(target, error)}`);
  });
  upstream.on("error", () => {}); // The closed connection ends the other one too.
  const lines = [
    `${request.method} ${target.path} HTTP/1.1`,
    `Host: ${target.host}:${target.port}`,
    "Connection: Upgrade",
    `Upgrade: ${request.headers.get("upgrade") ?? ""}`,
    ...forwardedHeaders(request).map(([name, value]) => `${name}: ${value}`),
  ];
  upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
  const { status, text, rest } = await handshake(upstream).catch((error) => {
    upstream.destroy();
    throw internalError(`error dialing backend: ${errorText(error)}`);
  });
  if (status === 101) {
    return tunnelResponse(({ socket, head }) => joined(socket, upstream, { head, text, rest }));
  }
  upstream.destroy();
  return new Response(rest, { status: status >= 200 && status < 600 ? status : 502 });
}

/**
 * Returns the error that kube-apiserver makes of a kubelet's refusal
 * (`registry/generic/rest/response_checker.go`, `GenericHttpResponseChecker.Check`); `undefined` for
 * a response with a status of success.
 */
export async function refusalOf(
  response: Response,
  name: string,
): Promise<StatusError | undefined> {
  if (response.ok) return undefined;
  const text = (await response.text()).slice(0, MAX_ERROR_BYTES);
  if (response.status === 500) return internalError(text);
  if (response.status === 400) return new StatusError(400, "BadRequest", text);
  const { status } = response;
  const message = `the server responded with the status code ${status} but did not return more ` +
    `information (get pods ${name}): ${text}`;
  return new StatusError(status, status === 404 ? "NotFound" : "InternalError", message);
}

function forwardedHeaders({ headers }: Request): [string, string][] {
  return [...headers].flatMap(([name, value]): [string, string][] => {
    if (OWN_HEADERS.has(name) || name.startsWith("impersonate-")) return [];
    if (name !== "sec-websocket-protocol") return [[name, value]];
    const offered = value.split(",").map((each) => each.trim());
    return [[name, offered.filter((each) => !isTokenProtocol(each)).join(", ")]];
  });
}

function grouped(headers: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of headers) (groups[name] ??= []).push(value);
  return groups;
}

/** Opens a TLS connection. @throws {Error} When it fails, or takes too long. */
async function connected({ host, port }: ForwardTarget): Promise<TLSSocket> {
  const { connect } = await import("node:tls");
  const socket = connect({ host, port, rejectUnauthorized: false });
  using _timer = systemClock.after(
    CONNECT_TIMEOUT_MS,
    () => void socket.destroy(new Error("i/o timeout")),
  );
  return await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on("secureConnect", () => resolve(socket));
  });
}

/** The response to a handshake. */
interface Handshake {
  readonly status: number;
  /** The head of the response, with the empty line at its end. */
  readonly text: string;
  /** The bytes that followed the head. */
  readonly rest: Uint8Array<ArrayBuffer>;
}

/** Reads the response to a handshake: of a refusal to the end, of another one the head alone. */
function handshake(socket: Duplex): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    let bytes = new Uint8Array(0);
    const finish = (): void => {
      const parsed = parseHandshake(bytes);
      if (!parsed) reject(new Error("the response of the handshake is incomplete"));
      else settle(parsed);
    };
    const settle = (parsed: Handshake): void => {
      socket.off("data", take);
      socket.off("close", finish);
      socket.off("end", finish);
      socket.pause();
      resolve(parsed);
    };
    const take = (data: Uint8Array): void => {
      bytes = concat(bytes, data);
      const parsed = parseHandshake(bytes);
      if (!parsed && bytes.byteLength > MAX_HEAD_BYTES) {
        socket.destroy(new Error("the head of the handshake's response is too large"));
        return;
      }
      if (!parsed) return;
      const length = /\r\ncontent-length: *(\d+)/i.exec(parsed.text)?.[1];
      const isWhole = length !== undefined && parsed.rest.byteLength >= Number(length);
      if (parsed.status === 101 || isWhole) settle(parsed);
    };
    socket.on("data", take);
    socket.on("close", finish);
    socket.on("end", finish);
  });
}

function parseHandshake(bytes: Uint8Array<ArrayBuffer>): Handshake | undefined {
  const latin = new TextDecoder("latin1").decode(bytes);
  const end = latin.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const text = latin.slice(0, end + 4);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, text, rest: bytes.slice(end + 4) };
}

/** Passes the bytes of two connections to each other, until either ends. */
function joined(
  client: Duplex,
  upstream: Duplex,
  { head, text, rest }: { readonly head: Uint8Array } & Pick<Handshake, "text" | "rest">,
): void {
  client.on("error", () => {});
  client.on("close", () => void upstream.destroy());
  upstream.on("close", () => void client.end());
  client.write(text);
  if (rest.byteLength > 0) client.write(rest);
  if (head.byteLength > 0) upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.byteLength + b.byteLength);
  bytes.set(a);
  bytes.set(b, a.byteLength);
  return bytes;
}

function urlOf({ host, port, path }: ForwardTarget): string {
  return `https://${host}:${port}${path}`;
}

function titled(method: string): string {
  return method.slice(0, 1) + method.slice(1).toLowerCase();
}

/** Returns Go's words for a connection that failed. */
function dialProblem({ host, port }: ForwardTarget, error: unknown): string {
  const { code } = error as { readonly code?: string };
  const why = code === "ECONNREFUSED" ? "connect: connection refused" : errorText(error);
  return `dial tcp ${host}:${port}: ${why}`;
}
