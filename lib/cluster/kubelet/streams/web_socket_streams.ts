// Mirrors `kubelet/pkg/cri/streaming/remotecommand/websocket.go, createWebSocketStreams` and
// `portforward/websocket.go, handleWebSocketStreams`.
import { Mailbox } from "./mailbox.ts";
import { bytesOf, type StreamContext, terminalSizes } from "./stream_context.ts";

/** The members of a server-side WebSocket of the `ws` package that streaming requests use. */
export interface ServerSocket {
  readonly protocol: string;
  on(event: "message", listener: (data: Uint8Array) => void): void;
  on(event: "close" | "error", listener: () => void): void;
  send(data: Uint8Array, done?: (error?: Error) => void): void;
  close(code?: number): void;
}

/** The members of a `WebSocketServer` of the `ws` package that streaming requests use. */
export interface SocketServer {
  handleUpgrade(
    request: unknown,
    socket: unknown,
    head: Uint8Array,
    done: (ws: ServerSocket) => void,
  ): void;
}

/**
 * The WebSocket protocols of streaming requests. The server selects the first protocol in the
 * client's offer that is in this list.
 */
const PROTOCOLS = [
  "v5.channel.k8s.io",
  "v4.channel.k8s.io",
  "SPDY/3.1+portforward.k8s.io",
  "portforward.k8s.io",
];
/**
 * The number of the WebSocket protocol's channel for messages that close another channel
 * (`v5.channel.k8s.io`).
 */
const CLOSE_CHANNEL = 255;

/** Returns a WebSocket server that accepts upgraded connections of another HTTP server. */
export async function webSocketServer(): Promise<SocketServer> {
  const { WebSocketServer } = await import("ws") as unknown as {
    readonly WebSocketServer: new (options: Record<string, unknown>) => SocketServer;
  };
  return new WebSocketServer({
    noServer: true,
    handleProtocols: (offered: Set<string>) =>
      [...offered].find((each) => PROTOCOLS.includes(each)) ?? false,
  });
}

/**
 * Returns a function that sends data on a channel of a WebSocket; its promise resolves when the
 * data is written.
 */
function sender(ws: ServerSocket, channel: number): (data: string | Uint8Array) => Promise<void> {
  return (data) => {
    const bytes = bytesOf(data);
    const message = new Uint8Array(bytes.byteLength + 1);
    message[0] = channel;
    message.set(bytes, 1);
    return new Promise((resolve, reject) => {
      ws.send(message, (error) => error ? reject(error) : resolve());
    });
  };
}

/**
 * Serves an exec or attach request over `v5.channel.k8s.io` or `v4.channel.k8s.io` until the
 * process has ended, and then closes the WebSocket.
 */
export async function serveRemote(ws: ServerSocket, context: StreamContext): Promise<void> {
  const stdin = new Mailbox<Uint8Array>();
  const resizes = new Mailbox<Uint8Array>();
  const end = (): void => {
    stdin.close();
    resizes.close();
  };
  ws.on("message", (data) => {
    if (data[0] === 0) stdin.put(data.subarray(1));
    else if (data[0] === 4) resizes.put(data.subarray(1));
    else if (data[0] === CLOSE_CHANNEL && ws.protocol.startsWith("v5")) stdin.close();
  });
  ws.on("close", end);
  ws.on("error", end);
  if (context.query.get("input") !== "1") stdin.close();
  const [out, err, status] = [sender(ws, 1), sender(ws, 2), sender(ws, 3)];
  await out(""); // A kubelet confirms by an empty message that the streams are open.
  const tty = context.query.get("tty") === "1";
  const sizes = terminalSizes(resizes);
  await status!(await context.remote({ stdin, sizes, out: out!, err: err!, tty }));
  ws.close(1000);
}

/**
 * Serves a port-forward request over a WebSocket, with two channels per port: data and errors.
 * Closes the WebSocket when the connections to all ports have ended.
 */
export async function servePorts(ws: ServerSocket, context: StreamContext): Promise<void> {
  const ports = (context.query.get("port") ?? "").split(",").map(Number);
  const inputs = ports.map(() => new Mailbox<Uint8Array>());
  const end = (): void => inputs.forEach((input) => input.close());
  ws.on("message", (data) => {
    if (data[0]! % 2 === 0) inputs[data[0]! / 2]?.put(data.subarray(1));
  });
  ws.on("close", end);
  ws.on("error", end);
  await Promise.all(ports.map(async (port, at) => {
    const [data, errors] = [sender(ws, at * 2), sender(ws, at * 2 + 1)];
    const prefix = Uint8Array.of(port & 0xff, port >> 8);
    await data(prefix);
    await errors(prefix);
    const failure = await context.connect({ port, input: inputs[at]!, output: data });
    if (failure !== undefined) await errors(failure);
    inputs[at]!.close();
  }));
  ws.close(1000);
}
