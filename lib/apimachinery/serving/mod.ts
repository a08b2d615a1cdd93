/**
 * An HTTPS server around a function from `Request` to `Response`: client certificates, change of
 * its own certificate while it runs, limits, and streams with back-pressure. It does not depend on
 * Kubernetes.
 *
 * @module
 */
export {
  type Handler,
  HttpsServer,
  type HttpsServerOptions,
  type ServerCertificate,
  type WebSocketAnswers,
} from "./https_server.ts";
export type { ServerLimits } from "./limits.ts";
export type { Peer, PeerCertificate } from "./peer.ts";
