import { createServer, type Server } from "node:https";
import { HttpServer, type HttpServerOptions, listening, nodeOptions } from "./http_server.ts";
import { DEFAULT_LIMITS } from "./limits.ts";

/** The certificate of an HTTPS server and its private key, as PEM text. */
export interface ServerCertificate {
  /** The certificate of the server, followed by the intermediate certificates. */
  readonly cert: string;
  /** The private key of the server's certificate. */
  readonly key: string;
}

/** Options of {@linkcode HttpsServer.listen}, which starts an HTTPS server. */
export interface HttpsServerOptions extends HttpServerOptions {
  /** The certificate of the HTTPS server. */
  readonly certificate: ServerCertificate;
  /**
   * The certificate of the authority by which client certificates are verified, as PEM text.
   * Clients are then asked for a certificate; the handler decides whether it is required.
   *
   * @default {none: clients are not asked}
   */
  readonly clientCa?: string;
}

/**
 * An HTTPS server around a function from `Request` to `Response`: HTTP/1.1 over TLS.
 *
 * - Client certificates are verified against an authority and handed to the handler as
 *   {@linkcode Peer}.
 * - A response without `Content-Length` is a stream: each chunk is sent at once, a slow client
 *   slows its source, and a client that disconnects aborts the signal of the request and cancels
 *   the source.
 * - The body of a request is read entirely, up to a limit, before the handler is called.
 * - A response that is a stream of lines is sent over a WebSocket where
 *   {@linkcode HttpServerOptions.webSockets} allows it. A request for another upgrade is handled
 *   without the upgrade, unless {@linkcode HttpServerOptions.tunnels} allows it.
 * - The server listens on loopback by default.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { get } from "node:https";
 * import { CertificateAuthority } from "@xca/apimachinery/pki";
 * import { HttpsServer } from "@xca/apimachinery/serving";
 *
 * const authority = await CertificateAuthority.create("ca", new Date());
 * await using server = await HttpsServer.listen({
 *   certificate: await authority.serving("localhost", [], ["127.0.0.1"]),
 *   handler: (request) => Promise.resolve(new Response(new URL(request.url).pathname)),
 * });
 * const { promise, resolve } = Promise.withResolvers<number | undefined>();
 * get(`${server.url}/hello`, { ca: authority.cert, agent: false }, (answer) => {
 *   answer.resume();
 *   resolve(answer.statusCode);
 * });
 * assert.equal(await promise, 200);
 * ```
 */
export class HttpsServer extends HttpServer {
  readonly #tls: Server;
  readonly #clientCa: string | undefined;

  private constructor(server: Server, options: HttpsServerOptions) {
    super(server, options, "https");
    this.#tls = server;
    this.#clientCa = options.clientCa;
  }

  /**
   * Starts an HTTPS server; resolves when it accepts connections.
   *
   * @throws {Error} When the address is not available (`code` is `EADDRINUSE` when it is in use),
   * or the certificate is invalid.
   */
  static override async listen(options: HttpsServerOptions): Promise<HttpsServer> {
    const server = createServer({
      ...nodeOptions(options),
      ...secureContext(options.certificate, options.clientCa),
      requestCert: options.clientCa !== undefined,
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
      handshakeTimeout: options.limits?.handshakeTimeoutMs ?? DEFAULT_LIMITS.handshakeTimeoutMs,
    });
    // A connection without TLS is not an error of the server, and cannot be answered.
    server.on("tlsClientError", (_error, socket) => void socket.destroy());
    await listening(server, options);
    return new HttpsServer(server, options);
  }

  /**
   * Changes the server's certificate for new connections. Open connections keep the former
   * certificate.
   */
  replaceCertificate(certificate: ServerCertificate): void {
    this.#tls.setSecureContext(secureContext(certificate, this.#clientCa));
  }
}

function secureContext(
  { cert, key }: ServerCertificate,
  ca: string | undefined,
): { cert: string; key: string; ca?: string[]; minVersion: "TLSv1.2" } {
  return { cert, key, minVersion: "TLSv1.2", ...(ca !== undefined && { ca: [ca] }) };
}
