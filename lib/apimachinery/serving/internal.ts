/**
 * Internals of `@xca/apimachinery/serving` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export { isWebSocketUpgrade } from "./web_socket_upgrade.ts";
