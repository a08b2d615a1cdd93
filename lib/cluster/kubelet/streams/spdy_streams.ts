/**
 * Exec, attach and port-forward over SPDY/3.1, which API servers up to 1.35 use to a kubelet, and
 * kubectl to forward ports: on an upgraded connection, or inside the messages of a WebSocket.
 *
 * @module
 */
// Mirrors `kubelet/pkg/cri/streaming/remotecommand/httpstream.go, createHTTPStreamStreams` and
// `portforward/httpstream.go, handleHTTPStreams`.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type ByteCarrier, SpdyConnection, type SpdyStream } from "./spdy_connection.ts";
import { Mailbox } from "./mailbox.ts";
import { bytesOf, type StreamContext, terminalSizes } from "./stream_context.ts";
import type { ServerSocket } from "./web_socket_streams.ts";

/**
 * Serves an exec, attach or port-forward request over SPDY, until the client closes the connection.
 * No process runs when the client offers no known protocol, which is refused with 403, or leaves
 * before it has opened the streams of the process.
 */
export async function serveSpdy(
  request: IncomingMessage,
  carrier: Duplex | ServerSocket,
  context: StreamContext,
): Promise<void> {
  const bytes = "destroy" in carrier
    ? overUpgrade(request, carrier, context)
    : overMessages(carrier);
  if (!bytes) return;
  const connection = new SpdyConnection(bytes);
  const running = connection.run().catch(() => {});
  if (context.forward) await forward(connection, context);
  else await remote(connection, context);
  // The client ends the connection when it has read everything; otherwise it may wait 30 s.
  await running;
  bytes.end();
}

/**
 * Answers the handshake of a SPDY connection. Returns the transport of the connection, or
 * `undefined` if the handshake was refused.
 */
function overUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  context: StreamContext,
): ByteCarrier | undefined {
  const offered = String(request.headers["x-stream-protocol-version"] ?? "");
  const protocol = context.forward ? "portforward.k8s.io" : "v4.channel.k8s.io";
  if (!offered.includes(protocol)) {
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    return undefined;
  }
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n" +
      `X-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  const bytes = new Mailbox<Uint8Array>();
  socket.on("data", (data: Uint8Array) => bytes.put(data));
  socket.on("close", () => bytes.close());
  socket.on("end", () => bytes.close());
  return {
    bytes,
    send: (data) =>
      new Promise((resolve, reject) => {
        socket.write(data, (error) => error ? reject(error) : resolve());
      }),
    end: () => void socket.end(),
  };
}

function overMessages(ws: ServerSocket): ByteCarrier {
  const bytes = new Mailbox<Uint8Array>();
  ws.on("message", (data) => bytes.put(data));
  ws.on("close", () => bytes.close());
  ws.on("error", () => bytes.close());
  return {
    bytes,
    send: (data) =>
      new Promise((resolve, reject) => {
        ws.send(data, (error) => error ? reject(error) : resolve());
      }),
    end: () => ws.close(1000),
  };
}

async function remote(connection: SpdyConnection, context: StreamContext): Promise<void> {
  const { query } = context;
  const tty = query.get("tty") === "1";
  const expected = new Set(["error"]);
  for (const [param, type] of [["input", "stdin"], ["output", "stdout"], ["error", "stderr"]]) {
    if (query.get(param!) === "1" && !(tty && type === "stderr")) expected.add(type!);
  }
  if (tty) expected.add("resize");
  const streams = new Map<string, SpdyStream>();
  for await (const stream of connection.streams) {
    streams.set(stream.headers.get("streamtype") ?? "", stream);
    if ([...expected].every((type) => streams.has(type))) break;
  }
  // The client has left.
  if (![...expected].every((type) => streams.has(type))) return;
  const write = (type: string) => async (data: string | Uint8Array): Promise<void> => {
    await streams.get(type)?.send(bytesOf(data));
  };
  const text = await context.remote({
    stdin: streams.get("stdin")?.input ?? closed(),
    sizes: terminalSizes(streams.get("resize")?.input ?? closed()),
    tty,
    out: write("stdout"),
    err: write("stderr"),
  });
  for (const type of ["stdout", "stderr"]) await streams.get(type)?.end();
  await streams.get("error")?.send(bytesOf(text));
  await streams.get("error")?.end();
}

/** Returns the input of a stream that the client does not open, which is empty. */
function closed(): AsyncIterable<Uint8Array> {
  const input = new Mailbox<Uint8Array>();
  input.close();
  return input;
}

/**
 * Serves the forwarded connections of a port-forward request until all have ended. Each connection
 * has two streams: errors and data. An error of one connection does not end the others, and is not
 * thrown.
 */
async function forward(connection: SpdyConnection, context: StreamContext): Promise<void> {
  const errors = new Map<string, SpdyStream>();
  const running = new Set<Promise<void>>();
  for await (const stream of connection.streams) {
    const id = stream.headers.get("requestid") ?? "";
    if (stream.headers.get("streamtype") === "error") errors.set(id, stream);
    else {
      const joined = join(stream, errors.get(id), context).catch(() => {})
        .finally(() => running.delete(joined));
      running.add(joined);
      errors.delete(id);
    }
  }
  await Promise.all(running);
}

async function join(
  data: SpdyStream,
  errors: SpdyStream | undefined,
  context: StreamContext,
): Promise<void> {
  const port = Number(data.headers.get("port"));
  const failure = await context.connect({ port, input: data.input, output: data.send });
  if (failure !== undefined) await errors?.send(bytesOf(failure));
  await errors?.end();
  await data.end();
}
