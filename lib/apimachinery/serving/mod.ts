/**
 * Servers of HTTP and HTTPS around a function from `Request` to `Response`: client certificates,
 * change of the certificate while the server runs, limits, and streams with back-pressure. They do
 * not depend on Kubernetes.
 *
 * @module
 */
export {
  type Handler,
  HttpServer,
  type HttpServerOptions,
  type WebSocketAnswers,
} from "./http_server.ts";
export { HttpsServer, type HttpsServerOptions, type ServerCertificate } from "./https_server.ts";
export type { ServerLimits } from "./limits.ts";
export type { Peer, PeerCertificate } from "./peer.ts";
export { type PlainAnswer, PlainHandler, type PlainRequest } from "./plain_handler.ts";
export {
  type CertificateMetrics,
  type CertificateOffer,
  type CertificateProblem,
  type CertificateSource,
  type OfferedCertificate,
} from "./certificates/certificate_source.ts";
export {
  type CertificateFiles,
  certificateFiles,
  type CertificateFilesOptions,
} from "./certificates/certificate_files.ts";
export {
  CheckedCertificate,
  type CheckedCertificateOptions,
  type ServingCertificate,
} from "./certificates/checked_certificate.ts";
