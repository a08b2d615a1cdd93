/**
 * An HTTPS server around a function from `Request` to `Response`: client certificates, live change of
 * its own certificate, limits, streams with back-pressure. It knows nothing of what it serves.
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
