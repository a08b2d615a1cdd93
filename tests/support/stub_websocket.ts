import { Mailbox, type ProgramIo } from "./stub_programs.ts";

/** What a kubelet's streams need to know of the request. */
export interface StreamContext {
  /** The query of the request. */
  readonly query: URLSearchParams;
  /** The port of this machine for each port of a pod. */
  readonly ports: ReadonlyMap<number, number>;
  /** Whether ports are forwarded; otherwise a program runs. */
  readonly forward: boolean;
  /** Runs the program; settles with the text for the error channel. */
  readonly remote: (io: Omit<ProgramIo, "args">) => Promise<string>;
}

/** What is used of a server's socket of the `ws` package. */
export interface StubSocket {
  readonly protocol: string;
  on(event: "message", listener: (data: Uint8Array) => void): void;
  on(event: "close" | "error", listener: () => void): void;
  send(data: Uint8Array, done?: (error?: Error) => void): void;
  close(code?: number): void;
}

interface StubSocketServer {
  handleUpgrade(
    request: unknown,
    socket: unknown,
    head: Uint8Array,
    done: (ws: StubSocket) => void,
  ): void;
}

const PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io", "SPDY/3.1+portforward.k8s.io"];
const { WebSocketServer } = await import("ws") as unknown as {
  WebSocketServer: new (options: Record<string, unknown>) => StubSocketServer;
};

/** Accepts WebSockets that come in over another server. */
export function webSocketServer(): StubSocketServer {
  return new WebSocketServer({
    noServer: true,
    handleProtocols: (offered: Set<string>) =>
      [...offered].find((each) => PROTOCOLS.includes(each)) ?? false,
  });
}

/** Bytes of text; bytes as they are. */
export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}

/** Sends one message on a channel; settles when it has gone out. */
function sender(ws: StubSocket, channel: number): (data: string | Uint8Array) => Promise<void> {
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

/** Exec and attach over `v5.channel.k8s.io` or `v4.channel.k8s.io`. */
export async function serveRemote(ws: StubSocket, context: StreamContext): Promise<void> {
  const stdin = new Mailbox<Uint8Array>();
  const sizes = new Mailbox<{ Width: number; Height: number }>();
  const end = (): void => {
    stdin.close();
    sizes.close();
  };
  ws.on("message", (data) => {
    if (data[0] === 0) stdin.put(data.subarray(1));
    else if (data[0] === 4) sizes.put(JSON.parse(new TextDecoder().decode(data.subarray(1))));
    else if (data[0] === 255 && ws.protocol.startsWith("v5")) stdin.close();
  });
  ws.on("close", end);
  ws.on("error", end);
  const [out, err, status] = [sender(ws, 1), sender(ws, 2), sender(ws, 3)];
  await out(""); // as a kubelet does, to say that the streams are open
  const tty = context.query.get("tty") === "1";
  await status(await context.remote({ stdin, sizes, out, err, tty }));
  ws.close(1000);
}

/** Port-forward over `v4.channel.k8s.io`: two channels for each port, data and errors. */
export async function servePorts(ws: StubSocket, context: StreamContext): Promise<void> {
  const asked = (context.query.get("port") ?? "").split(",").map(Number);
  const inputs = asked.map(() => new Mailbox<Uint8Array>());
  const end = (): void => inputs.forEach((input) => input.close());
  ws.on("message", (data) => {
    if (data[0]! % 2 === 0) inputs[data[0]! / 2]?.put(data.subarray(1));
  });
  ws.on("close", end);
  ws.on("error", end);
  await Promise.all(asked.map(async (port, at) => {
    const [data, errors] = [sender(ws, at * 2), sender(ws, at * 2 + 1)];
    const prefix = Uint8Array.of(port & 0xff, port >> 8);
    await data(prefix);
    await errors(prefix);
    const failure = await pipePort({ port, input: inputs[at]!, output: data }, context);
    if (failure) await errors(failure);
  }));
  ws.close(1000);
}

/** Joins a stream to a port; settles with what went wrong, if anything. */
export async function pipePort(
  { port, input, output }: {
    readonly port: number;
    readonly input: AsyncIterable<Uint8Array>;
    readonly output: (data: Uint8Array) => Promise<void>;
  },
  context: StreamContext,
): Promise<string | undefined> {
  const local = context.ports.get(port);
  if (local === undefined) {
    return `failed to connect to localhost:${port} inside namespace "stub": connection refused`;
  }
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: local });
  const sending = (async () => {
    const writer = connection.writable.getWriter();
    for await (const chunk of input) await writer.write(chunk);
    await writer.close();
  })().catch(() => {});
  try {
    for await (const chunk of connection.readable) await output(chunk);
  } catch {
    // Either side went away.
  }
  try {
    connection.close();
  } catch {
    // It is closed.
  }
  if (input instanceof Mailbox) input.close();
  await sending;
  return undefined;
}
