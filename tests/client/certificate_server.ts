/** An HTTPS server that requests client certificates and records the clients. */
import https from "node:https";
import type { TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import type { PemPair } from "../../lib/apimachinery/pki/mod.ts";

/** One request, as the server saw it. */
export interface SeenRequest {
  /** The common name of the client certificate; `undefined` without one. */
  readonly user: string | undefined;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The number of the connection, from 0. */
  readonly connection: number;
  /** The path. */
  readonly path: string;
}

/** An HTTPS server on loopback; `accept` says which requests it answers with 200, others get 401. */
export class CertificateServer implements AsyncDisposable {
  /** The requests, in order. */
  readonly seen: SeenRequest[] = [];
  readonly #server: https.Server;
  #connections = 0;

  private constructor(
    pair: PemPair,
    clientCa: string,
    accept: (request: SeenRequest) => boolean | Promise<boolean>,
  ) {
    const numbers = new WeakMap<object, number>();
    this.#server = https.createServer({
      cert: pair.cert,
      key: pair.key,
      ca: clientCa,
      requestCert: true,
      rejectUnauthorized: false,
    }, async (incoming, outgoing) => {
      const socket = incoming.socket as TLSSocket;
      if (!numbers.has(socket)) numbers.set(socket, this.#connections++);
      const name = socket.getPeerCertificate()?.subject?.CN;
      const request: SeenRequest = {
        user: Array.isArray(name) ? name[0] : name,
        authorization: incoming.headers.authorization,
        connection: numbers.get(socket)!,
        path: incoming.url ?? "",
      };
      this.seen.push(request);
      const ok = await accept(request);
      outgoing.writeHead(ok ? 200 : 401, { "content-type": "application/json" });
      outgoing.end(ok ? `{"ok":true}` : `{"kind":"Status","code":401,"reason":"Unauthorized"}`);
    });
  }

  /** Starts one that shows `pair` and trusts the client certificates of `clientCa`. */
  static async start(
    pair: PemPair,
    clientCa: string,
    accept: (request: SeenRequest) => boolean | Promise<boolean>,
  ): Promise<CertificateServer> {
    const server = new CertificateServer(pair, clientCa, accept);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** The URL of the server. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Shows another certificate from now on. */
  show(pair: PemPair): void {
    this.#server.setSecureContext({ cert: pair.cert, key: pair.key });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
