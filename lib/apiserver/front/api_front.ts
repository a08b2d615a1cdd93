import type { Clock } from "@xca/apimachinery/base";
import {
  badRequest,
  internalError,
  methodNotAllowed,
  tooLarge,
} from "@xca/apimachinery/internal/errors";
import { HttpsServer, type Peer, type ServerLimits } from "@xca/apimachinery/serving";
import type { PeerInfo } from "../access/access.ts";
import { isTokenProtocol } from "../access/tokens/web_socket_token.ts";
import { requestInfo } from "../request/request_info.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import type { ServerKeys } from "./server_keys.ts";

/**
 * A function that answers a request, given the facts about the client's connection, such as
 * `ApiServer.fetch`.
 */
export type PeerFetch = (request: Request, peer: PeerInfo) => Promise<Response>;

/** Options of {@linkcode ApiFront.listen}, which serves an API server over HTTPS. */
export interface ApiFrontOptions {
  /** The function that answers each request to the HTTPS front, such as `ApiServer.fetch`. */
  readonly fetch: PeerFetch;
  /**
   * The serving certificate, the certificate authority for client certificates, and the
   * administrator's certificate.
   */
  readonly keys: Omit<ServerKeys, "caKey">;
  /** The address that the HTTPS front listens on. @default {"127.0.0.1"} */
  readonly hostname?: string;
  /** The port that the HTTPS front listens on. @default {0: any free port} */
  readonly port?: number;
  /** The limits on connections and requests to the HTTPS front. @default those of `HttpsServer` */
  readonly limits?: ServerLimits;
  /** Receives errors of the HTTPS front that no answer reports. @default {they are ignored} */
  readonly onError?: (error: unknown) => void;
  /** The clock of the HTTPS front. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * The HTTPS front of an API server. The common name and organizations of a client certificate
 * become the user and groups of its requests, with the group `system:authenticated`. By default it
 * listens on loopback only.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiFront, ApiServer, openServerKeys } from "@xca/apiserver";
 *
 * const keys = await openServerKeys({ now: new Date(), hosts: ["127.0.0.1"] });
 * using server = await ApiServer.start({ serviceAccountKey: keys.signingKey });
 * await using front = await ApiFront.listen({
 *   keys,
 *   fetch: (request, peer) => server.fetch(request, peer),
 * });
 * assert(front.kubeconfig.includes(front.url)); // kubectl --kubeconfig takes it
 * ```
 */
export class ApiFront implements AsyncDisposable {
  /**
   * The URL by which clients reach the HTTPS front, `https://<host>:<port>`, with the loopback
   * address for a front that listens on a wildcard address.
   */
  readonly url: string;
  readonly #server: HttpsServer;
  readonly #keys: Omit<ServerKeys, "caKey">;

  private constructor(server: HttpsServer, keys: Omit<ServerKeys, "caKey">) {
    this.#server = server;
    this.#keys = keys;
    // A wildcard address is no target for clients; loopback reaches it.
    this.url = server.url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  }

  /**
   * Starts to listen for HTTPS requests; resolves once connections are accepted.
   *
   * @throws {Error} With code `EADDRINUSE` if the port is taken.
   */
  static async listen(options: ApiFrontOptions): Promise<ApiFront> {
    const { fetch, keys, hostname, port, limits, onError, clock } = options;
    const server = await HttpsServer.listen({
      handler: (request, peer) => fetch(request, peerInfo(peer)),
      certificate: keys.serving,
      clientCa: keys.ca,
      webSockets: { covers: isWatch, protocols: withoutTokens },
      tunnels: isForwarded,
      refuse: refusal,
      ...(hostname !== undefined && { hostname }),
      ...(port !== undefined && { port }),
      ...(limits && { limits }),
      ...(onError && { onError }),
      ...(clock && { clock }),
    });
    return new ApiFront(server, keys);
  }

  /** The port that the HTTPS front listens on. */
  get port(): number {
    return this.#server.port;
  }

  /**
   * A kubeconfig, as YAML text, with the address of the HTTPS front and the administrator's
   * certificate and private key.
   */
  get kubeconfig(): string {
    const { ca, admin } = this.#keys;
    return kubeconfigText({ server: this.url, ca, user: "admin", client: admin });
  }

  /**
   * Stops the HTTPS front: accepts no more connections, and aborts requests that are still running
   * `graceMs` milliseconds after the call. Resolves when all connections are closed.
   */
  stop(options: { readonly graceMs: number }): Promise<void> {
    return this.#server.stop(options);
  }

  /** Stops the HTTPS front at once and aborts running requests. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop({ graceMs: 0 });
  }
}

function peerInfo({ address, certificate, rawHeaders }: Peer): PeerInfo {
  if (!certificate) return { address, rawHeaders };
  return {
    address,
    rawHeaders,
    user: {
      name: certificate.commonName,
      groups: [...certificate.organizations, "system:authenticated"],
      extra: {
        "authentication.kubernetes.io/credential-id": [`X509SHA256=${certificate.sha256}`],
      },
    },
  };
}

/** Reports whether a request is a watch, whose events can be sent over a WebSocket. */
function isWatch(method: string, target: string): boolean {
  const url = URL.parse(target.startsWith("/") ? `https://front.invalid${target}` : target);
  return url !== null && requestInfo(method, url).verb === "watch";
}

/** The subresources of pods whose requests are forwarded to a kubelet with their connection. */
const STREAMED = ["exec", "attach", "portforward"];

/**
 * Reports whether a request is forwarded to another server with its connection, such as `pods/exec`
 * or the subresource `proxy`.
 */
function isForwarded(method: string, target: string): boolean {
  const url = URL.parse(target.startsWith("/") ? `https://front.invalid${target}` : target);
  if (url === null) return false;
  const { resource, subresource } = requestInfo(method, url);
  return resource === "pods" && STREAMED.includes(subresource) || subresource === "proxy";
}

/**
 * Returns the WebSocket subprotocols that the client offers, without the bearer token if that token
 * authenticated the client; if other credentials authenticated the client, the token counts as an
 * ordinary subprotocol.
 */
function withoutTokens(offered: readonly string[], peer: Peer): readonly string[] {
  const named = (name: string, at: number): boolean =>
    at % 2 === 0 && name.toLowerCase() === "authorization";
  if (peer.certificate || peer.rawHeaders.some(named)) return offered;
  return offered.filter((protocol) => !isTokenProtocol(protocol));
}

/**
 * Returns the response to a request that the HTTPS front refuses, a `Status` object like the API
 * server's. The `Status` for another `code` than 400, 405 and 413 has the code 500.
 */
function refusal(code: number, message: string): Response {
  const error = code === 413
    ? tooLarge(message)
    : code === 400
    ? badRequest(message)
    : code === 405
    ? methodNotAllowed()
    : internalError(message);
  return Response.json(error.status, { status: code });
}
