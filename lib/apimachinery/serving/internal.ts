/**
 * Internals of `@xca/apimachinery/serving` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export { acceptConnections } from "./accept_connections.ts";
export { isWebSocketUpgrade } from "./web_socket_upgrade.ts";
export { type Tunnel, type TunnelConnection, tunnelResponse } from "./tunnel.ts";
// Without the modules of the servers, which their users load when they listen.
export { certificateFiles } from "./certificates/certificate_files.ts";
export { CheckedCertificate } from "./certificates/checked_certificate.ts";
export { LIMIT_NAMES } from "./limits.ts";
export { listenFailure } from "./listen_failure.ts";
