import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/time/clock.ts";
import { drained } from "./drained.ts";
import {
  ClientFrames,
  closeFrame,
  LineFrames,
  NORMAL_CLOSURE,
  pongFrame,
  PROTOCOL_ERROR,
} from "./web_socket_frames.ts";
import { isWebSocketUpgrade } from "./web_socket_upgrade.ts";

/** The GUID that the key of a WebSocket handshake is hashed with (RFC 6455, section 1.3). */
const HANDSHAKE_ID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/**
 * The time that the client has to close the connection after the close frame of the server, in
 * milliseconds; then the server closes the connection.
 */
const LINGER_MS = 5000;

/** Reports whether an incoming HTTP message is a GET request that asks for a WebSocket. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && isWebSocketUpgrade(headers.upgrade, headers.connection);
}

/**
 * Checks the handshake of a WebSocket. Returns the protocol to confirm to the client, `""` for
 * none, or the response that refuses the handshake: for example when several protocols are offered,
 * or the client sent no origin, which `golang.org/x/net/websocket` requires
 * (`hybiServerHandshaker.ReadHandshake`).
 */
export function shakeHands(
  incoming: IncomingMessage,
  offered: readonly string[],
): string | Response {
  const { headers } = incoming;
  const refuse = (status: number, text = "", more: Record<string, string> = {}): Response =>
    new Response(text, { status, headers: { "content-length": `${text.length}`, ...more } });
  if (!headers["sec-websocket-key"]) return refuse(400, "mismatch challenge/response");
  if (headers["sec-websocket-version"] !== "13") {
    const supported = { "sec-websocket-version": "13" };
    return refuse(400, "missing or bad WebSocket Version", supported);
  }
  if (!isOrigin(headers.origin)) return refuse(403);
  return offered.length > 1 ? refuse(400) : offered[0] ?? "";
}

/**
 * Reports whether Go parses the origin of a WebSocket handshake as an absolute URL or a path
 * (`url.ParseRequestURI`).
 */
function isOrigin(text: string | undefined): boolean {
  return text !== undefined && /^(\/|[a-z][a-z\d+.-]*:)\S*$/i.test(text);
}

/**
 * Returns the WebSocket protocols that a client offers. Of several `Sec-WebSocket-Protocol` headers
 * the first counts, as in Go.
 */
export function offeredProtocols({ rawHeaders }: IncomingMessage): string[] {
  const at = rawHeaders.findIndex((name, index) =>
    index % 2 === 0 && name.toLowerCase() === "sec-websocket-protocol"
  );
  const text = at < 0 ? "" : rawHeaders[at + 1]!.trim();
  return text === "" ? [] : text.split(",").map((protocol) => protocol.trim());
}

/** A client's connection that was switched to a WebSocket. */
export interface SwitchedConnection {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes after the request for the WebSocket that the server has already received. */
  readonly head: Uint8Array;
  /** The WebSocket subprotocol to confirm to the client; empty for none. */
  readonly protocol: string;
  readonly clock: Clock;
}

/**
 * Confirms a WebSocket to the client and sends each line of a stream, with its newline, as a text
 * message; a last line without a newline is not sent. Closes the connection when the stream ends or
 * the client closes it, and ignores messages of the client. A slow client slows the stream.
 *
 * Resolves when all lines are written or the client has disconnected; rejects when the stream
 * fails.
 */
export async function sendLines(
  body: ReadableStream<Uint8Array>,
  { incoming, socket, head, protocol, clock }: SwitchedConnection,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  socket.on("close", cancel);
  socket.on("error", cancel);
  socket.write(switching(incoming, protocol));
  const client = new ClientFrames({
    ping: pongs(socket),
    close: cancel,
    violation: () => {
      socket.write(closeFrame(PROTOCOL_ERROR));
      cancel();
    },
  });
  socket.on("data", (bytes: Uint8Array) => client.push(bytes));
  client.push(head);
  const lines = new LineFrames();
  while (true) {
    const { done, value } = await reader.read();
    if (socket.destroyed) return;
    if (done) break;
    const frames = lines.push(value);
    if (frames.length > 0 && !socket.write(frames)) await drained(socket, socket);
  }
  const timer = clock.after(LINGER_MS, () => socket.destroy());
  socket.on("close", () => timer[Symbol.dispose]());
  socket.end(closeFrame(NORMAL_CLOSURE));
}

/**
 * Returns a function that answers the pings of a WebSocket's client. While the client does not
 * read, only the newest ping is kept and answered later, as RFC 6455 (section 5.5.3) allows:
 * responses (pongs) to all pings would accumulate without limit.
 */
function pongs(socket: Duplex): (payload: Uint8Array) => void {
  let newest: Uint8Array | undefined;
  return (payload) => {
    if (!socket.writableNeedDrain) return void socket.write(pongFrame(payload));
    if (newest === undefined) {
      socket.once("drain", () => {
        socket.write(pongFrame(newest!));
        newest = undefined;
      });
    }
    newest = payload;
  };
}

function switching({ headers }: IncomingMessage, protocol: string): string {
  const key = headers["sec-websocket-key"]!;
  const accept = createHash("sha1").update(key + HANDSHAKE_ID).digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === "" ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
