import net from "node:net";
import tls, { type TLSSocket } from "node:tls";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";

/**
 * A server on loopback that terminates TLS with a certificate of its own and forwards to another
 * server over TLS.
 */
export class TlsFront implements AsyncDisposable {
  readonly #server: tls.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(server: tls.Server) {
    this.#server = server;
  }

  /** Starts a server. @default {on 127.0.0.1} */
  static async start(
    pair: PemPair,
    to: { readonly port: number; readonly ca: string },
    hostname = "127.0.0.1",
  ): Promise<TlsFront> {
    const server = tls.createServer({ ...pair });
    const front = new TlsFront(server);
    const keep = (socket: net.Socket): void => {
      front.#sockets.add(socket);
      socket.on("error", () => {}).on("close", () => front.#sockets.delete(socket));
    };
    server.on("secureConnection", (client: TLSSocket) => {
      keep(client);
      const above = tls.connect({
        host: "127.0.0.1",
        port: to.port,
        ca: [to.ca],
        ALPNProtocols: ["http/1.1"],
      });
      keep(above);
      above.on("close", () => client.destroy());
      client.on("close", () => above.destroy());
      above.pipe(client);
      client.pipe(above);
    });
    server.on("tlsClientError", () => {});
    server.on("connection", keep);
    await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
    return front;
  }

  /** The port of the server. */
  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
