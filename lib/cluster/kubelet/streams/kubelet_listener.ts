import { errorText, systemClock } from "@xca/apimachinery/base";
import { OnDemand } from "@xca/apimachinery/internal/base";
import { acceptConnections } from "@xca/apimachinery/internal/serving";
import { getLogger } from "@logtape/logtape";
import type { HttpsServer } from "@xca/apimachinery/serving";
import { isStream, kubeletAnswer, type KubeletSource } from "./kubelet_requests.ts";
import { writeAll } from "./pod_ports.ts";
import { CONNECT_BYTE, proxyToPod } from "./pod_proxy.ts";

const logger = getLogger(["xca", "cluster", "kubelet"]);

/** The loopback address that the simulated kubelet listens on. */
export const KUBELET_HOST = "127.0.0.1";

/**
 * The HTTPS server of the simulated kubelet on loopback, to which API servers forward requests for
 * logs, exec, attach and port-forward and those of the source's `extension`, and an HTTP proxy to
 * the addresses of pods. It serves the pods of all simulated nodes without authentication.
 *
 * The server starts with the first connection, since its code and certificate take longer to load
 * than the rest of a cluster.
 */
export class KubeletListener implements AsyncDisposable {
  /** The port that the simulated kubelet listens on. */
  readonly port: number;
  readonly #listener: Deno.TcpListener;
  readonly #source: KubeletSource;
  readonly #connections = new Set<Deno.Conn>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #server = new OnDemand(() => this.#listenHttps());

  private constructor(listener: Deno.TcpListener, source: KubeletSource) {
    this.#listener = listener;
    this.#source = source;
    this.port = listener.addr.port;
    this.#running = acceptConnections(listener, {
      take: (connection) => this.#begin(connection),
      onError: (error) =>
        logger.warn(`The kubelet cannot accept a connection: ${errorText(error)}`),
      signal: this.#stop.signal,
    });
  }

  /**
   * Starts listening on a free port. Logs a warning and returns `undefined` when this process
   * cannot listen, for example for lack of the permission.
   */
  static open(source: KubeletSource): KubeletListener | undefined {
    try {
      return new KubeletListener(Deno.listen({ hostname: KUBELET_HOST, port: 0 }), source);
    } catch (error) {
      const problem = errorText(error);
      logger.warn(`The kubelet cannot listen, so logs and commands do not work: ${problem}`);
      return undefined;
    }
  }

  /**
   * Stops listening, and closes all connections to the simulated kubelet and the simulated HTTP
   * servers of pods.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#listener.close();
    await this.#running;
    for (const connection of this.#connections) close(connection);
    const [server] = await Promise.allSettled([this.#server.current]);
    if (server.status === "fulfilled") await server.value?.[Symbol.asyncDispose]();
    await this.#source.ports?.[Symbol.asyncDispose]();
  }

  #begin(connection: Deno.Conn): void {
    this.#connections.add(connection);
    void this.#pass(connection).catch(() => {}).finally(() => {
      this.#connections.delete(connection);
      close(connection);
    });
  }

  /**
   * Serves a connection to the address of a pod, or forwards its bytes to and from the HTTPS
   * server.
   */
  async #pass(connection: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(4096);
    const length = await connection.read(buffer);
    if (length === null) return;
    const first = buffer.subarray(0, length);
    if (first[0] === CONNECT_BYTE) {
      const send = (bytes: Uint8Array): Promise<void> => writeAll(connection, bytes);
      const bytes = followedBy(first, connection.readable);
      return await proxyToPod(this.#source, { bytes, send });
    }
    const { port } = await this.#server.get();
    const inner = await Deno.connect({ hostname: KUBELET_HOST, port });
    this.#connections.add(inner);
    try {
      await writeAll(inner, first);
      await Promise.all([
        connection.readable.pipeTo(inner.writable),
        inner.readable.pipeTo(connection.writable),
      ]);
    } finally {
      this.#connections.delete(inner);
      close(inner);
    }
  }

  async #listenHttps(): Promise<HttpsServer> {
    const [{ CertificateAuthority }, { HttpsServer }] = await Promise.all([
      import("@xca/apimachinery/pki"),
      import("@xca/apimachinery/serving"),
    ]);
    const authority = await CertificateAuthority.create("kubelet-ca", systemClock.now());
    return await HttpsServer.listen({
      certificate: await authority.serving("kubelet", ["localhost"], [KUBELET_HOST]),
      handler: (request) => kubeletAnswer(this.#source, request),
      tunnels: isStream,
    });
  }
}

async function* followedBy(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The connection is closed already.
  }
}
