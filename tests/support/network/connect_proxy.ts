import { attempt } from "../../../lib/apimachinery/base/internal.ts";
import { writeAll } from "../../../lib/cluster/kubelet/streams/pod_ports.ts";
import type { PortStreams } from "../../../lib/cluster/kubelet/streams/stream_context.ts";

/** The bytes of a connection that a proxy has opened. */
export type ProxiedStreams = Omit<PortStreams, "port">;

/**
 * Returns the function that serves connections to an address, such as `10.0.0.1:80`; `undefined`
 * for an unknown address.
 */
export type ServerOf = (
  address: string,
) => ((streams: ProxiedStreams) => Promise<void>) | undefined | "";

/**
 * An HTTP proxy on loopback that opens connections by CONNECT. It listens on a socket file too, since
 * kube-apiserver takes no proxy on TCP without TLS.
 */
export class ConnectProxy implements AsyncDisposable {
  readonly #tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #unix: Deno.UnixListener;
  readonly #connections = new Set<Deno.Conn>();
  readonly #serverOf: ServerOf;
  readonly #running: Promise<unknown>;

  /** Starts a proxy that listens on a free port and on the socket file `path`. */
  constructor(path: string, serverOf: ServerOf) {
    this.#unix = Deno.listen({ transport: "unix", path });
    this.#serverOf = serverOf;
    this.#running = Promise.all([this.#accept(this.#tcp), this.#accept(this.#unix)]);
  }

  /** The port that the proxy listens on. */
  get port(): number {
    return this.#tcp.addr.port;
  }

  async #accept(listener: AsyncIterable<Deno.Conn>): Promise<void> {
    for await (const connection of listener) {
      this.#connections.add(connection);
      void this.#pass(connection).catch(() => {}).finally(() => {
        this.#connections.delete(connection);
        attempt(() => connection.close());
      });
    }
  }

  async #pass(connection: Deno.Conn): Promise<void> {
    const chunks = connection.readable[Symbol.asyncIterator]();
    let head = "";
    while (!head.includes("\r\n\r\n")) {
      const { done, value } = await chunks.next();
      if (done) return;
      head += new TextDecoder("latin1").decode(value);
    }
    const output = (bytes: Uint8Array): Promise<void> => writeAll(connection, bytes);
    const answer = (text: string): Promise<void> => output(new TextEncoder().encode(text));
    const serve = this.#serverOf(/^CONNECT (\S+) /.exec(head)?.[1] ?? "");
    if (!serve) return await answer("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    await answer("HTTP/1.1 200 OK\r\n\r\n");
    await serve({ input: { [Symbol.asyncIterator]: () => chunks }, output });
  }

  /** Stops listening and ends all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#tcp.close();
    this.#unix.close();
    await this.#running;
    for (const connection of this.#connections) attempt(() => connection.close());
  }
}
