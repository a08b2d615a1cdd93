/** A request, as received. */
export interface WireRequest {
  /** The first line. */
  readonly line: string;
  /** Every header line, in order, names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body. */
  readonly body: string;
  /** The number of the connection, from 0. */
  readonly connection: number;
}

/** Writes to the connection of one request. */
export interface Wire {
  /** Sends text or bytes as they are. Nothing happens when the peer is gone. */
  send(data: string | Uint8Array): Promise<void>;
  /** Sends one chunk of a chunked body. */
  chunk(data: string | Uint8Array): Promise<void>;
  /** Ends the connection at once. */
  cut(): void;
  /** Settles when the peer has closed the connection. */
  readonly peerClosed: Promise<void>;
}

/** The head of a response with a chunked body. */
export const CHUNKED_HEAD =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

/** A whole answer. */
export function answer(
  body: string,
  { status = "200 OK", headers = [] }: { status?: string; headers?: readonly string[] } = {},
): string {
  const length = new TextEncoder().encode(body).byteLength;
  const lines = [`HTTP/1.1 ${status}`, "Content-Type: application/json", ...headers];
  return `${lines.join("\r\n")}\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** An HTTP/1.1 server on loopback that answers in bytes, so that a test can cut, stall and lie. */
export class RawServer implements AsyncDisposable {
  /** The URL of the server. */
  readonly url: string;
  /** The received text so far. */
  readonly requests: WireRequest[] = [];
  /** The number of connections so far. */
  connections = 0;
  readonly #listener: Deno.Listener<Deno.Conn>;
  readonly #open = new Set<Deno.Conn>();
  readonly #running: Promise<void>[] = [];
  #closed = false;

  /** Listens on a free port, with TLS when a certificate is given. */
  constructor(
    handler: (request: WireRequest, wire: Wire) => void | Promise<void>,
    tls?: { cert: string; key: string },
  ) {
    const at = { hostname: "127.0.0.1", port: 0 };
    this.#listener = tls ? Deno.listenTls({ ...at, ...tls }) : Deno.listen(at);
    const { port } = this.#listener.addr as Deno.NetAddr;
    this.url = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
    this.#running.push(this.#accept(handler));
  }

  async #accept(
    handler: (request: WireRequest, wire: Wire) => void | Promise<void>,
  ): Promise<void> {
    for (;;) {
      let connection: Deno.Conn;
      try {
        connection = await this.#listener.accept();
      } catch {
        if (this.#closed) return;
        continue; // a handshake that failed
      }
      this.#open.add(connection);
      this.#running.push(this.#serve(connection, this.connections++, handler));
    }
  }

  async #serve(
    connection: Deno.Conn,
    number: number,
    handler: (request: WireRequest, wire: Wire) => void | Promise<void>,
  ): Promise<void> {
    const closed = Promise.withResolvers<void>();
    const cut = (): void => {
      if (!this.#open.delete(connection)) return;
      connection.close();
    };
    const send = async (data: string | Uint8Array): Promise<void> => {
      let rest = typeof data === "string" ? new TextEncoder().encode(data) : data;
      try {
        while (rest.byteLength > 0) rest = rest.subarray(await connection.write(rest));
      } catch {
        closed.resolve();
      }
    };
    const wire: Wire = {
      send,
      chunk: async (data) => {
        const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
        await send(`${bytes.byteLength.toString(16)}\r\n`);
        await send(bytes);
        await send("\r\n");
      },
      cut,
      peerClosed: closed.promise,
    };
    const handling: (void | Promise<void>)[] = [];
    for await (const request of readRequests(connection, number)) {
      this.requests.push(request);
      handling.push(handler(request, wire));
    }
    closed.resolve();
    await Promise.allSettled(handling);
    cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#listener.close();
    for (const connection of this.#open) {
      this.#open.delete(connection);
      connection.close();
    }
    await Promise.allSettled(this.#running);
  }
}

async function* readRequests(
  connection: Deno.Conn,
  number: number,
): AsyncGenerator<WireRequest> {
  const buffer = new Uint8Array(16 * 1024);
  let text = "";
  for (;;) {
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) {
      const [line = "", ...lines] = text.slice(0, end).split("\r\n");
      const headers = lines.map((each): [string, string] => {
        const colon = each.indexOf(":");
        return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
      });
      const length = Number(headers.find(([name]) => name === "content-length")?.[1] ?? 0);
      if (text.length >= end + 4 + length) {
        const bytes = Uint8Array.from(
          text.slice(end + 4, end + 4 + length),
          (c) => c.charCodeAt(0),
        );
        const body = new TextDecoder().decode(bytes);
        text = text.slice(end + 4 + length);
        yield { line, headers, body, connection: number };
        continue;
      }
    }
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return;
    text += String.fromCharCode(...buffer.subarray(0, size)); // one character is one byte
  }
}
