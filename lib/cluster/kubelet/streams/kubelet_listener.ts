import { errorText, systemClock } from "@xca/apimachinery/base";
import { getLogger } from "@logtape/logtape";
import type { HttpsServer } from "@xca/apimachinery/serving";
import { isStream, kubeletAnswer, type KubeletSource } from "./kubelet_requests.ts";

const logger = getLogger(["xca", "cluster", "kubelet"]);

/** The loopback address that the pretended kubelet listens on. */
export const KUBELET_HOST = "127.0.0.1";

/**
 * The HTTPS server of the pretended kubelet on loopback, which API servers forward logs, commands and
 * ports to. It serves the pods of all pretended nodes, and asks its clients for no certificate.
 *
 * It starts with the first connection, since its code and certificate take longer to prepare than
 * the rest of a cluster.
 */
export class KubeletListener implements AsyncDisposable {
  /** The port that the kubelet listens on. */
  readonly port: number;
  readonly #listener: Deno.TcpListener;
  readonly #source: KubeletSource;
  readonly #connections = new Set<Deno.Conn>();
  readonly #running: Promise<void>;
  #server: Promise<HttpsServer> | undefined;

  private constructor(listener: Deno.TcpListener, source: KubeletSource) {
    this.#listener = listener;
    this.#source = source;
    this.port = listener.addr.port;
    this.#running = this.#accept();
  }

  /** Starts to listen; `undefined` when this process may not. */
  static open(source: KubeletSource): KubeletListener | undefined {
    try {
      return new KubeletListener(Deno.listen({ hostname: KUBELET_HOST, port: 0 }), source);
    } catch (error) {
      const problem = errorText(error);
      logger.warn(`The kubelet cannot listen, so logs and commands do not work: ${problem}`);
      return undefined;
    }
  }

  /** Stops to listen, and ends all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#running;
    for (const connection of this.#connections) close(connection);
    const server = await this.#server?.catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#connections.add(connection);
      void this.#pass(connection).catch(() => {}).finally(() => {
        this.#connections.delete(connection);
        close(connection);
      });
    }
  }

  /** Passes the bytes of a connection to and from the HTTPS server. */
  async #pass(connection: Deno.Conn): Promise<void> {
    const { port } = await (this.#server ??= this.#listenHttps());
    const inner = await Deno.connect({ hostname: KUBELET_HOST, port });
    this.#connections.add(inner);
    try {
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

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The connection is closed already.
  }
}
