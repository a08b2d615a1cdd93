import { errorText, systemClock } from "@xca/apimachinery/base";
import { attempt, OnDemand } from "@xca/apimachinery/internal/base";
import type { KubeletHandlers, PodPort } from "./container_process.ts";
import type { PortStreams } from "./stream_context.ts";

/** The loopback address of the simulated HTTP servers of pods. */
const HOST = "127.0.0.1";
/** The first byte of a connection with TLS: the type of the record that begins a handshake. */
const TLS_HANDSHAKE = 0x16;

/**
 * The simulated HTTP servers behind the ports of simulated pods, around the function that handles
 * their requests. Two servers, one with and one without TLS, listen on loopback, each from its
 * first connection on.
 */
export class PodPorts implements AsyncDisposable {
  readonly #http: NonNullable<KubeletHandlers["http"]>;
  /**
   * The pod ports to which the connections to the HTTP servers lead, by the local port of the
   * client.
   */
  readonly #targets = new Map<number, PodPort>();
  readonly #stop = new AbortController();
  readonly #plain = new OnDemand(() => Promise.resolve(this.#listen({})));
  readonly #tls = new OnDemand(() => this.#listenTls());

  /** Creates the simulated HTTP servers of pods around the function that handles their requests. */
  constructor(http: NonNullable<KubeletHandlers["http"]>) {
    this.#http = http;
  }

  /**
   * Passes the bytes of a connection to a port of a pod to the simulated HTTP server, with or
   * without TLS by the first byte, and the responses back; resolves when the server has closed the
   * connection, or when the client has closed its half without sending a byte.
   */
  async serve(target: PodPort, { input, output }: Omit<PortStreams, "port">): Promise<void> {
    const chunks = input[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) return;
    const server = first.value[0] === TLS_HANDSHAKE ? this.#tls : this.#plain;
    const { addr } = await server.get();
    const inner = await Deno.connect({ hostname: HOST, port: addr.port });
    const { port } = inner.localAddr as Deno.NetAddr;
    this.#targets.set(port, target);
    try {
      await Promise.race([
        (async () => {
          for (let next: IteratorResult<Uint8Array> = first; !next.done;) {
            await writeAll(inner, next.value);
            next = await chunks.next();
          }
          await inner.closeWrite();
          await new Promise<void>(() => {}); // The answers to the last requests may follow.
        })(),
        (async () => {
          for await (const bytes of inner.readable) await output(bytes);
        })(),
      ]);
    } finally {
      this.#targets.delete(port);
      attempt(() => inner.close());
    }
  }

  /** Closes the simulated HTTP servers of pods, and their connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const started = await Promise.allSettled([this.#plain.current, this.#tls.current]);
    await Promise.all(started.map((each) => each.status === "fulfilled" && each.value?.finished));
  }

  async #listenTls(): Promise<Deno.HttpServer<Deno.NetAddr>> {
    const { CertificateAuthority } = await import("@xca/apimachinery/pki");
    const authority = await CertificateAuthority.create("pod-ca", systemClock.now());
    return this.#listen(await authority.serving("pod", ["localhost"], [HOST]));
  }

  #listen(tls: { readonly cert?: string; readonly key?: string }): Deno.HttpServer<Deno.NetAddr> {
    const handler = async (
      request: Request,
      { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
    ): Promise<Response> => {
      const target = this.#targets.get(remoteAddr.port);
      if (!target) {
        return new Response("the connection is not to a port of a pod\n", { status: 421 });
      }
      try {
        return await this.#http(request, target);
      } catch (error) {
        return new Response(`${errorText(error)}\n`, { status: 500 });
      }
    };
    const { signal } = this.#stop;
    const options = { hostname: HOST, port: 0, onListen: () => {}, signal, ...tls };
    return Deno.serve(options as Deno.ServeTcpOptions, handler) as Deno.HttpServer<Deno.NetAddr>;
  }
}

/** Writes bytes to a connection; resolves when all are written. */
export async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) at += await connection.write(bytes.subarray(at));
}
